package history

import (
	"cmp"
	"slices"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Limits bound what is kept of a workspace. 0 is no limit.
type Limits struct {
	// Runs is the number of runs that are kept of a job.
	Runs int
	// Bytes is the size of all records, LogBytes that of all logs.
	Bytes, LogBytes int64
	// Before is the time before which nothing is kept.
	Before time.Time
}

// Size is what the documents of a run take.
type Size struct {
	Key
	// Address is "" where only the document has it.
	Address         hclspec.Address
	Bytes, LogBytes int64
	// Order is larger for younger runs.
	Order int64
	// At is when the record was written last.
	At time.Time
}

// Excess returns the runs that are removed to keep the limits, and of the
// others those that lose their logs, the oldest first. The latest run of a job
// keeps its record, and its logs.
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
