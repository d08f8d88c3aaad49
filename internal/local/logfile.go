package local

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
)

// log reads one stream of a task attempt: the part that was put aside, if any,
// then the current file, across rotation.
type log struct {
	path string
	file *os.File // the file that is read now; nil before there is one
}

func openLog(dir store.TaskDir, s cluster.Stream) *log { return &log{path: logFile(dir, s)} }

func (l *log) close() {
	if l.file != nil {
		_ = l.file.Close()
	}
}

// start copies what is there, or its last lines, and stays behind it.
func (l *log) start(w io.Writer, tailLines int) error {
	out := w
	tail := &cluster.LastLines{Limit: tailLines}
	if tailLines > 0 {
		out = tail
	}
	for _, aside := range l.putAside() {
		if err := copyFile(out, aside); err != nil {
			return err
		}
	}
	if err := l.copy(out); err != nil {
		return err
	}
	if tailLines > 0 {
		_, err := w.Write(tail.Bytes())
		return err
	}
	return nil
}

// putAside lists the rotated files, oldest first: their names are times that
// sort as text. The runtime log's directory has none.
func (l *log) putAside() []string { return store.Glob(filepath.Dir(l.path), "@*.s") }

func copyFile(w io.Writer, name string) error {
	f, err := store.OpenRegular(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // removed by the next rotation
	}
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	_, err = io.Copy(w, f)
	return err
}

// copy copies everything that was written since. When the file was put aside
// its rest comes first, then the new one.
func (l *log) copy(w io.Writer) error {
	for {
		if l.file == nil {
			f, err := store.OpenRegular(l.path)
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil {
				return err
			}
			l.file = f
		}
		rotated := !store.SameFile(l.file, l.path)
		if _, err := io.Copy(w, l.file); err != nil {
			return err
		}
		if !rotated {
			return nil
		}
		_ = l.file.Close()
		l.file = nil
		if !store.Exists(l.path) {
			return nil
		}
	}
}
