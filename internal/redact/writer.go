// SPDX-License-Identifier: MPL-2.0

package redact

import "io"

// Writer masks the data that is written to it. It holds back bytes that may be the
// start of a secret. It writes all other bytes immediately. The held-back bytes
// never exceed the longest encoded form of a secret value. It is not safe for
// concurrent use.
type Writer struct {
	m *matcher
	w io.Writer

	held    []byte // not written yet
	covered int    // number of leading bytes in held that a written mask already covers
	out     []byte
}

// Writer returns a Writer that writes masked text to w.
func (r *Redactor) Writer(w io.Writer) *Writer { return &Writer{m: r.m, w: w} }

// Write accepts all of p. After an error from the underlying writer, Write
// returns the error and discards the data.
func (w *Writer) Write(p []byte) (int, error) {
	if w.m == nil {
		return w.w.Write(p)
	}
	text := p
	if len(w.held) > 0 {
		w.held = append(w.held, p...)
		text = w.held
	}
	safe := w.m.pending(text)
	err := w.release(text, safe)
	w.held = append(w.held[:0], text[safe:]...)
	return len(p), err
}

// Flush writes the held-back bytes. Call Flush only at the end of a text. Flush
// in the middle of a secret prevents the masking of that secret.
func (w *Writer) Flush() error {
	if len(w.held) == 0 {
		return nil
	}
	err := w.release(w.held, len(w.held))
	w.held, w.covered = w.held[:0], 0
	return err
}

// Close calls Flush. It does not close the underlying writer.
func (w *Writer) Close() error { return w.Flush() }

// release writes text[:safe] with masks. A single mask replaces overlapping
// matches.
func (w *Writer) release(text []byte, safe int) error {
	w.out = w.out[:0]
	done := w.covered // text[:done] has been written or masked
	for from := 0; ; {
		start, end, ok := w.m.next(text, from)
		if !ok || start >= safe {
			break
		}
		if start >= done {
			w.out = append(append(w.out, text[done:start]...), Mask...)
		}
		done, from = max(done, end), start+1
	}
	w.covered = max(0, done-safe)
	if done >= safe {
		return w.pass(w.out)
	}
	if len(w.out) == 0 {
		return w.pass(text[done:safe])
	}
	w.out = append(w.out, text[done:safe]...)
	return w.pass(w.out)
}

func (w *Writer) pass(p []byte) error {
	if len(p) == 0 {
		return nil
	}
	_, err := w.w.Write(p)
	return err
}
