package workspace

import (
	"fmt"
	"os/user"
	"path/filepath"
	"strings"
)

// defaultName is the name of a workspace that writes none: that of its
// directory.
func defaultName(dir string) string {
	name := filepath.Base(dir)
	if name == string(filepath.Separator) || name == "." {
		return "workspace"
	}
	return name
}

// fileName is the name of a workspace that is one file. It differs from that
// of the directory the file is in, and from that of every other file there.
func fileName(base, path string) string { return base + "." + filepath.Base(path) }

// CurrentUser returns the name of the operating system's user, without the
// domain that Windows puts before it. A user without an entry in the system's
// database (containers often run as one) is called by number.
func CurrentUser(lookupUser func() (*user.User, error), uid int) string {
	u, err := lookupUser()
	if err != nil || u.Username == "" {
		return fmt.Sprintf("uid-%d", uid)
	}
	return u.Username[strings.LastIndexByte(u.Username, '\\')+1:]
}
