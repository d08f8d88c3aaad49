// SPDX-License-Identifier: MPL-2.0

package local

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// applyRun submits a job as run 1.
func (w *world) applyRun(job *resolve.Job) *history.Run {
	w.Helper()
	var r *history.Run
	s := submission(job, nil)
	s.Begin = func(ctx context.Context, uid string) (int, error) {
		r = history.New(job, s.Hash, history.Origin{}, w.options.Now())
		r.Number, r.UID = 1, uid
		return 1, w.SaveRun(ctx, r)
	}
	if err := w.Create(w.ctx, s); err != nil {
		w.Fatal(err)
	}
	return r
}

func TestTheLogsOfARunOutliveItsJob(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := newJob("kept", newRole("worker", "echo trained"))
	r := w.applyRun(job)
	w.finished(job)
	if live, err := w.Find(w.ctx, job.Framework); err != nil || live.Run != 1 || live.UID != r.UID {
		t.Fatalf("the job is %+v, error %v", live, err)
	}
	if err := w.Delete(w.ctx, job.Framework); err != nil {
		t.Fatal(err)
	}
	kept, err := w.Cluster.Run(w.ctx, job.Workspace, r.Key())
	if err != nil || len(kept.Logs) != 1 {
		t.Fatalf("the run is %+v, error %v", kept, err)
	}
	if strings.Contains(kept.Logs[0].Directory, w.dir) {
		t.Errorf("the directory of the logs is absolute: %s", kept.Logs[0].Directory)
	}
	var log bytes.Buffer
	if err := w.RunLog(w.ctx, kept, kept.Logs[0], &log); err != nil || log.String() != "trained\n" {
		t.Errorf("log %q, error %v", log.String(), err)
	}
	if err := w.CleanUp(w.ctx, planner.DeclaredByCommandLine); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Cluster.Run(w.ctx, job.Workspace, r.Key()); err != nil {
		t.Errorf("the history was deleted with the last job: %v", err)
	}
	if err := cluster.ForgetRuns(w.ctx, w.Cluster, job.Workspace, nil); err != nil {
		t.Fatal(err)
	}
	if err := w.CleanUp(w.ctx, planner.DeclaredByCommandLine); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(w.layout.Join()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is left: %v", w.layout.Join(), err)
	}
}

// TestAForgottenRunLosesItsLogs deletes a job whose run Terraform has already
// removed from the history.
func TestAForgottenRunLosesItsLogs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := newJob("forgotten", newRole("worker", "echo trained"))
	w.applyRun(job)
	w.finished(job)
	if err := cluster.ForgetRuns(w.ctx, w.Cluster, job.Workspace, nil); err != nil {
		t.Fatal(err)
	}
	if err := w.Delete(w.ctx, job.Framework); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(w.layout.Join("history", "*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestAnInterruptedSubmissionKeepsItsRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := newJob("interrupted", newRole("worker", "true"))
	var uids []string
	s := submission(job, nil)
	s.Begin = func(_ context.Context, uid string) (int, error) {
		if uids = append(uids, uid); len(uids) == 1 {
			panic("killed")
		}
		return 4, nil
	}
	func() {
		defer func() { _ = recover() }()
		_ = w.Create(w.ctx, s)
	}()
	if err := w.Create(w.ctx, s); err != nil {
		t.Fatal(err)
	}
	if len(uids) != 2 || uids[0] != uids[1] {
		t.Errorf("the second submission has a different UID: %v", uids)
	}
	if live, err := w.Find(w.ctx, job.Framework); err != nil || live.Run != 4 {
		t.Errorf("the job is %+v, error %v", live, err)
	}
}

func TestALinkInTheHistoryLeadsNowhere(t *testing.T) {
	t.Parallel()
	for name, link := range map[string]func(w *world) string{
		"history":             func(w *world) string { return w.layout.Join("history") },
		"of the workspace":    func(w *world) string { return w.layout.History("ws") },
		"the logs of one run": func(w *world) string { return w.layout.RunLogs("ws", history.Key{Framework: "f", Number: 1}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			dir := victim(t)
			at := link(w)
			if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(dir, at); err != nil {
				t.Fatal(err)
			}
			before := snapshot(t, dir)
			err := w.SaveRun(w.ctx, &history.Run{Number: 1, Workspace: "ws", Framework: "f", Address: "job.a"})
			if err == nil || !strings.Contains(err.Error(), "symbolic link") {
				t.Errorf("error %v", err)
			}
			if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
