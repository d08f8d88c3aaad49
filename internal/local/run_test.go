package local

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
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

func TestALogStorageIsNotForTheLocalCluster(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := newJob("here", newRole("worker", "echo hello"))
	w.apply(job)
	w.finished(job)
	var notes, out strings.Builder
	r := cluster.LogRequest{Framework: job.Framework, Role: "worker", JobAttempt: -1, Attempt: -1, Kept: t.TempDir(), Note: func(text string) { notes.WriteString(text) }}
	if err := w.Logs(w.ctx, r, &out); err != nil || !strings.Contains(out.String(), "hello") || !strings.Contains(notes.String(), "--log-storage is not used") {
		t.Errorf("%v, log %q, notes %q", err, &out, &notes)
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

func TestRolesMayHaveAnyName(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := newJob("names", newRole("job", "echo one"), newRole("Run_2", "echo two"))
	w.apply(job)
	if st := w.finished(job); st.State != planner.StateSucceeded || st.TaskRoles[1].Name != "Run_2" {
		t.Fatalf("status %+v", st)
	}
	if got := w.output(job, "job", 0) + w.output(job, "run2", 0); got != "one\ntwo\n" {
		t.Errorf("output %q", got)
	}
}

func TestTasksInheritOnlyWhatIsAllowed(t *testing.T) {
	t.Parallel()
	w := newWorldWith(t, Options{Environ: []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "AWS_SECRET_ACCESS_KEY=leaked", "HOME=/"}})
	job := newJob("inherit", newRole("worker", "env | sed 's/=.*//'"))
	w.apply(job)
	w.finished(job)
	names := strings.Fields(w.output(job, "worker", 0))
	for _, want := range []string{"PATH", "HOME", "LC_ALL", "FC_POD_UID", "FC_TASK_UID", "PAI_USER_NAME"} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is missing", want)
		}
	}
	for _, name := range names {
		if name == "AWS_SECRET_ACCESS_KEY" || name == envInternal {
			t.Errorf("%s is inherited", name)
		}
	}
}
