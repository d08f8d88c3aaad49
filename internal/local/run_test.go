package local

import (
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/planner"
)

func TestJobSucceeds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := newJob("hello", newRole("worker", "echo hello from $FC_TASK_INDEX"))
	w.apply(job)
	st := w.finished(job)
	if st.State != planner.StateSucceeded || *st.UserCode != 0 {
		t.Fatalf("status %+v\n%s", st, w.supervisorLog(job))
	}
	if got := w.output(job, "worker", 0); got != "hello from 0\n" {
		t.Errorf("output %q", got)
	}
}

func TestFailureShowsTheUsersCode(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := newJob("seven", newRole("worker", "echo about to fail >&2; exit 7"))
	w.apply(job)
	st := w.finished(job)
	if st.State != planner.StateFailed || st.UserCode == nil || *st.UserCode != 7 {
		t.Fatalf("status %+v", st)
	}
	if !strings.Contains(st.Reason, "worker[0]") || !strings.Contains(st.Reason, "7") {
		t.Errorf("reason %q names neither task nor code", st.Reason)
	}
	exit := st.TaskRoles[0].Tasks[0].Attempts[0].Exit
	if exit == nil || exit.UserCode != 7 || strings.Join(exit.LastLines, "\n") != "about to fail" {
		t.Errorf("exit record %+v", exit)
	}
}
