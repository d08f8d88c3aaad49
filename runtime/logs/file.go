// SPDX-License-Identifier: MPL-2.0

package logs

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/logtime"
)

// RotateSize is the size, in bytes, at which a log file is rotated. Rotation keeps
// one old file, so a stream's logs use at most twice this size. Source:
// microsoft/openpai-runtime: src/runtime.d/runtime_entry.sh (multilog s268435456
// n2).
const RotateSize = 256 << 20

// File is a log file whose Write never fails and never waits for disk space. It
// counts lost bytes, and marks the gap when writing succeeds again. A File is not
// safe for concurrent use.
type File struct {
	path  string // of the current file
	limit int64
	mode  os.FileMode
	now   func() time.Time

	file  *os.File
	times *logtime.Writer
	size  int64
	lost  int64
}

// OpenFile opens the file at path for appending. Rotated files are in the same
// directory. If the file cannot be opened, each write tries to open it again.
func OpenFile(path string, limit int64, mode os.FileMode, now func() time.Time) *File {
	r := &File{path: path, limit: limit, mode: mode, now: now, times: logtime.NewWriter(path, mode)}
	r.open()
	return r
}

func (r *File) open() {
	f, err := os.OpenFile(r.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, r.mode)
	if err != nil {
		return
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return
	}
	r.file, r.size = f, info.Size()
}

// Write accepts all of p and never fails.
func (r *File) Write(p []byte) (int, error) {
	if r.file == nil {
		r.open()
	}
	if r.size > 0 && r.size+int64(len(p)) > r.limit {
		r.rotate()
	}
	r.times.Mark(r.size, r.now())
	if r.lost > 0 {
		mark := fmt.Sprintf("\n[openpai-runtime] %d bytes could not be written here\n", r.lost)
		if r.writeFile([]byte(mark)) != len(mark) {
			r.lost += int64(len(p))
			return len(p), nil
		}
		r.lost = 0
	}
	r.lost += int64(len(p) - r.writeFile(p))
	return len(p), nil
}

func (r *File) writeFile(p []byte) int {
	if r.file == nil {
		return 0
	}
	n, _ := r.file.Write(p) // the caller counts the lost bytes
	r.size += int64(n)
	return n
}

// rotate renames the current file to a name that contains the time, like
// multilog. It removes the previous rotated file.
func (r *File) rotate() {
	if r.file == nil {
		return
	}
	dir := filepath.Dir(r.path)
	aside := filepath.Join(dir, "@"+tai64n(r.now())+".s")
	if os.Rename(r.path, aside) != nil {
		return
	}
	_ = r.file.Close()
	r.file, r.size = nil, 0
	r.times.Rename(aside) // only after the log is renamed, because readers depend on this order
	for _, name := range putAside(dir) {
		if strings.Compare(name, aside) < 0 {
			_ = os.Remove(name)
			_ = os.Remove(logtime.Name(name))
		}
	}
	r.open()
}

// putAside returns the rotated log files, oldest first. Unlike [filepath.Glob], it
// does not interpret special characters in dir.
func putAside(dir string) []string {
	names, _ := fs.Glob(os.DirFS(dir), "@*.s")
	for i, name := range names {
		names[i] = filepath.Join(dir, name)
	}
	return names
}

// Close implements io.Closer.
func (r *File) Close() error {
	r.times.Close()
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}

// tai64n returns the time in the label format of multilog.
func tai64n(t time.Time) string {
	return fmt.Sprintf("%016x%08x", uint64(1)<<62+uint64(t.Unix())+10, t.Nanosecond())
}
