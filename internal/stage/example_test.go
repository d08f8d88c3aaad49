// SPDX-License-Identifier: MPL-2.0

package stage

import "testing"

func TestTheExampleExplainsMost(t *testing.T) {
	t.Parallel()
	waiting := &Record{Stage: Fetching, Number: 1, Reason: WaitsForOther, Fetch: &Progress{Source: "http://x/a.zip"}}
	slow := &Record{Stage: Fetching, Number: 1, Fetch: &Progress{Bytes: 10, Total: 100}}
	fast := &Record{Stage: Fetching, Number: 1, Fetch: &Progress{Bytes: 90, Total: 100}}
	next := &Record{Stage: Fetching, Number: 2, Fetch: &Progress{Bytes: 1, Total: 100}}
	failed := &Record{Stage: Fetching, Number: 1, Reason: "503 Service Unavailable", Fetch: &Progress{Bytes: 50, Total: 100}}
	begun := &Record{Stage: Fetching, Number: 1, Fetch: &Progress{}}
	first, second := &Record{Stage: Prerequisite, Number: 1, Count: 2}, &Record{Stage: Prerequisite, Number: 2, Count: 2}
	plain, reason := &Record{Stage: Scheduling}, &Record{Stage: Scheduling, Reason: "Insufficient cpu"}
	for name, c := range map[string]struct {
		records []*Record
		want    *Record
	}{
		"none":                               {[]*Record{nil}, nil},
		"the task that downloads":            {[]*Record{waiting, waiting, fast, waiting}, fast},
		"the slowest task":                   {[]*Record{fast, slow, fast}, slow},
		"the first of several files":         {[]*Record{next, fast}, fast},
		"a failure":                          {[]*Record{waiting, slow, failed}, failed},
		"a download that has not begun":      {[]*Record{waiting, begun}, begun},
		"only tasks that wait":               {[]*Record{nil, waiting}, waiting},
		"the slowest of the prerequisites":   {[]*Record{second, first}, first},
		"a reason":                           {[]*Record{plain, reason, plain}, reason},
		"the first of equal records is kept": {[]*Record{reason, {Stage: Scheduling, Reason: "other"}}, reason},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := Example(c.records); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}
