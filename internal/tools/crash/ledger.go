// SPDX-License-Identifier: MPL-2.0

package main

import (
	"bufio"
	"fmt"
	"io"
)

// entry is a line of the ledger. Each line records an event of a task attempt.
type entry struct {
	event string // start, end, fail or overlap
	attempt
}

// attempt identifies a task attempt, which belongs to a job attempt.
type attempt struct {
	job string
	task
	jobAttempt, taskAttempt int
}

func (a attempt) String() string {
	return fmt.Sprintf("%s %s[%d] job attempt %d, task attempt %d", a.job, a.role, a.index, a.jobAttempt, a.taskAttempt)
}

func readLedger(r io.Reader) ([]entry, error) {
	var all []entry
	for lines := bufio.NewScanner(r); lines.Scan(); {
		var e entry
		if _, err := fmt.Sscan(lines.Text(), &e.event, &e.job, &e.role, &e.index, &e.jobAttempt, &e.taskAttempt); err != nil {
			return nil, fmt.Errorf("ledger: line %q: %w", lines.Text(), err)
		}
		all = append(all, e)
	}
	return all, nil
}

// anomalies returns the anomalies in the ledger of a successful job. kills is the
// number of the job's task processes that crash killed. Each kill can account for
// one additional attempt of every task, because the whole job may have been
// retried. An attempt is missing from the ledger if the supervisor was killed
// before the attempt began. An attempt that was meant to fail may be missing for
// the same reason.
func anomalies(j job, kills int, ledger []entry) []string {
	var found []string
	starts, ends := map[attempt]int{}, map[attempt]int{}
	last, runs := map[task]attempt{}, map[task]int{}
	final := 0
	for _, e := range ledger {
		switch {
		case e.job != j.name:
		case e.event == "overlap":
			found = append(found, fmt.Sprintf("%s: an earlier attempt was still running", e.attempt))
		case e.event == "end":
			ends[e.attempt]++
		case e.event == "start":
			starts[e.attempt]++
			runs[e.task]++
			last[e.task] = e.attempt
			final = max(final, e.jobAttempt)
		}
	}
	for a, n := range starts {
		if n > 1 {
			found = append(found, fmt.Sprintf("%s: ran %d times", a, n))
		}
	}
	for _, t := range j.tasks {
		a, n, most := last[t], runs[t], 1+j.failures+kills
		switch {
		case n == 0:
			found = append(found, fmt.Sprintf("%s %s[%d]: never ran", j.name, t.role, t.index))
		case a.jobAttempt != final || ends[a] != 1:
			found = append(found, fmt.Sprintf("%s: the last attempt did not end", a))
		case n > most:
			found = append(found, fmt.Sprintf("%s %s[%d]: %d attempts, want %d at most", j.name, t.role, t.index, n, most))
		}
	}
	return found
}
