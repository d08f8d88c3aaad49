// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"fmt"
	"os/user"
	"path/filepath"
	"strings"
)

// defaultName returns the default name of a workspace: the name of its directory.
func defaultName(dir string) string {
	name := filepath.Base(dir)
	if name == string(filepath.Separator) || name == "." {
		return "workspace"
	}
	return name
}

// fileName returns the name of a workspace that consists of one file. The name
// differs from the workspace names of the directory and of other files in it.
func fileName(base, path string) string { return base + "." + filepath.Base(path) }

// CurrentUser returns the name of the operating system user, without the domain
// that Windows prepends. For a user without an entry in the system database
// (common in containers), it returns "uid-" and the UID.
func CurrentUser(lookupUser func() (*user.User, error), uid int) string {
	u, err := lookupUser()
	if err != nil || u.Username == "" {
		return fmt.Sprintf("uid-%d", uid)
	}
	return u.Username[strings.LastIndexByte(u.Username, '\\')+1:]
}
