package cli

import (
	"fmt"
	"io"
	"sync"
)

// checkedWriter remembers that output was lost, as on a full disk, so that no
// command succeeds whose answer nobody got.
type checkedWriter struct {
	to io.Writer

	mu  sync.Mutex
	err error // the first
}

// Write implements io.Writer.
func (w *checkedWriter) Write(p []byte) (int, error) {
	n, err := w.to.Write(p)
	if err != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.err == nil {
			w.err = err
		}
	}
	return n, err
}

// failure returns what hindered the output, or nil.
func (w *checkedWriter) failure() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		return nil
	}
	return fmt.Errorf("write the output: %w", w.err)
}
