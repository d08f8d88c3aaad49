// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"bytes"
	"io"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// streamFilter passes either the runtime's lines or the user's lines. The log of a Pod
// contains both kinds of lines; the local cluster writes separate files. If a runtime
// line shows an incomplete user line, streamFilter ends the runtime line with a
// carriage return. The next line then overwrites the runtime line, as on the local
// cluster.
type streamFilter struct {
	w       io.Writer
	runtime bool // whether the filter passes the runtime's lines

	head  []byte // start of a line that may be from the runtime
	known bool   // whether the origin of the line is known
	pass  bool   // whether the filter passes the rest of the line
	bar   bool   // whether the runtime wrote the line to show an incomplete user line
	over  bool   // whether the next line overwrites an incomplete line
}

// Write implements io.Writer. It writes a line as soon as the origin of the
// line is known, because a progress bar can leave a line incomplete for
// hours.
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

// add appends the part to out if the filter passes the line. A part never
// spans two lines.
func (f *streamFilter) add(out, part []byte, complete bool) []byte {
	if !f.known {
		f.head = append(f.head, part...)
		text, bar, known := contract.CutIncompleteLine(f.head)
		if !known && !complete {
			return out
		}
		part = f.head
		if bar {
			part = text
		}
		is, _ := contract.IsRuntimeLine(f.head)
		f.known, f.pass, f.bar, f.head = true, (is && !bar) == f.runtime, bar, nil
	}
	if f.pass {
		if f.over && !f.bar && len(bytes.TrimRight(part, "\r\n")) == 0 {
			out = append(out, ' ') // readers show the last nonempty part of a line
		}
		out = append(out, part...)
		if f.bar && complete {
			out[len(out)-1] = '\r'
		}
		f.over = f.bar
	}
	f.known = !complete
	return out
}

// Flush writes the buffered start of an incomplete last line.
func (f *streamFilter) Flush() error {
	head := f.head
	f.head = nil
	if is, _ := contract.IsRuntimeLine(head); len(head) == 0 || is != f.runtime {
		return nil
	}
	_, err := f.w.Write(head)
	return err
}
