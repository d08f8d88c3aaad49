// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"fmt"
	"io"
	"sync"
)

// checkedWriter records a failed write, for example to a full disk. A command with
// incomplete output can then fail.
type checkedWriter struct {
	to io.Writer

	mu  sync.Mutex
	err error // the first error
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

// failure returns the first write error, or nil.
func (w *checkedWriter) failure() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		return nil
	}
	return fmt.Errorf("write the output: %w", w.err)
}
