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

// Resolution is the time within which further text gets no record: a task that
// prints a lot adds at most 1.6 kB a second to the index.
const Resolution = 10 * time.Millisecond

// Dir is the directory with the indexes of the logs beside it. Its name begins
// with a dot, because other services list the directories of logs.
const Dir = ".times"

// entrySize is the size of a record: the offset and the time in nanoseconds since
// 1970, both big-endian.
const entrySize = 16

// Name returns the name of the index of a log file.
func Name(log string) string {
	return filepath.Join(filepath.Dir(log), Dir, filepath.Base(log))
}

// Writer writes the index of one log file. An index that cannot be written is
// incomplete, which is no error of the log. It is not safe for concurrent use.
type Writer struct {
	name string
	mode os.FileMode
	file *os.File
	size int64
	last time.Time
}

// NewWriter returns the writer of the index of a log file. It creates nothing
// before the first mark.
func NewWriter(log string, mode os.FileMode) *Writer {
	return &Writer{name: Name(log), mode: mode}
}

// Mark notes that the text from offset on arrives now. Call it before the text is
// written, so that a reader of the text finds the record.
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
		return // the next one is written at the same place
	}
	w.size += entrySize
	w.last = now
}

// open opens the index, or creates it with its directory.
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

// Rename follows the log, which was renamed, and begins another index for the new
// file of the old name.
func (w *Writer) Rename(log string) {
	_ = os.Rename(w.name, Name(log))
	w.Close()
}

// Close closes the file; the next mark opens it again.
func (w *Writer) Close() {
	if w.file != nil {
		_ = w.file.Close()
	}
	w.file, w.size, w.last = nil, 0, time.Time{}
}

// Index reads an index while it is written. The zero value knows no time.
type Index struct {
	from io.ReaderAt
	pos  int64
	rest []byte // records that were read and are not due
	at   time.Time
	buf  [256 * entrySize]byte
}

// NewIndex returns the reader of an index; nil is one without records.
func NewIndex(from io.ReaderAt) *Index { return &Index{from: from} }

// At returns when the text at an offset arrived, the zero time when that is not
// known. The offsets of consecutive calls do not decrease.
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

// fill reads more whole records and reports whether there were any.
func (x *Index) fill() bool {
	if x.from == nil {
		return false
	}
	n, _ := x.from.ReadAt(x.buf[:], x.pos) // at the end of what is there now
	n = n / entrySize * entrySize
	x.pos += int64(n)
	x.rest = x.buf[:n]
	return n > 0
}
