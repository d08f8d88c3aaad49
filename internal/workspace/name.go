// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"fmt"
	"os/user"
	"path/filepath"
	"strings"
)

// defaultName returns the base name of the directory, or "workspace" if there
// is none.
func defaultName(dir string) string {
	name := filepath.Base(dir)
	if name == string(filepath.Separator) || name == "." {
		return "workspace"
	}
	return name
}

// fileName returns the name of a workspace that consists of one file. It is
// unique among the workspaces of the directory.
func fileName(base, path string) string { return base + "." + filepath.Base(path) }

// CurrentUser returns the username from the operating system, without the
// domain prefix that Windows adds. It returns "uid-" followed by the UID if
// the user database does not contain the user, as is common in containers.
func CurrentUser(lookupUser func() (*user.User, error), uid int) string {
	u, err := lookupUser()
	if err != nil || u.Username == "" {
		return fmt.Sprintf("uid-%d", uid)
	}
	return u.Username[strings.LastIndexByte(u.Username, '\\')+1:]
}
