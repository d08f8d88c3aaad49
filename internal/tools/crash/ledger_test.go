// SPDX-License-Identifier: MPL-2.0

package main

import (
	"strings"
	"testing"
)

// These cases define which ledgers contain an anomaly.
func TestEachAnomalyOfALedgerIsFound(t *testing.T) {
	t.Parallel()
	one := job{name: "a", tasks: []task{{"w", 0}}}
	stubborn := job{name: "a", tasks: []task{{"w", 0}}, failures: 1}
	pair := job{name: "a", tasks: []task{{"w", 0}, {"w", 1}}}
	for name, test := range map[string]struct {
		job    job
		kills  int
		ledger string
		want   string // substring of the only anomaly; "" if there is no anomaly
	}{
		"a task that ran":                         {one, 0, "start a w 0 0 0\nend a w 0 0 0", ""},
		"lines of another job":                    {one, 0, "start a w 0 0 0\nend a w 0 0 0\nstart b w 0 0 0\noverlap b w 0 0 0", ""},
		"a task that never ran":                   {one, 0, "", "never ran"},
		"one of two tasks never ran":              {pair, 0, "start a w 0 0 0\nend a w 0 0 0", "w[1]: never ran"},
		"a task that did not end":                 {one, 0, "start a w 0 0 0", "did not end"},
		"an attempt that ran twice":               {one, 1, "start a w 0 0 0\nstart a w 0 0 0\nend a w 0 0 0", "ran 2 times"},
		"a second attempt after a kill":           {one, 1, "start a w 0 0 0\nstart a w 0 1 0\nend a w 0 1 0", ""},
		"a second attempt without a kill":         {one, 0, "start a w 0 0 0\nstart a w 0 1 0\nend a w 0 1 0", "2 attempts, want 1 at most"},
		"a third attempt after one kill":          {one, 1, "start a w 0 0 0\nstart a w 0 0 1\nstart a w 0 0 2\nend a w 0 0 2", "3 attempts, want 2 at most"},
		"a kill after the end":                    {one, 1, "start a w 0 0 0\nend a w 0 0 0", ""},
		"two attempts at the same time":           {one, 1, "start a w 0 0 0\noverlap a w 0 0 1\nstart a w 0 0 1\nend a w 0 0 1", "still running"},
		"its own failure":                         {stubborn, 0, "start a w 0 0 0\nfail a w 0 0 0\nstart a w 0 1 0\nend a w 0 1 0", ""},
		"a failure that was lost before it began": {stubborn, 0, "start a w 0 1 0\nend a w 0 1 0", ""},
		"a failure that was not retried":          {stubborn, 0, "start a w 0 0 0\nfail a w 0 0 0", "did not end"},
		"a kill instead of the failure":           {stubborn, 1, "start a w 0 0 0\nstart a w 0 1 0\nend a w 0 1 0", ""},
		"a task that is not in the last attempt":  {pair, 1, "start a w 0 0 0\nend a w 0 0 0\nstart a w 1 0 0\nstart a w 1 1 0\nend a w 1 1 0", "w[0] job attempt 0, task attempt 0: the last attempt did not end"},
		"only another attempt of the task ended":  {one, 1, "start a w 0 0 0\nend a w 0 0 0\nstart a w 0 0 1", "did not end"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ledger, err := readLedger(strings.NewReader(test.ledger))
			if err != nil {
				t.Fatal(err)
			}
			got := anomalies(test.job, test.kills, ledger)
			if test.want == "" && len(got) > 0 || test.want != "" && (len(got) != 1 || !strings.Contains(got[0], test.want)) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestALineThatIsCutIsAnError(t *testing.T) {
	t.Parallel()
	if _, err := readLedger(strings.NewReader("start a w 0 0 0\nstart a w")); err == nil {
		t.Error("no error")
	}
}
