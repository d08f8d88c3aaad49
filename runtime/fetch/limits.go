// SPDX-License-Identifier: MPL-2.0

package fetch

import (
	"cmp"
	"fmt"

	"github.com/openpai/terraform-provider-openpai/internal/quantity"
)

// Limits restricts the contents of an archive, so that a small archive cannot
// fill a node's disk.
type Limits struct {
	// Entries is the maximum number of files, directories and links.
	Entries int
	// Ratio is the maximum ratio of the contents' size to the archive's size.
	// It applies only if the contents are larger than RatioFrom bytes.
	Ratio     int64
	RatioFrom int64
	// Bytes is the maximum total size of the contents. 0 means that only the ratio
	// limits the size.
	Bytes int64
}

// DefaultLimits contains the default limits for an archive. They are large
// enough for common data sets.
var DefaultLimits = Limits{Entries: 20_000_000, Ratio: 250, RatioFrom: 1 << 30}

func (l Limits) orDefault() Limits {
	l.Entries = cmp.Or(l.Entries, DefaultLimits.Entries)
	l.Ratio = cmp.Or(l.Ratio, DefaultLimits.Ratio)
	l.RatioFrom = cmp.Or(l.RatioFrom, DefaultLimits.RatioFrom)
	return l
}

// entryCost is the number of bytes that each entry consumes from the budget,
// in addition to its content.
const entryCost = 512

// budget is the part of the limits that remains for the rest of an archive.
type budget struct {
	limits Limits
	bytes  int64
	// fixed is set if limits.Bytes, not the size of the archive, determines
	// the budget.
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
		return fmt.Errorf("it contains more than %d entries; if this number is intended, unpack the archive in a callback", b.limits.Entries)
	}
	return b.reserve(entryCost)
}

func (b *budget) reserve(n int64) error {
	if b.bytes -= n; b.bytes < 0 && b.fixed {
		return fmt.Errorf("its contents are larger than %s", quantity.Bytes(b.limits.Bytes))
	}
	if b.bytes < 0 {
		return fmt.Errorf("its contents are more than %d times the size of the archive, which may be a decompression bomb; if this ratio is intended, unpack the archive in a callback", b.limits.Ratio)
	}
	return nil
}
