// SPDX-License-Identifier: MPL-2.0

package output

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
)

func TestInstancesWithEqualFactsShareALine(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)
	instances := func(state planner.JobState, keys ...string) (all []Summary) {
		for i, key := range keys {
			st := running(fmt.Sprintf("job.exp[%q]", key), nil)
			st.State, st.Created = state, now.Add(-time.Duration(i)*time.Second)
			all = append(all, Summary{Status: st, GPUs: 1})
		}
		return all
	}
	words := []string{"alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliett"}
	tests := map[string]struct {
		all  []Summary
		want string
	}{
		"instances with equal facts": {
			all: append(instances(planner.StateRunning, "0", "1", "10", "2"), Summary{Status: running("job.other", nil), GPUs: 1}),
			want: `NAME          JOBS  STATE    STAGE     TASKS  AGE    GPUS
exp[0-2, 10]  4     RUNNING  commands  0/4    0s-3s  4
other         1     RUNNING  commands  0/1    -      1
`,
		},
		"instances in two states": {
			all: append(instances(planner.StateRunning, "0", "1", "2", "4", "5"), instances(planner.StateFailed, "3")...),
			want: `NAME            JOBS  STATE    STAGE     TASKS  AGE    GPUS
exp[0-2, 4, 5]  5     RUNNING  commands  0/5    0s-4s  5
exp["3"]        1     FAILED   commands  0/1    0s     1
`,
		},
		"two instances": {
			all: instances(planner.StateRunning, "0", "1"),
			want: `NAME      STATE    STAGE     TASKS  AGE  GPUS
exp["0"]  RUNNING  commands  0/1    0s   1
exp["1"]  RUNNING  commands  0/1    1s   1
`,
		},
		"jobs that no for_each declares": {
			all: []Summary{{Status: running("job.a")}, {Status: running("job.b")}, {Status: running("job.c")}},
			want: `NAME  STATE    TASKS  AGE  GPUS
a     RUNNING  0/0    -    0
b     RUNNING  0/0    -    0
c     RUNNING  0/0    -    0
`,
		},
		"a list of keys above the length limit": {
			all: append(instances(planner.StateRunning, words...), instances(planner.StateFailed, "bravissimo")...),
			want: `NAME                        JOBS  STATE    STAGE     TASKS  AGE    GPUS
exp["alpha"]                1     RUNNING  commands  0/1    0s     1
exp["bravissimo"]           1     FAILED   commands  0/1    0s     1
exp["bravo" ... "juliett"]  9     RUNNING  commands  0/9    1s-9s  9
`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			FoldedSummaries(&out, tt.all, 0, now)
			table, _, _ := strings.Cut(out.String(), "\n\n")
			if diff := cmp.Diff(tt.want, table+"\n"); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheTableHasALineForEachJob(t *testing.T) {
	t.Parallel()
	var all []Summary
	for i := range 4 {
		all = append(all, Summary{Status: running(fmt.Sprintf(`job.exp["%d"]`, i), nil)})
	}
	for name, wide := range map[string]bool{"narrow": false, "wide": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			Summaries(&out, all, wide, 0, time.Now())
			if n := strings.Count(out.String(), "RUNNING"); n != 4 {
				t.Errorf("%d lines, want 4:\n%s", n, out.String())
			}
		})
	}
}

func TestInstancesWithoutTasksArePrintedOnce(t *testing.T) {
	t.Parallel()
	var statuses []*cluster.Status
	for i := range 3 {
		statuses = append(statuses, &cluster.Status{Address: fmt.Sprintf(`job.exp["%d"]`, i), State: planner.StateAbsent})
	}
	statuses = append(statuses, running("job.other", nil))
	var shared, each strings.Builder
	SharedStatuses(&shared, false, statuses)
	Statuses(&each, false, statuses)
	if want := "job.exp[0-2] (3 jobs)  ABSENT  declared, not applied\n\njob.other  RUNNING\n"; !strings.HasPrefix(shared.String(), want) {
		t.Errorf("printed\n%s\nwant\n%s", shared.String(), want)
	}
	if n := strings.Count(each.String(), "ABSENT"); n != 3 {
		t.Errorf("%d jobs separately, want 3:\n%s", n, each.String())
	}
}
