// SPDX-License-Identifier: MPL-2.0

package metrics

import (
	"bytes"
	"errors"
	"io"
	"os"
	"syscall"
)

// MaxFile is the maximum number of bytes that Read reads from the end of a
// file.
const MaxFile = 64 << 10

// errNotRegular means that the task replaced the metrics file with a directory
// or special file.
var errNotRegular = errors.New("it is not a regular file")

// Read returns the values in a file, or nil if there are none. size is the size of
// the file. Read ignores all data before the last [MaxFile] bytes.
func Read(name string) (v Values, size int64, err error) {
	// Opening the file must not block if the file is a pipe.
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &os.PathError{Op: "read", Path: name, Err: errNotRegular}
	}
	if err != nil {
		return nil, 0, err
	}
	text, err := readEnd(f, info.Size())
	return Parse(text), info.Size(), err
}

// readEnd reads the complete lines at the end of a file.
func readEnd(f io.ReaderAt, size int64) ([]byte, error) {
	start := max(0, size-MaxFile)
	text := make([]byte, size-start)
	n, err := f.ReadAt(text, start)
	text = text[:n]
	if start > 0 {
		text = text[bytes.IndexByte(text, '\n')+1:]
	}
	if errors.Is(err, io.EOF) { // the file was truncated in the meantime
		err = nil
	}
	return text, err
}
