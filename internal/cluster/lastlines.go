// SPDX-License-Identifier: MPL-2.0

package cluster

import "bytes"

// LastLines keeps the last lines that were written to it. Its memory use does
// not depend on the log size. It uses at most about twice the size of the kept
// lines or 2 MiB, whichever is larger. Clusters use LastLines after they have
// extracted one stream from a log.
type LastLines struct {
	Limit     int
	text      []byte
	compactAt int // size at which unneeded lines are dropped
}

// minCompact is the minimum size, in bytes, at which unneeded lines are
// dropped.
const minCompact = 1 << 20

// Write implements io.Writer.
func (t *LastLines) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	if len(t.text) > max(t.compactAt, minCompact) {
		t.text = append([]byte{}, t.Bytes()...)
		t.compactAt = 2 * len(t.text)
	}
	return len(p), nil
}

// Bytes returns the kept lines. A last line without a newline counts as a line.
func (t *LastLines) Bytes() []byte {
	end := len(t.text)
	if end > 0 && t.text[end-1] == '\n' {
		end--
	}
	for n := 0; n < t.Limit; n++ {
		i := bytes.LastIndexByte(t.text[:end], '\n')
		if i < 0 {
			return t.text
		}
		end = i
	}
	return t.text[end+1:]
}
