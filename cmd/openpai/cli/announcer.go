// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// announcer decides when a command that waits for a job prints the reason for the wait.
// It prints a reason after a short delay and again at growing intervals. If a reason
// recurs after a different reason, the intervals do not start again. Alternating
// reasons therefore produce few lines.
type announcer struct {
	job jobArguments
	// commands enables reports about tasks that are running their commands. Callers
	// enable these reports unless they print the output of running tasks.
	commands bool
	known    map[string]*waiting // by subject
}

// waiting records why a task or role currently waits.
type waiting struct {
	reason  string // the current reason
	reasons map[string]*announced
}

// announced tracks the lines that the announcer printed for one reason.
type announced struct {
	since   time.Time // when the reason was first seen
	lines   int
	last    time.Time // of the last line
	percent int       // last printed percentage of all downloads
	// failure is the reason why a download currently makes no progress. failedSince is
	// the time at which this failure was first seen. failures is the set of printed
	// failures.
	failure     string
	failedSince time.Time
	failures    map[string]bool
}

const (
	// minReasonAge is the minimum age of a reason before it is printed.
	minReasonAge = 2 * time.Second
	// manyTasks is the smallest number of tasks for which the announcer prints one line
	// per role.
	manyTasks = 9
	// The announcer prints the progress of a download at intervals of fetchInterval.
	// When a download has lasted longer than fetchTime, it prints the progress in
	// steps of fetchStep percent instead.
	fetchInterval = 10 * time.Second
	fetchTime     = time.Minute
	fetchStep     = 10
	// maxFailures is the maximum number of different failures per download that the
	// announcer prints as soon as they occur. The server chooses the wording of a
	// failure. Without this limit, the announcer could print an unbounded number of
	// different failures.
	maxFailures = 8
	// maxReasons is the maximum number of reasons that the announcer remembers per
	// subject.
	maxReasons = 32
)

// repetitions are the ages of a lasting reason at which the announcer prints the
// reason again. After the last age, the announcer prints the reason at intervals of
// lastRepetition.
var repetitions = []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute}

const lastRepetition = 30 * time.Minute

// subject is a task or a role that waits.
type subject struct {
	name   string
	key    string // unique key of the subject; defaults to name
	reason string // identifies the reason
	text   string
	// fetching is true in stage "fetching". percent is the completed percentage of
	// all downloads, or -1 if unknown.
	fetching bool
	percent  int
	// failure is the reason why a download makes no progress, or "".
	failure string
	// since is the start time of the stage, as recorded by the task, or zero if unknown.
	since time.Time
}

// lines returns the lines that are due for a job. prefix precedes each task name.
func (a *announcer) lines(prefix string, st *cluster.Status, now time.Time) []string {
	if a.known == nil {
		a.known = map[string]*waiting{}
	}
	var due []string
	waits := map[string]bool{}
	for _, s := range a.subjects(prefix, st, now) {
		s.key = cmp.Or(s.key, s.name)
		waits[s.key] = true
		if a.due(s, now) {
			due = append(due, s.name+" "+s.text)
		}
	}
	for name := range a.known {
		if !waits[name] {
			delete(a.known, name)
		}
	}
	return due
}

func (a *announcer) due(s subject, now time.Time) bool {
	w := a.known[s.key]
	if w == nil {
		w = &waiting{reasons: map[string]*announced{}}
		a.known[s.key] = w
	}
	k := w.enter(s.reason, now)
	if k.failure != s.failure {
		k.failure, k.failedSince = s.failure, now
	}
	if !k.isDue(s, now) {
		return false
	}
	k.lines++
	k.last = now
	k.percent = s.percent
	if s.failure != "" {
		k.failures[s.failure] = true
	}
	return true
}

// enter sets the current reason and returns the record of the lines printed
// for this reason.
func (w *waiting) enter(reason string, now time.Time) *announced {
	k := w.reasons[reason]
	if k == nil || k.lines == 0 && w.reason != reason { // measure the age of the reason from now
		if len(w.reasons) >= maxReasons {
			clear(w.reasons)
		}
		k = &announced{since: now, failures: map[string]bool{}}
		w.reasons[reason] = k
	}
	w.reason = reason
	return k
}

func (k *announced) isDue(s subject, now time.Time) bool {
	lasted := now.Sub(k.since)
	if k.lines == 0 {
		return lasted >= minReasonAge || !s.since.IsZero() && now.Sub(s.since) >= minReasonAge
	}
	switch {
	case s.failure != "" && !k.failures[s.failure] && len(k.failures) < maxFailures:
		return now.Sub(k.failedSince) >= minReasonAge
	case s.failure != "":
	case s.fetching && lasted < fetchTime:
		return now.Sub(k.last) >= fetchInterval
	case s.fetching && s.percent >= k.percent && s.percent >= 0:
		return s.percent/fetchStep > k.percent/fetchStep
	}
	return lasted >= nextRepetition(k.last.Sub(k.since))
}

// nextRepetition returns the age at which a reason is printed again. printed
// is the age of the reason when it was last printed.
func nextRepetition(printed time.Duration) time.Duration {
	for _, d := range repetitions {
		if printed < d {
			return d
		}
	}
	last := repetitions[len(repetitions)-1]
	return last + ((printed-last)/lastRepetition+1)*lastRepetition
}

