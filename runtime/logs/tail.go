// SPDX-License-Identifier: MPL-2.0

package logs

import (
	"bytes"
	"strings"
	"sync"
)

// Limits for the last lines of output in an exit record.
const (
	lastLines    = 20
	lastLineSize = 1 << 10 // bytes per line
	tailSize     = 32 << 10
)

// Tail keeps the last part of the data that is written to it. A Tail is safe
// for concurrent use: background processes of a callback may still write.
type Tail struct {
	mu  sync.Mutex
	buf []byte
}

// Write accepts all of p and never fails.
func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(p) >= tailSize {
		t.buf = append(t.buf[:0], p[len(p)-tailSize:]...)
		return len(p), nil
	}
	if len(t.buf)+len(p) > 2*tailSize {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-tailSize:]...)
	}
	t.buf = append(t.buf, p...)
	return len(p), nil
}

// Lines returns the last lines as valid UTF-8, without line endings.
func (t *Tail) Lines() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := bytes.TrimRight(t.buf, "\r\n")
	if len(text) == 0 {
		return nil
	}
	all := bytes.Split(text, []byte("\n"))
	all = all[max(0, len(all)-lastLines):]
	out := make([]string, len(all))
	for i, line := range all {
		line = bytes.TrimRight(line, "\r")
		line = line[max(0, len(line)-lastLineSize):]
		out[i] = strings.ToValidUTF8(string(line), "\uFFFD")
	}
	return out
}
