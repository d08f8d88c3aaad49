// SPDX-License-Identifier: MPL-2.0

package history

import (
	"cmp"
	"slices"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Limits bounds the history of a workspace. 0 means no limit.
type Limits struct {
	// Runs is the number of runs kept per job.
	Runs int
	// Bytes is the total size of records, LogBytes that of logs.
	Bytes, LogBytes int64
	// Before is the time before which runs are removed.
	Before time.Time
}

// Size is the size of the documents of a run.
type Size struct {
	Key
	// Address is "" if only the document contains it.
	Address         hclspec.Address
	Bytes, LogBytes int64
	// Order is larger for newer runs.
	Order int64
	// At is the time when the record was last written.
	At time.Time
}

// Excess returns the runs to remove to stay within the limits, and the runs whose
// logs to remove, both oldest first. The latest run of a job keeps its record and
// its logs.
func (l Limits) Excess(all []Size) (runs, logs []Key) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b Size) int { return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.Number, b.Number)) })
	latest, count := map[string]int{}, map[string]int{}
	var bytes, logBytes int64
	for _, s := range all {
		latest[s.Framework] = max(latest[s.Framework], s.Number)
		count[s.Framework]++
		bytes += s.Bytes
		logBytes += s.LogBytes
	}
	for _, s := range all {
		if s.Number == latest[s.Framework] {
			continue
		}
		switch {
		case s.At.Before(l.Before), l.Runs > 0 && count[s.Framework] > l.Runs, l.Bytes > 0 && bytes > l.Bytes:
			runs = append(runs, s.Key)
			count[s.Framework]--
			bytes -= s.Bytes
			logBytes -= s.LogBytes
		case l.LogBytes > 0 && logBytes > l.LogBytes && s.LogBytes > 0:
			logs = append(logs, s.Key)
			logBytes -= s.LogBytes
		}
	}
	return runs, logs
}
