// SPDX-License-Identifier: MPL-2.0

package logtime

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Resolution is the minimum time between two records of an index. It limits the
// growth of an index to 1.6 kB per second.
const Resolution = 10 * time.Millisecond

// Dir is the name of the index directory inside a log directory. The name begins
// with a dot, because services that list log directories ignore such names.
const Dir = ".times"

// entrySize is the size of a record in bytes. A record is two 64-bit
// big-endian integers: the offset, and the time in nanoseconds since 1970.
const entrySize = 16

// Name returns the path of the index for a log file.
func Name(log string) string {
	return filepath.Join(filepath.Dir(log), Dir, filepath.Base(log))
}

// Writer writes the index of one log file. A failed write makes the index
// incomplete, but does not affect the log. A Writer is not safe for concurrent use.
type Writer struct {
	name string
	mode os.FileMode
	file *os.File
	size int64
	last time.Time
}

// NewWriter returns a writer for the index of a log file. The first call to Mark
// creates the file.
func NewWriter(log string, mode os.FileMode) *Writer {
	return &Writer{name: Name(log), mode: mode}
}

// Mark records now as the arrival time of the text at offset. Call Mark before
// you write the text. Otherwise, a reader could read the text before the
// record.
func (w *Writer) Mark(offset int64, now time.Time) {
	if since := now.Sub(w.last); offset > 0 && since >= 0 && since < Resolution {
		return
	}
	if w.file == nil && !w.open() {
		return
	}
	entry := binary.BigEndian.AppendUint64(nil, uint64(offset))
	entry = binary.BigEndian.AppendUint64(entry, uint64(now.UnixNano()))
	if _, err := w.file.WriteAt(entry, w.size); err != nil {
		return // the next call to Mark overwrites the partial record
	}
	w.size += entrySize
	w.last = now
}

func (w *Writer) open() bool {
	f, err := os.OpenFile(w.name, os.O_CREATE|os.O_WRONLY, w.mode)
	if errors.Is(err, fs.ErrNotExist) && os.Mkdir(filepath.Dir(w.name), 0o755) == nil {
		f, err = os.OpenFile(w.name, os.O_CREATE|os.O_WRONLY, w.mode)
	}
	if err != nil {
		return false
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return false
	}
	w.file, w.size = f, info.Size()/entrySize*entrySize
	return true
}

// Rename renames the index after the log was renamed. The next call to Mark starts
// a new index under the old name.
func (w *Writer) Rename(log string) {
	_ = os.Rename(w.name, Name(log))
	w.Close()
}

// Close closes the file. The next call to Mark opens it again.
func (w *Writer) Close() {
	if w.file != nil {
		_ = w.file.Close()
	}
	w.file, w.size, w.last = nil, 0, time.Time{}
}

// Index reads an index. A Writer may write the index at the same time. The zero
// value contains no times.
type Index struct {
	from io.ReaderAt
	pos  int64
	rest []byte // records that were read but not used
	at   time.Time
	buf  [256 * entrySize]byte
}

// NewIndex returns a reader for an index. With a nil argument, the reader
// reports every time as unknown.
func NewIndex(from io.ReaderAt) *Index { return &Index{from: from} }

// At returns the arrival time of the text at an offset. An unknown time is the
// zero time. The offsets of consecutive calls must not decrease.
func (x *Index) At(offset int64) time.Time {
	for len(x.rest) > 0 || x.fill() {
		if int64(binary.BigEndian.Uint64(x.rest)) > offset {
			break
		}
		x.at = time.Unix(0, int64(binary.BigEndian.Uint64(x.rest[8:])))
		x.rest = x.rest[entrySize:]
	}
	return x.at
}

// fill reports whether it has read any complete records.
func (x *Index) fill() bool {
	if x.from == nil {
		return false
	}
	n, _ := x.from.ReadAt(x.buf[:], x.pos) // io.EOF marks only the current end of the file
	n = n / entrySize * entrySize
	x.pos += int64(n)
	x.rest = x.buf[:n]
	return n > 0
}
