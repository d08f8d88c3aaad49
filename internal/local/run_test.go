// SPDX-License-Identifier: MPL-2.0

package local

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local/reexec"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/message"
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

func TestOnlyTheOwnerReadsWhatTasksWrite(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := newJob("private", newRole("worker", "echo hello"))
	w.apply(job)
	w.finished(job)
	dir := w.layout.TaskAttempt(job.Framework, 0, store.TaskKey{Role: "worker", Index: 0}, 0)
	logs := 0
	err := filepath.WalkDir(dir.Logs(), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		logs++
		if info, err := d.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v, error %v", name, info.Mode(), err)
		}
		return nil
	})
	if err != nil || logs == 0 {
		t.Errorf("%d logs, error %v", logs, err)
	}
	if info, err := os.Stat(string(w.layout)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the directory has mode %v, error %v", info.Mode(), err)
	}
}

func TestALogStorageIsNotForTheLocalCluster(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := newJob("here", newRole("worker", "echo hello"))
	w.apply(job)
	w.finished(job)
	var notes, out strings.Builder
	r := cluster.LogRequest{Framework: job.Framework, Role: "worker", JobAttempt: -1, Attempt: -1, Kept: t.TempDir(), Note: func(text message.Text) { notes.WriteString(text.Phrase(phrase.Of)) }}
	if err := w.Logs(w.ctx, r, &out); err != nil || !strings.Contains(out.String(), "hello") || !strings.Contains(notes.String(), "--log-storage is ignored") {
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
		t.Errorf("reason %q contains neither the task nor the exit code", st.Reason)
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
		if name == "AWS_SECRET_ACCESS_KEY" || name == reexec.Variable {
			t.Errorf("%s is inherited", name)
		}
	}
}
