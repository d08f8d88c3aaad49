package store

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// The commands make no symbolic link in .openpai. One that came with a
// repository or an archive would lead what they write, close and remove to
// another place.

// checkLinks fails when .openpai or something that all jobs share in it is a
// symbolic link.
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

// checkLinksOf fails when a directory of a Framework is a symbolic link.
func (l Layout) checkLinksOf(framework string) error {
	for _, dir := range []string{l.Object(framework).Dir, l.Attempts(framework), l.JobSecrets(framework)} {
		if err := notLinked(dir); err != nil {
			return err
		}
	}
	return nil
}

// attemptDepth is how deep the attempts of tasks are in those of a Framework.
const attemptDepth = 3

// CheckAttempts fails when a symbolic link is in the place of an attempt of a job or
// a task. Whoever drives tasks that another process started asks it first.
func (l Layout) CheckAttempts(framework string) error {
	return noLinksIn(l.Attempts(framework), attemptDepth)
}

// noLinksIn fails when a link in a directory leads to another one. Links to files
// do no harm: files are replaced, and opened without following one.
func noLinksIn(dir string, depth int) error {
	entries, _ := os.ReadDir(dir) // who uses it reports errors
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

// OpenLog opens a file that only the owner may read, and adds to it. It makes the
// file if there is none.
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
	return fmt.Errorf("%s is a symbolic link, which no command makes there; remove it, or all of %s if somebody else made it", name, dirName)
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
