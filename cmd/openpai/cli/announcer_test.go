// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

// play asks the announcer for due lines every simulated second. Each returned
// line begins with its due time, measured from the start.
func play(a *announcer, length time.Duration, status func(passed time.Duration) *cluster.Status) []string {
	start := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	var all []string
	for passed := time.Duration(0); passed <= length; passed += time.Second {
		for _, line := range a.lines("", status(passed), start.Add(passed)) {
			all = append(all, fmt.Sprintf("%s %s", passed, line))
		}
	}
	return all
}

func workers(stages ...*stage.Record) *cluster.Status {
	role := cluster.TaskRole{Name: "worker"}
	for i, s := range stages {
		role.Tasks = append(role.Tasks, cluster.Task{Index: i, Attempts: []cluster.TaskAttempt{{State: "RUNNING", Stage: s}}})
	}
	return &cluster.Status{State: "RUNNING", TaskRoles: []cluster.TaskRole{role}}
}

func many(n int, s *stage.Record, others int) *cluster.Status {
	var all []*stage.Record
	for range n {
		all = append(all, s)
	}
	for range others {
		all = append(all, &stage.Record{Stage: stage.Commands})
	}
	return workers(all...)
}

func TestAWaitPrintsLastingReasonsAndProgress(t *testing.T) {
	t.Parallel()
	unschedulable := &stage.Record{Stage: stage.Scheduling, Reason: "Insufficient cpu"}
	fetching := func(bytes int64) *stage.Record {
		return &stage.Record{Stage: stage.Fetching, Count: 1, Fetch: &stage.Progress{Source: "http://x/a.zip", Bytes: bytes, Total: 1000}}
	}
	failing := func(reason string, next time.Duration) *stage.Record {
		r := fetching(0)
		r.Reason, r.Until = reason, time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC).Add(next)
		return r
	}
	always := func(s *cluster.Status) func(time.Duration) *cluster.Status {
		return func(time.Duration) *cluster.Status { return s }
	}
	for name, c := range map[string]struct {
		length time.Duration
		status func(time.Duration) *cluster.Status
		want   []string
	}{
		"a reason that does not last is not printed": {time.Hour, func(d time.Duration) *cluster.Status {
			if d < 2*time.Second {
				return workers(unschedulable)
			}
			return workers(&stage.Record{Stage: stage.Commands})
		}, nil},
		"a reason that lasts is repeated at growing intervals in a file": {2 * time.Hour, always(workers(unschedulable)), []string{
			"2s worker[0] scheduling: Insufficient cpu", "1m0s worker[0] scheduling: Insufficient cpu", "5m0s worker[0] scheduling: Insufficient cpu",
			"15m0s worker[0] scheduling: Insufficient cpu", "45m0s worker[0] scheduling: Insufficient cpu",
			"1h15m0s worker[0] scheduling: Insufficient cpu", "1h45m0s worker[0] scheduling: Insufficient cpu",
		}},
		"two reasons that alternate are each repeated at growing intervals": {time.Hour, func(d time.Duration) *cluster.Status {
			if d/(10*time.Second)%2 == 0 {
				return workers(unschedulable)
			}
			return workers(&stage.Record{Stage: stage.Preparing, Ready: 1, Tasks: 2})
		}, []string{
			"2s worker[0] scheduling: Insufficient cpu", "12s worker[0] preparing, 1 of 2 tasks ready", "1m0s worker[0] scheduling: Insufficient cpu", "1m10s worker[0] preparing, 1 of 2 tasks ready", "5m0s worker[0] scheduling: Insufficient cpu",
			"5m10s worker[0] preparing, 1 of 2 tasks ready", "15m0s worker[0] scheduling: Insufficient cpu", "15m10s worker[0] preparing, 1 of 2 tasks ready", "45m0s worker[0] scheduling: Insufficient cpu", "45m10s worker[0] preparing, 1 of 2 tasks ready",
		}},
		"many files are one download": {9 * time.Minute, func(d time.Duration) *cluster.Status {
			n := 1 + int(d/(3*time.Second)) // number of the current download; each of the 200 downloads takes 3 seconds
			return workers(&stage.Record{Stage: stage.Fetching, Number: n, Count: 200, Step: "prerequisite.data.a", Fetch: &stage.Progress{Source: fmt.Sprint("http://x/", n)}})
		}, []string{
			"2s worker[0] fetching 1 (1 of 200)", "12s worker[0] fetching 5 (5 of 200)", "22s worker[0] fetching 8 (8 of 200)", "32s worker[0] fetching 11 (11 of 200)",
			"42s worker[0] fetching 15 (15 of 200)", "52s worker[0] fetching 18 (18 of 200)", "1m0s worker[0] fetching 21 (21 of 200)", "2m0s worker[0] fetching 41 (41 of 200)",
			"3m0s worker[0] fetching 61 (61 of 200)", "4m0s worker[0] fetching 81 (81 of 200)", "5m0s worker[0] fetching 101 (101 of 200)", "6m0s worker[0] fetching 121 (121 of 200)",
			"7m0s worker[0] fetching 141 (141 of 200)", "8m0s worker[0] fetching 161 (161 of 200)", "9m0s worker[0] fetching 181 (181 of 200)",
		}},
		"a change is printed, and the stage commands does not count as waiting": {time.Minute, func(d time.Duration) *cluster.Status {
			switch {
			case d < 10*time.Second:
				return workers(unschedulable)
			case d < 20*time.Second:
				return workers(&stage.Record{Stage: stage.Preparing, Ready: 1, Tasks: 2})
			case d < 30*time.Second:
				return workers(&stage.Record{Stage: stage.Commands})
			}
			return workers(&stage.Record{Stage: stage.Preparing, Ready: 1, Tasks: 2})
		}, []string{"2s worker[0] scheduling: Insufficient cpu", "12s worker[0] preparing, 1 of 2 tasks ready", "32s worker[0] preparing, 1 of 2 tasks ready"}},
		"a download has a line every 10 s for a minute, then one at each 10 %": {500 * time.Second, func(d time.Duration) *cluster.Status {
			return workers(fetching(int64(d/time.Second) * 2))
		}, []string{
			"2s worker[0] fetching a.zip 0 % of 1000 B", "12s worker[0] fetching a.zip 2 % of 1000 B", "22s worker[0] fetching a.zip 4 % of 1000 B",
			"32s worker[0] fetching a.zip 6 % of 1000 B", "42s worker[0] fetching a.zip 8 % of 1000 B", "52s worker[0] fetching a.zip 10 % of 1000 B",
			"1m40s worker[0] fetching a.zip 20 % of 1000 B", "2m30s worker[0] fetching a.zip 30 % of 1000 B", "3m20s worker[0] fetching a.zip 40 % of 1000 B",
			"4m10s worker[0] fetching a.zip 50 % of 1000 B", "5m0s worker[0] fetching a.zip 60 % of 1000 B", "5m50s worker[0] fetching a.zip 70 % of 1000 B",
			"6m40s worker[0] fetching a.zip 80 % of 1000 B", "7m30s worker[0] fetching a.zip 90 % of 1000 B", "8m20s worker[0] fetching a.zip 100 % of 1000 B",
		}},
		"a download that fails is repeated like other reasons, and its countdown is not a reason": {6 * time.Minute, func(d time.Duration) *cluster.Status {
			return workers(failing("503 Service Unavailable", (d/(5*time.Second)+1)*5*time.Second))
		}, []string{
			"2s worker[0] fetching a.zip 0 % of 1000 B: 503 Service Unavailable, next try in 3 s",
			"1m0s worker[0] fetching a.zip 0 % of 1000 B: 503 Service Unavailable, next try in 5 s",
			"5m0s worker[0] fetching a.zip 0 % of 1000 B: 503 Service Unavailable, next try in 5 s",
		}},
		"two causes that alternate are printed once each": {4 * time.Minute, func(d time.Duration) *cluster.Status {
			if d/(10*time.Second)%2 == 0 {
				return workers(failing("503 Service Unavailable", d+time.Second))
			}
			return workers(failing(fmt.Sprintf("the connection broke after %d bytes", d/time.Second), d+time.Second))
		}, []string{
			"2s worker[0] fetching a.zip 0 % of 1000 B: 503 Service Unavailable, next try in 1 s",
			"12s worker[0] fetching a.zip 0 % of 1000 B: the connection broke after 12 bytes, next try in 1 s",
			"1m0s worker[0] fetching a.zip 0 % of 1000 B: 503 Service Unavailable, next try in 1 s",
		}},
		"a cause that appears during a download is printed unless it disappears soon": {30 * time.Second, func(d time.Duration) *cluster.Status {
			switch d {
			case 4 * time.Second, 5 * time.Second:
				return workers(failing("408 Request Timeout", d+time.Second))
			case 15 * time.Second, 16 * time.Second, 17 * time.Second, 18 * time.Second:
				return workers(failing("503 Service Unavailable", 18*time.Second))
			}
			return workers(fetching(int64(d / time.Second)))
		}, []string{
			"2s worker[0] fetching a.zip 0 % of 1000 B", "12s worker[0] fetching a.zip 1 % of 1000 B",
			"17s worker[0] fetching a.zip 0 % of 1000 B: 503 Service Unavailable, next try in 1 s", "27s worker[0] fetching a.zip 2 % of 1000 B",
		}},
		"many tasks have one line for the role": {time.Minute, always(many(37, fetching(1), 27)), []string{"2s worker: 37 of 64 fetching, for example: a.zip 0 % of 1000 B", "1m0s worker: 37 of 64 fetching, for example: a.zip 0 % of 1000 B"}},
		"a role whose counts change has one line": {time.Minute, func(d time.Duration) *cluster.Status {
			return many(40-int(d/(2*time.Second)), fetching(1), 24)
		}, []string{"2s worker: 39 of 63 fetching, for example: a.zip 0 % of 1000 B", "1m0s worker: 10 of 34 fetching, for example: a.zip 0 % of 1000 B"}},
		"held tasks among many waiting tasks have a separate line": {30 * time.Second, func(d time.Duration) *cluster.Status {
			if d < 10*time.Second {
				return many(10, fetching(1), 0)
			}
			st := many(10, fetching(1), 0)
			st.TaskRoles[0].Tasks[4].Attempts[0].Stage = &stage.Record{Stage: stage.Held}
			return st
		}, []string{
			"2s worker: 10 of 10 fetching, for example: a.zip 0 % of 1000 B",
			`12s worker: 1 of 10 held; "openpai exec lab job.train worker:4" enters the task, "openpai release lab job.train worker:4" releases it`,
		}},
		"a stage that began before it was read is printed at once, and a new reason within it is not": {10 * time.Second, func(d time.Duration) *cluster.Status {
			r := &stage.Record{Stage: stage.Prerequisite, Step: "prerequisite.script.a", Number: 1, Count: 1, Since: time.Date(2026, 11, 22, 9, 59, 0, 0, time.UTC)}
			if d >= 4*time.Second {
				r.Reason = "next try"
			}
			return workers(r)
		}, []string{"0s worker[0] prerequisite 1 of 1: prerequisite.script.a", "6s worker[0] prerequisite 1 of 1: prerequisite.script.a: next try"}},
		"a role is printed when its newest task has waited": {10 * time.Second, func(d time.Duration) *cluster.Status {
			return many(9, &stage.Record{Stage: stage.Preparing, Since: time.Date(2026, 11, 22, 9, 59, 59, 0, time.UTC)}, 0)
		}, []string{"1s worker: 9 of 9 preparing"}},
		"a large gang is sampled": {30 * time.Second, func(time.Duration) *cluster.Status {
			st := many(16, fetching(1), 984)
			st.Sample = &cluster.Sample{Sampled: 16, Running: 1000}
			return st
		}, []string{"2s worker: 16 of 1000 fetching, for example: a.zip 0 % of 1000 B (16 of 1,000 tasks checked)"}},
		"one reason is shown for many tasks that cannot be scheduled": {
			time.Minute, always(many(9, unschedulable, 0)), []string{"2s worker: 9 of 9 scheduling, for example: Insufficient cpu", "1m0s worker: 9 of 9 scheduling, for example: Insufficient cpu"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, play(&announcer{job: argumentsOf(" lab", "job.train")}, c.length, c.status)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestALineHasTheNumberOfTheAttempt(t *testing.T) {
	t.Parallel()
	fetching := &stage.Record{Stage: stage.Fetching, Count: 1, Fetch: &stage.Progress{Source: "http://x/a.zip", Bytes: 1, Total: 1000}}
	for name, c := range map[string]struct {
		attempt cluster.TaskAttempt
		want    string
	}{
		"the first attempt":              {cluster.TaskAttempt{Stage: fetching}, "worker[0] fetching a.zip 0 % of 1000 B"},
		"a retry of the task":            {cluster.TaskAttempt{Attempt: 1, Stage: fetching}, "worker[0] attempt 2 fetching a.zip 0 % of 1000 B"},
		"a retry of the job":             {cluster.TaskAttempt{JobAttempt: 2, Stage: fetching}, "worker[0] job attempt 3 fetching a.zip 0 % of 1000 B"},
		"a retry that runs its commands": {cluster.TaskAttempt{Attempt: 1, State: "RUNNING", Stage: &stage.Record{Stage: stage.Commands}}, "worker[0] attempt 2 commands"},
		"the previous attempt has ended": {cluster.TaskAttempt{Attempt: 1, Exit: &exitspec.Record{}, Stage: &stage.Record{Stage: stage.Scheduling, Reason: "waits 30s before attempt 3"}}, "worker[0] scheduling: waits 30s before attempt 3"},
	} {
		st := &cluster.Status{State: "RUNNING", TaskRoles: []cluster.TaskRole{{Name: "worker", Tasks: []cluster.Task{{State: "RUNNING", Attempts: []cluster.TaskAttempt{c.attempt}}}}}}
		lines := play(&announcer{commands: true}, 3*time.Second, func(time.Duration) *cluster.Status { return st })
		if diff := cmp.Diff([]string{"2s " + c.want}, lines); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
		if row := taskRow("", "worker", &st.TaskRoles[0].Tasks[0], time.Now()); !strings.HasPrefix(c.want, row.name+" ") {
			t.Errorf("%s: the live view has the name %q", name, row.name)
		}
	}
}

// TestCommandsAreAnnounced checks that the announcer reports running commands to
// callers that do not print the output of tasks.
func TestCommandsAreAnnounced(t *testing.T) {
	t.Parallel()
	commands := &stage.Record{Stage: stage.Commands}
	for name, c := range map[string]struct {
		status func(time.Duration) *cluster.Status
		want   []string
	}{
		"a task that runs its commands has a line": {func(d time.Duration) *cluster.Status {
			if d < 10*time.Second {
				return workers(&stage.Record{Stage: stage.Scheduling, Reason: "Insufficient cpu"})
			}
			return workers(commands)
		}, []string{"2s worker[0] scheduling: Insufficient cpu", "12s worker[0] commands", "1m10s worker[0] commands"}},
		"a role has a line once no task waits": {func(d time.Duration) *cluster.Status {
			if d < 10*time.Second {
				return many(3, &stage.Record{Stage: stage.Preparing}, 6)
			}
			return many(9, commands, 0)
		}, []string{"2s worker: 3 of 9 preparing", "12s worker: 9 of 9 commands", "1m10s worker: 9 of 9 commands"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, play(&announcer{commands: true}, 90*time.Second, c.status)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestAJobOfTenHoursPrintsFewLines checks how many lines the announcer prints for a job
// that waits or downloads for ten hours. The announcer prints a reason at 2 s, at 1, 5
// and 15 minutes, and then every 30 minutes. A download produces at most 6 lines in the
// first minute and at most 10 lines afterwards.
func TestAJobOfTenHoursPrintsFewLines(t *testing.T) {
	t.Parallel()
	const day = 10 * time.Hour
	for name, c := range map[string]struct {
		status func(time.Duration) *cluster.Status
		want   int
	}{
		"it waits for a node": {func(time.Duration) *cluster.Status {
			return workers(&stage.Record{Stage: stage.Scheduling, Reason: "Insufficient cpu"})
		}, 4 + 19},
		"it fetches a file": {func(d time.Duration) *cluster.Status {
			return workers(&stage.Record{Stage: stage.Fetching, Fetch: &stage.Progress{Bytes: int64(d), Total: int64(day)}})
		}, 6 + 10},
		"it fetches a file of unknown size": {func(d time.Duration) *cluster.Status {
			return workers(&stage.Record{Stage: stage.Fetching, Fetch: &stage.Progress{Bytes: int64(d)}})
		}, 6 + 3 + 19},
		"a download hangs": {func(time.Duration) *cluster.Status {
			return workers(&stage.Record{Stage: stage.Fetching, Fetch: &stage.Progress{Bytes: 34, Total: 100}})
		}, 6},
		"a download fails": {func(d time.Duration) *cluster.Status {
			return workers(&stage.Record{Stage: stage.Fetching, Count: 2, Number: 1, Reason: "503 Service Unavailable", Fetch: &stage.Progress{}})
		}, 4 + 19},
		"a download fails alternately for two causes": {func(d time.Duration) *cluster.Status {
			reason := "503 Service Unavailable"
			if d/(20*time.Second)%2 == 1 {
				reason = fmt.Sprintf("429 Too Many Requests, try %d", d/(20*time.Second))
			}
			return workers(&stage.Record{Stage: stage.Fetching, Reason: reason, Fetch: &stage.Progress{}})
		}, 4 + 1 + 19},
		"a download breaks again and again": {func(d time.Duration) *cluster.Status {
			r := &stage.Record{Stage: stage.Fetching, Fetch: &stage.Progress{Bytes: int64(d)}}
			if d/(5*time.Second)%2 == 1 {
				r.Reason = fmt.Sprintf("the connection broke after %d bytes", d)
			}
			return workers(r)
		}, 7 + 2 + 19},
		"the server reports a different cause for each try": {func(d time.Duration) *cluster.Status {
			r := &stage.Record{Stage: stage.Fetching, Reason: "503 " + strings.Repeat("x", int(d/(5*time.Second))%1000), Fetch: &stage.Progress{}}
			return workers(r)
		}, maxFailures + 3 + 19},
		"64 tasks fetch": {func(d time.Duration) *cluster.Status {
			return many(64, &stage.Record{Stage: stage.Fetching, Fetch: &stage.Progress{Bytes: int64(d), Total: int64(day)}}, 0)
		}, 4 + 19},
		"its commands run": {func(time.Duration) *cluster.Status { return workers(&stage.Record{Stage: stage.Commands}) }, 0},
		"one stage an hour": {func(d time.Duration) *cluster.Status {
			return workers(&stage.Record{Stage: stage.Prerequisite, Number: int(d/time.Hour) + 1, Count: 11})
		}, 10 * 5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := play(&announcer{}, day, c.status); len(got) != c.want {
				t.Errorf("%d lines, want %d:\n%s", len(got), c.want, strings.Join(got, "\n"))
			}
		})
	}
}
