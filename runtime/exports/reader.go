// SPDX-License-Identifier: MPL-2.0

//go:build unix

package exports

import (
	"bytes"
	"errors"
	"os"
	"time"

	"github.com/openpai/terraform-provider-openpai/runtime/pipe"
)

// Reader receives the variables that a shell prints before it exits.
type Reader struct {
	file *os.File
	text chan []byte
}

// NewReader returns a Reader and the write end of the Reader's pipe. The
// shell writes its variables to the write end.
func NewReader() (*Reader, *os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	e := &Reader{file: r, text: make(chan []byte, 1)}
	go e.pump()
	return e, w, nil
}

// pump reads up to the NUL that terminates the list, or to the end of the pipe.
// After the read deadline, pump reads only the data already in the pipe.
func (e *Reader) pump() {
	var all []byte
	buf := make([]byte, 64<<10)
	for read := e.file.Read; ; {
		n, err := read(buf)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			_ = e.file.SetReadDeadline(time.Time{})
			read = func(p []byte) (int, error) { return pipe.ReadAvailable(e.file, p) }
			continue
		}
		all = append(all, buf[:max(0, n)]...)
		if end := bytes.IndexByte(all, 0); end >= 0 {
			e.text <- all[:end]
			return
		}
		if n <= 0 || err != nil {
			e.text <- nil
			return
		}
	}
}

// Read returns the variables. It returns nil if an EXIT trap or exec in the
// script prevented the output, or if the output is invalid. Callers must first
// wait for the shell to exit, so that the pipe contains all of its output.
func (e *Reader) Read() map[string]string {
	_ = e.file.SetReadDeadline(time.Unix(1, 0))
	text := <-e.text
	_ = e.file.Close()
	if text == nil {
		return nil
	}
	vars, err := Parse(string(text))
	if err != nil {
		return nil
	}
	return vars
}
