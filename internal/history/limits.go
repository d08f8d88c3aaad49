// SPDX-License-Identifier: MPL-2.0

package history

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Limits contains the limits for the history of a workspace. 0 means no limit.
type Limits struct {
	// Runs is the maximum number of runs kept per job.
	Runs int
	// Bytes and LogBytes are the maximum total sizes of the records and of the
	// logs.
	Bytes, LogBytes int64
	// Before is the cutoff time. [Limits.Excess] selects the runs whose
	// records have not been written since the cutoff time.
	Before time.Time
}

// Size contains the age of a run and the sizes of its stored documents.
type Size struct {
	Key
	// Address is "" if only the run's document contains the address.
	Address         hclspec.Address
	Bytes, LogBytes int64
	// Order is greater for newer runs.
	Order int64
	// At is the time of the last write of the record.
	At time.Time
}

// job returns a key for the job: the address if known, otherwise the
// Framework. A job that was moved has runs of several Frameworks.
func (s Size) job() string { return cmp.Or(string(s.Address), s.Framework) }

// mostFrameworks is the maximum number of Frameworks that [Limits.MayExceed]
// attributes to one job. Four Frameworks are enough for a job that was moved three
// times.
const mostFrameworks = 4

// MayExceed reports whether the runs could exceed the limits. Unlike [Limits.Excess],
// it does not need the addresses of all runs.
func (l Limits) MayExceed(all []Size) bool {
	count := map[string]int{}
	var bytes, logBytes int64
	for _, s := range all {
		if s.At.Before(l.Before) {
			return true
		}
		count[s.job()]++
		bytes += s.Bytes
		logBytes += s.LogBytes
	}
	if l.Bytes > 0 && bytes > l.Bytes || l.LogBytes > 0 && logBytes > l.LogBytes {
		return true
	}
	largest := slices.Sorted(maps.Values(count))
	runs := 0
	for _, n := range largest[max(len(largest)-mostFrameworks, 0):] {
		runs += n
	}
	return l.Runs > 0 && runs > l.Runs
}

// Excess returns the runs and the logs that must be removed to stay within the
// limits. Both lists are sorted, oldest run first. Neither list contains the
// latest run of a job.
func (l Limits) Excess(all []Size) (runs, logs []Key) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b Size) int { return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.Number, b.Number)) })
	latest, count := map[string]int{}, map[string]int{}
	var bytes, logBytes int64
	for _, s := range all {
		latest[s.job()] = max(latest[s.job()], s.Number)
		count[s.job()]++
		bytes += s.Bytes
		logBytes += s.LogBytes
	}
	for _, s := range all {
		if s.Number == latest[s.job()] {
			continue
		}
		switch {
		case s.At.Before(l.Before), l.Runs > 0 && count[s.job()] > l.Runs, l.Bytes > 0 && bytes > l.Bytes:
			runs = append(runs, s.Key)
			count[s.job()]--
			bytes -= s.Bytes
			logBytes -= s.LogBytes
		case l.LogBytes > 0 && logBytes > l.LogBytes && s.LogBytes > 0:
			logs = append(logs, s.Key)
			logBytes -= s.LogBytes
		}
	}
	return runs, logs
}
