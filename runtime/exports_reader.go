//go:build unix

package runtime

import (
	"bytes"
	"os"
	"time"
)

// exportsTime is given to a shell's last words when the shell is gone.
const exportsTime = 200 * time.Millisecond

// exportReader takes what a shell writes as its last words.
type exportReader struct {
	file *os.File
	text chan []byte
}

func newExportReader() (*exportReader, *os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	e := &exportReader{file: r, text: make(chan []byte, 1)}
	go e.pump()
	return e, w, nil
}

// pump reads up to the NUL that ends the list, or to the end of the pipe.
func (e *exportReader) pump() {
	var all []byte
	buf := make([]byte, 64<<10)
	for {
		n, err := e.file.Read(buf)
		all = append(all, buf[:n]...)
		if end := bytes.IndexByte(all, 0); end >= 0 {
			e.text <- all[:end]
			return
		}
		if err != nil {
			e.text <- nil
			return
		}
	}
}

// read returns the variables, or nil when the script took our words away: by
// an EXIT trap of its own, or by exec.
func (e *exportReader) read() map[string]string {
	_ = e.file.SetReadDeadline(time.Now().Add(exportsTime))
	text := <-e.text
	_ = e.file.Close()
	if text == nil {
		return nil
	}
	vars, err := parseExports(string(text))
	if err != nil {
		return nil
	}
	return vars
}
