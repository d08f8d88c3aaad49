// SPDX-License-Identifier: MPL-2.0

package fetch

import (
	"cmp"
	"fmt"

	"github.com/openpai/terraform-provider-openpai/internal/quantity"
)

// Limits limits the contents of an archive, so that a small file cannot fill the
// disk of a node.
type Limits struct {
	// Entries is the maximum number of files, directories and links.
	Entries int
	// Ratio is the maximum ratio of the size of the contents to the size of the
	// archive. It applies only if the contents are larger than RatioFrom bytes.
	Ratio     int64
	RatioFrom int64
	// Bytes is the maximum total size of the contents. 0 means that only the ratio
	// limits the size.
	Bytes int64
}

// DefaultLimits are the limits of tasks. They are large enough for common data
// sets.
var DefaultLimits = Limits{Entries: 20_000_000, Ratio: 250, RatioFrom: 1 << 30}

func (l Limits) orDefault() Limits {
	l.Entries = cmp.Or(l.Entries, DefaultLimits.Entries)
	l.Ratio = cmp.Or(l.Ratio, DefaultLimits.Ratio)
	l.RatioFrom = cmp.Or(l.RatioFrom, DefaultLimits.RatioFrom)
	return l
}

// entryCost is the number of bytes that each entry uses from the budget, in
// addition to the size of its content.
const entryCost = 512

// budget is the remaining part of the limits, which the rest of an archive may
// use.
type budget struct {
	limits Limits
	bytes  int64
	// fixed is set if bytes does not depend on the size of the archive.
	fixed   bool
	entries int
}

func (l Limits) budget(archive int64) *budget {
	b := &budget{limits: l, bytes: max(l.RatioFrom, l.Ratio*archive), entries: l.Entries}
	if l.Bytes > 0 && l.Bytes <= b.bytes {
		b.bytes, b.fixed = l.Bytes, true
	}
	return b
}

func (b *budget) entry() error {
	if b.entries--; b.entries < 0 {
		return fmt.Errorf("it has more than %d entries; if this is intended, unpack it in a callback", b.limits.Entries)
	}
	return b.reserve(entryCost)
}

func (b *budget) reserve(n int64) error {
	if b.bytes -= n; b.bytes < 0 && b.fixed {
		return fmt.Errorf("its contents are larger than %s", quantity.Bytes(b.limits.Bytes))
	}
	if b.bytes < 0 {
		return fmt.Errorf("its contents are more than %d times as large as the archive, as in a decompression bomb; if this is intended, unpack it in a callback", b.limits.Ratio)
	}
	return nil
}
