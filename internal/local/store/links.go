// SPDX-License-Identifier: MPL-2.0

package store

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/openpai/terraform-provider-openpai/internal/statedir"
)

// Commands do not create symbolic links in .openpai. A link from a repository or
// archive must not let commands write, lock or remove files outside .openpai.

// checkLinks fails if .openpai or a directory that all jobs share is a symbolic
// link.
func (l Layout) checkLinks() error {
	if err := notLinked(string(l)); err != nil {
		return err
	}
	for _, dir := range []string{string(l), l.Programs(), l.Secrets(), l.FetchCache(), l.Plans()} {
		if err := noLinksIn(dir, 1); err != nil {
			return err
		}
	}
	return nil
}

// CheckLinksOf fails if a directory of a Framework is a symbolic link. Unlike Check,
// it does not check the files that all jobs share.
func (l Layout) CheckLinksOf(framework string) error {
	for _, dir := range []string{l.Object(framework).Dir, l.Attempts(framework), l.JobSecrets(framework)} {
		if err := notLinked(dir); err != nil {
			return err
		}
	}
	return nil
}

// attemptDepth is the depth of task attempts in a Framework's attempts
// directory.
const attemptDepth = 3

// CheckAttempts fails if the directory of a job attempt or a task attempt is a
// symbolic link. The supervisor must call CheckAttempts before it supervises
// tasks that another process started.
func (l Layout) CheckAttempts(framework string) error {
	return noLinksIn(l.Attempts(framework), attemptDepth)
}

// noLinksIn searches dir and its subdirectories, up to depth levels in total.
// It fails if a directory is a symbolic link. Links to files are harmless:
// commands replace files and do not follow links.
func noLinksIn(dir string, depth int) error {
	entries, _ := os.ReadDir(dir) // a caller that uses the directory reports the error
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if e.Type()&fs.ModeSymlink != 0 && isDir(name) {
			return linkError(name)
		}
		if e.IsDir() && depth > 1 {
			if err := noLinksIn(name, depth-1); err != nil {
				return err
			}
		}
	}
	return nil
}

// OpenLog opens a file for appending. If the file does not exist, OpenLog creates
// it with permissions for only the owner.
func OpenLog(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND|noFollow, 0o600)
}

func notLinked(name string) error {
	info, err := os.Lstat(name)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return linkError(name)
	}
	return nil
}

func linkError(name string) error {
	return fmt.Errorf("%s is a symbolic link, which openpai never creates there; remove the link, or all of %s if another user created the link", name, statedir.Name)
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
