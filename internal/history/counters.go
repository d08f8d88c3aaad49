// SPDX-License-Identifier: MPL-2.0

package history

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
)

// Counters assigns numbers to the runs of a workspace on one cluster.
type Counters struct {
	// Last maps each address to the number of its latest submission, including
	// failed submissions.
	Last map[hclspec.Address]int
	// Revision identifies the version of the counters that was read. The
	// cluster defines the format of Revision. It is "" for counters that do
	// not exist yet. Writing counters with an outdated Revision fails.
	Revision string
}

type countersDocument struct {
	Version   int                     `json:"version"`
	Workspace string                  `json:"workspace"`
	Last      map[hclspec.Address]int `json:"last"`
}

// maxNumber prevents overflows caused by malicious documents.
const maxNumber = 1 << 30

// Next increases the counter of an address and returns its new number. The
// new number is greater than both the previous number and atLeast.
func (c *Counters) Next(address hclspec.Address, atLeast int) int {
	if c.Last == nil {
		c.Last = map[hclspec.Address]int{}
	}
	c.Last[address] = max(c.Last[address], atLeast) + 1
	return c.Last[address]
}

// Move transfers the counter of one address to a different address. If both
// addresses have a counter, the greater number remains.
func (c *Counters) Move(from, to hclspec.Address) {
	if last, ok := c.Last[from]; ok {
		c.Last[to] = max(c.Last[to], last)
		delete(c.Last, from)
	}
}

// Encode returns the counters as a JSON document.
func (c *Counters) Encode(workspace string) []byte {
	return append(plainjson.MustMarshal(countersDocument{Version, workspace, c.Last}), '\n')
}

// DecodeCounters decodes the document that Encode returned for a workspace.
func DecodeCounters(name, workspace string, text []byte) (*Counters, error) {
	var d countersDocument
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, &FormatError{Name: name, Err: fmt.Errorf("it is damaged: %w", err)}
	}
	switch {
	case d.Version > Version:
		return nil, &FormatError{name, d.Version, errors.New("a later version of openpai wrote it; use that version")}
	case d.Version < 1:
		return nil, &FormatError{Name: name, Err: errors.New("it has no format version")}
	case d.Workspace != workspace:
		return nil, &FormatError{Name: name, Err: fmt.Errorf("it belongs to the workspace %q", d.Workspace)}
	}
	for address, n := range d.Last {
		if n < 0 || n > maxNumber {
			return nil, &FormatError{Name: name, Err: fmt.Errorf("it is damaged: %s has number %d, which is out of range", address, n)}
		}
	}
	return &Counters{Last: d.Last}, nil
}
