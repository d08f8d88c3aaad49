package metrics

import (
	"bytes"
	"errors"
	"io"
	"os"
	"syscall"
)

// MaxFile is how much of the end of a file is read, in bytes.
const MaxFile = 64 << 10

// errNotRegular says that the task put something else in the place of its file.
var errNotRegular = errors.New("it is not a regular file")

// Read returns the values in a file; nil when there are none. size is that of the
// file: what is before its last [MaxFile] bytes is not read.
func Read(name string) (v Values, size int64, err error) {
	// A pipe of that name may have no writer.
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

// readEnd reads the last whole lines.
func readEnd(f io.ReaderAt, size int64) ([]byte, error) {
	start := max(0, size-MaxFile)
	text := make([]byte, size-start)
	n, err := f.ReadAt(text, start)
	text = text[:n]
	if start > 0 {
		text = text[bytes.IndexByte(text, '\n')+1:]
	}
	if errors.Is(err, io.EOF) { // somebody shortened it meanwhile
		err = nil
	}
	return text, err
}
