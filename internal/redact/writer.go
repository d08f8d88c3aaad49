package redact

import "io"

// Writer masks what is written through it. Bytes that may be the start of a
// secret are held back until more comes, never more than the longest form of a
// value; text that cannot be one passes at once. It is not safe for concurrent
// use.
type Writer struct {
	m *matcher
	w io.Writer

	held    []byte // not written yet
	covered int    // leading bytes of held that a mask already stands for
	out     []byte
}

// Writer returns a Writer that passes masked text to w.
func (r *Redactor) Writer(w io.Writer) *Writer { return &Writer{m: r.m, w: w} }

// Write takes all of p. An error is that of the writer below; what was to be
// passed on is then lost.
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

// Flush passes on what was held back. It belongs to the end of a text: the
// rest of a secret that comes after it is not recognized.
func (w *Writer) Flush() error {
	if len(w.held) == 0 {
		return nil
	}
	err := w.release(w.held, len(w.held))
	w.held, w.covered = w.held[:0], 0
	return err
}

// Close flushes; the writer below stays open.
func (w *Writer) Close() error { return w.Flush() }

// release writes text[:safe] with one mask for each run of matches that
// overlap.
func (w *Writer) release(text []byte, safe int) error {
	w.out = w.out[:0]
	done := w.covered // text[:done] is written or masked
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
