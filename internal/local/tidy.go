package local

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
)

// Tidy removes what the cluster keeps for jobs in general once there is none
// of any workspace: copies of the program, the cache of downloads, the keys
// for versions of secrets, and the directory itself unless it holds something
// else. While there are jobs it does nothing.
func (c *Cluster) Tidy() error {
	if !exists(string(c.layout)) {
		return nil
	}
	release, err := c.hold()
	if err != nil {
		return err
	}
	defer release()
	left, err := c.names()
	if err != nil || len(left) > 0 {
		return err
	}
	l := c.layout
	for _, dir := range []string{l.frameworks(), l.records(), l.join("runs"), l.secrets(), l.programs(), l.fetches()} {
		if err := os.RemoveAll(dir); err != nil {
			return fmt.Errorf("tidy the local cluster: %w", err)
		}
	}
	return l.removeIfEmpty()
}

// removeIfEmpty removes the directory when nothing but the lock and the note
// for version control is in it. The lock goes last: who waits for it sees that
// it is no longer the file of that name. A directory that somebody begins to
// use meanwhile stays.
func (l layout) removeIfEmpty() error {
	entries, err := os.ReadDir(string(l))
	if err != nil {
		return fmt.Errorf("tidy the local cluster: %w", err)
	}
	own := []string{l.ignoreFile(), l.lock()}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !slices.Contains(own, l.join(e.Name())) }) {
		return nil
	}
	for _, name := range append(own, string(l)) {
		_ = os.Remove(name)
	}
	return nil
}
