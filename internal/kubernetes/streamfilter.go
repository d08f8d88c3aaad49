package kubernetes

import (
	"bytes"
	"io"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// streamFilter passes on either the lines of the runtime or those of the user.
// The log of a Pod has both; the local cluster keeps them in files apart.
type streamFilter struct {
	w       io.Writer
	runtime bool // which lines pass

	head  []byte // of a line, while it may be one of the runtime
	known bool   // whether it is known whose line it is
	pass  bool   // whether the rest of that line passes
}

// Write implements io.Writer. A line passes as soon as its beginning is known:
// a progress bar has no end for hours.
func (f *streamFilter) Write(p []byte) (int, error) {
	var out []byte
	for rest := p; len(rest) > 0; {
		end := bytes.IndexByte(rest, '\n') + 1
		part := rest
		if end > 0 {
			part = rest[:end]
		}
		rest = rest[len(part):]
		out = f.add(out, part, end > 0)
	}
	if _, err := f.w.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// add appends what passes of a part of a line.
func (f *streamFilter) add(out, part []byte, complete bool) []byte {
	if !f.known {
		f.head = append(f.head, part...)
		is, known := contract.IsRuntimeLine(f.head)
		if !known && !complete {
			return out
		}
		f.known, f.pass = true, is == f.runtime
		part, f.head = f.head, nil
	}
	if f.pass {
		out = append(out, part...)
	}
	f.known = !complete
	return out
}

// Flush passes on the beginning of a last line that has no end.
func (f *streamFilter) Flush() error {
	head := f.head
	f.head = nil
	if len(head) == 0 || f.runtime {
		return nil
	}
	_, err := f.w.Write(head)
	return err
}