// subjects lists the tasks that wait or are held. If a.commands is set, it also lists
// the tasks that run their commands. For a job with many tasks, subjects lists roles
// instead. If tasks of a role wait or are held, subjects does not list the role as
// running commands.
func (a *announcer) subjects(prefix string, st *cluster.Status, now time.Time) []subject {
	tasks := 0
	for _, role := range st.TaskRoles {
		tasks += len(role.Tasks)
	}
	var all []subject
	if st.Stage != nil {
		all = append(all, subject{name: cmp.Or(strings.TrimSuffix(prefix, "/"), "job"), reason: st.Stage.Reason, text: view.StageReason(st.Stage, now)})
	}
	for _, role := range st.TaskRoles {
		if tasks >= manyTasks {
			of := append(roleSubject(prefix, role), a.heldSubject(prefix, role)...)
			if len(of) == 0 {
				of = a.runningRole(prefix, role)
			}
			for i := range of {
				if remark := output.SampleRemark(st); remark != "" {
					of[i].text += " (" + remark + ")"
				}
			}
			all = append(all, of...)
			continue
		}
		for i := range role.Tasks {
			r := role.Tasks[i].WaitingStage()
			if r == nil {
				all = append(all, a.runningTask(prefix, role.Name, &role.Tasks[i])...)
				continue
			}
			text := view.StageReason(r, now)
			if r.Stage == stage.Held {
				text += a.job.heldHint(role.Name, role.Tasks[i].Index)
			}
			s := taskSubject(prefix, role.Name, &role.Tasks[i], text)
			if r.Reason == "" { // a reason can be newer than its stage
				s.since = r.Since
			}
			if s.fetching = r.Stage == stage.Fetching; s.fetching {
				s.reason, s.percent, s.failure = string(r.Stage), percentOfAll(r), r.Cause()
			} else {
				s.reason = fmt.Sprintf("%s %s %d %s %s", r.Stage, r.Step, r.Number, r.Event, r.Cause())
			}
			all = append(all, s)
		}
	}
	return all
}

// runningTask returns nil if the task does not run its commands.
func (a *announcer) runningTask(prefix, role string, t *cluster.Task) []subject {
	if !a.commands || !runs(t.Latest()) {
		return nil
	}
	does, _, _ := taskDoes(t)
	s := taskSubject(prefix, role, t, does)
	s.reason = does
	return []subject{s}
}

// taskSubject returns a subject without a reason; the caller sets the reason.
func taskSubject(prefix, role string, t *cluster.Task, text string) subject {
	return subject{name: prefix + taskLabel(role, t), key: fmt.Sprintf("%s%s[%d]", prefix, role, t.Index), text: text}
}

// runningRole returns nil if a.commands is false or no task runs its commands.
func (a *announcer) runningRole(prefix string, role cluster.TaskRole) []subject {
	count := 0
	var does string
	for i := range role.Tasks {
		if t := &role.Tasks[i]; runs(t.Latest()) {
			count++
			does, _, _ = taskDoes(t)
		}
	}
	if !a.commands || count == 0 {
		return nil
	}
	return []subject{{name: prefix + role.Name + ":", reason: does, text: fmt.Sprintf("%d of %d %s", count, len(role.Tasks), does)}}
}

// percentOfAll returns the percentage of all downloads, or -1 if unknown. All downloads
// have the same weight: the sizes of later downloads are unknown.
func percentOfAll(r *stage.Record) int {
	percent, known := 0, false
	if r.Fetch != nil {
		percent, known = r.Fetch.Percent()
	}
	if !known && r.Count <= 1 {
		return -1
	}
	return ((max(r.Number, 1)-1)*100 + percent) / max(r.Count, 1)
}

// heldSubject returns a subject for the held tasks of a role, because other
// tasks may be waiting for them. The text contains the commands that enter and
// release the first held task.
func (a *announcer) heldSubject(prefix string, role cluster.TaskRole) []subject {
	count, first, since := heldTasks(role)
	if count == 0 {
		return nil
	}
	name := prefix + role.Name + ":"
	return []subject{{
		name: name, key: name + string(stage.Held), reason: string(stage.Held),
		text:  fmt.Sprintf("%d of %d %s", count, len(role.Tasks), stage.Held) + a.job.heldHint(role.Name, first),
		since: since,
	}}
}

// roleSubject returns a subject with the most common stage of the role's
// waiting tasks. It ignores held tasks, and returns nil if no other task
// waits.
func roleSubject(prefix string, role cluster.TaskRole) []subject {
	most := role.CommonStage(stage.Held)
	if len(most) == 0 {
		return nil
	}
	example := stage.Example(most)
	return []subject{{
		name: prefix + role.Name + ":", reason: string(example.Stage), text: view.RoleStage(example, len(most), len(role.Tasks)),
		since: newestStart(most),
	}}
}

// newestStart returns the latest start time of the stages. If all stages
// started at least minReasonAge ago, the announcer prints the role's reason
// immediately.
func newestStart(all []*stage.Record) (newest time.Time) {
	for _, r := range all {
		if r.Since.After(newest) {
			newest = r.Since
		}
	}
	return newest
}
