// SPDX-License-Identifier: MPL-2.0

package local

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/logtime"
)

// log reads one stream of a task attempt across log rotations. It reads the rotated
// file, if any, before the current file.
type log struct {
	path  string
	lines logtime.Lines
	file  *os.File // the current file, or nil if it does not exist yet
	times *os.File // index of the current file, or nil if the file does not have an index
}

func openLog(dir store.TaskDir, r cluster.LogRequest, w io.Writer) *log {
	return &log{path: logFile(dir, r.Stream), lines: logtime.Lines{Out: w, Since: r.Since, Stamp: r.Stamp}}
}

func (l *log) close() {
	for _, f := range []*os.File{l.file, l.times} {
		if f != nil {
			_ = f.Close()
		}
	}
	l.file, l.times = nil, nil
}

// start copies the existing log, or its last lines, and stores the position for
// the next read.
func (l *log) start(tailLines int) error {
	out := l.lines.Out
	tail := &cluster.LastLines{Limit: tailLines}
	if tailLines > 0 {
		l.lines.Out = tail
	}
	for _, aside := range l.putAside() {
		if err := l.copyAside(aside); err != nil {
			return err
		}
	}
	if err := l.copy(); err != nil {
		return err
	}
	if tailLines > 0 {
		l.lines.Out = out
		_, err := out.Write(tail.Bytes())
		return err
	}
	return nil
}

// putAside lists the rotated files, oldest first, because their names are
// sortable timestamps. The runtime log has no rotated files.
func (l *log) putAside() []string { return store.Glob(filepath.Dir(l.path), "@*.s") }

func (l *log) copyAside(name string) error {
	err := l.open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // removed by the next rotation
	}
	if err != nil {
		return err
	}
	defer l.close()
	_, err = io.Copy(&l.lines, l.file)
	return err
}

// open opens a log file and its index. The runtime rotates a log before its index.
// If the log was rotated before open has opened the index, open opens both files
// again, so that the index belongs to the log.
func (l *log) open(name string) error {
	for {
		file, err := store.OpenRegular(name)
		if err != nil {
			return err
		}
		l.file = file
		index := &logtime.Index{}
		if l.times, err = store.OpenRegular(logtime.Name(name)); err == nil {
			index = logtime.NewIndex(l.times)
		}
		l.lines.Follow(index)
		if store.SameFile(file, name) {
			return nil
		}
		l.close()
	}
}

// copy writes the output since the previous call to l.lines. After a rotation,
// it first copies the rest of the rotated file.
func (l *log) copy() error {
	for {
		if l.file == nil {
			if err := l.open(l.path); errors.Is(err, fs.ErrNotExist) {
				return nil
			} else if err != nil {
				return err
			}
		}
		rotated := !store.SameFile(l.file, l.path)
		if _, err := io.Copy(&l.lines, l.file); err != nil {
			return err
		}
		if !rotated {
			return nil
		}
		l.close()
		if !store.Exists(l.path) {
			return nil
		}
	}
}
