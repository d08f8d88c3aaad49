package local

import (
	"fmt"
	"io"
)

// newUID returns a random UUID (version 4), the form of Kubernetes' UIDs. It
// panics when the source of randomness fails, which those of the system never
// do.
func newUID(random io.Reader) string {
	var b [16]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		panic("local: no randomness: " + err.Error())
	}
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[0:4], b[4:6], b[6:8], b[8:10], b[10:16])
}
