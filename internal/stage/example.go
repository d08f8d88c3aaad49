// SPDX-License-Identifier: MPL-2.0

package stage

import "cmp"

// WaitsForOther is the reason while another task downloads the file that the task
// needs.
const WaitsForOther = "waits for another task that downloads it"

// Example returns the record that best explains why tasks in one stage wait. It
// prefers a failed attempt, then the download with the least progress, then any
// other record. A task that waits for another task has the lowest priority.
// Example ignores nil records. If several records explain the wait equally well,
// it returns the first.
func Example(records []*Record) *Record {
	var best *Record
	for _, r := range records {
		if r != nil && (best == nil || r.explainsMore(best)) {
			best = r
		}
	}
	return best
}

func (r *Record) explainsMore(other *Record) bool {
	if d := cmp.Compare(r.rank(), other.rank()); d != 0 {
		return d > 0
	}
	switch {
	case r.Stage != Fetching || r.Fetch == nil || other.Fetch == nil:
		return r.Number < other.Number
	case r.Number != other.Number:
		return r.Number < other.Number
	}
	return r.Fetch.done() < other.Fetch.done()
}

func (r *Record) rank() int {
	switch {
	case r.Reason == WaitsForOther:
		return 0
	case r.Reason != "":
		return 3
	case r.Fetch != nil && r.Fetch.Bytes > 0:
		return 2
	}
	return 1
}

// done returns the completed fraction, or the number of received bytes if the
// total size is unknown.
func (p *Progress) done() float64 {
	if p.Total > 0 {
		return float64(p.Bytes) / float64(p.Total)
	}
	return float64(p.Bytes)
}
