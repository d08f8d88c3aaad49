// SPDX-License-Identifier: MPL-2.0

package local

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/local/process"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// TestMain lets copies of the test binary run as supervisors and tasks.
func TestMain(m *testing.M) {
	if code, handled := Entrypoint(os.Args); handled {
		os.Exit(code)
	}
	if dir := os.Getenv(envCommand); dir != "" {
		os.Exit(runCommand(dir))
	}
	os.Exit(m.Run())
}

// patience is the maximum duration of each wait in a test.
const patience = 60 * time.Second

// world is a workspace directory with its local cluster.
type world struct {
	*testing.T
	*Cluster
	ctx context.Context
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return newWorldWith(t, Options{MinRetryDelay: time.Second, MaxRetryDelay: time.Second})
}

// newWorldWith opens a cluster in a new directory. The cleanup stops and
// deletes all jobs.
func newWorldWith(t *testing.T, options Options) *world {
	t.Helper()
	c, err := Open(t.TempDir(), options)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*patience) // a test can wait several times
	w := &world{t, c, ctx}
	t.Cleanup(func() {
		defer cancel()
		all, err := c.layout.Objects()
		if err != nil {
			t.Error(err)
		}
		for _, o := range all {
			_ = c.Stop(ctx, o.Name)
			w.killTasks(o.Name)
			if err := c.Delete(ctx, o.Name); err != nil {
				t.Error(err)
			}
		}
	})
	return w
}

// killTasks waits until all task processes have ended.
func (w *world) killTasks(framework string) {
	for _, p := range w.processes(framework) {
		_ = process.Kill(p.PID)
		for deadline := time.Now().Add(patience); p.Alive() && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
	}
}

// newJob returns a job in which each role has one task that runs a script.
func newJob(name string, roles ...*resolve.TaskRole) *resolve.Job {
	return &resolve.Job{
		Address: hclspec.NewAddress("job", name), Name: name, User: "ann", Workspace: "team", Cluster: "local",
		Framework: contract.FrameworkName("ann", name), JobSettings: hclspec.JobSettings{VirtualCluster: "default", GangAllocation: true},
		TaskRoles: roles, MaxWaitSeconds: 600, StopGraceSeconds: 30, JobLifecycle: hclspec.JobLifecycle{Rerun: "never"},
	}
}

func newRole(name, script string) *resolve.TaskRole {
	return &resolve.TaskRole{
		Name: name, FrameworkName: contract.RoleName(name), Instances: 1, MinFailed: 1, MinSucceeded: -1,
		Limits: hclspec.Limits{GPU: 0, CPU: 1, MemoryMB: 64}, Commands: []string{script}, StopGraceSeconds: 30,
		Ports: []resolve.Port{{Label: "http", Count: 1}, {Label: "ssh", Count: 1}},
	}
}

func submission(job *resolve.Job, secrets map[string]string) cluster.Submission {
	return cluster.Submission{Job: job, Manifest: rendered(job), Secrets: secrets, Hash: "hash of " + job.Name, Fields: map[string]string{"name": "x"}}
}

// rendered returns the manifest of a plan on the local machine.
func rendered(job *resolve.Job) *render.Manifest {
	m, diags := render.Objects(job, render.Target{Local: true})
	if diags.HasErrors() {
		panic(diags)
	}
	return m
}

// apply submits a job.
func (w *world) apply(job *resolve.Job) {
	w.Helper()
	if err := w.Create(w.ctx, submission(job, nil)); err != nil {
		w.Fatal(err)
	}
}

func (w *world) await(job *resolve.Job, what string, condition func(*cluster.Status) bool) *cluster.Status {
	w.Helper()
	for deadline := time.Now().Add(patience); ; {
		st, err := w.Status(w.ctx, job.Framework)
		if err != nil {
			w.Fatal(err)
		}
		if condition(st) {
			return st
		}
		if time.Now().After(deadline) {
			w.Fatalf("timed out waiting for %s; last status %+v\n%s", what, st, w.supervisorLog(job))
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func (w *world) finished(job *resolve.Job) *cluster.Status {
	w.Helper()
	return w.await(job, "finished", func(s *cluster.Status) bool { return s.State.Finished() })
}

func (w *world) running(job *resolve.Job) *cluster.Status {
	w.Helper()
	return w.await(job, "running", func(s *cluster.Status) bool { return s.State == "RUNNING" })
}

func (w *world) supervisorLog(job *resolve.Job) string {
	text, _ := os.ReadFile(w.layout.Object(job.Framework).SupervisorLog())
	return string(text)
}

func (w *world) output(job *resolve.Job, role string, index int) string {
	w.Helper()
	var out bytes.Buffer
	r := cluster.LogRequest{Framework: job.Framework, Role: role, Index: index, JobAttempt: -1, Attempt: -1, Stream: cluster.StreamAll}
	if err := w.Logs(w.ctx, r, &out); err != nil {
		w.Fatal(err)
	}
	return out.String()
}

// supervisor returns the process that supervises a job.
func (w *world) supervisor(job *resolve.Job) process.ID {
	w.Helper()
	var s store.Supervisor
	if err := store.ReadJSON(w.layout.Object(job.Framework).SupervisorFile(), &s); err != nil {
		w.Fatal(err)
	}
	return s.Process
}

// processes returns the running task processes of a Framework.
func (w *world) processes(framework string) []process.ID {
	fw, _, err := w.layout.Object(framework).Load()
	if err != nil || fw.Status == nil {
		return nil
	}
	var all []process.ID
	for _, role := range fw.Status.AttemptStatus.TaskRoleStatuses {
		for _, t := range role.TaskStatuses {
			dir := w.layout.TaskAttempt(framework, fw.Status.AttemptStatus.ID, store.TaskKey{Role: role.Name, Index: t.Index}, t.AttemptStatus.ID)
			var p process.ID
			if store.ReadJSON(dir.Process(), &p) == nil && p.Alive() {
				all = append(all, p)
			}
		}
	}
	return all
}

// killSupervisor also waits until the lock is released. The system releases
// the lock when the last thread of the supervisor ends.
func (w *world) killSupervisor(job *resolve.Job) {
	w.Helper()
	if err := process.Kill(w.supervisor(job).PID); err != nil {
		w.Fatal(err)
	}
	for {
		held, err := store.IsLocked(w.layout.Object(job.Framework).SupervisorLock())
		if err != nil {
			w.Fatal(err)
		}
		if !held {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func (w *world) awaitOutput(job *resolve.Job, role string, index int, text string) {
	w.Helper()
	w.await(job, "wrote "+text, func(st *cluster.Status) bool {
		if st.State.Finished() {
			w.Fatalf("the job ended before it wrote %q: %+v", text, st)
		}
		return st.State == "RUNNING" && strings.Contains(w.output(job, role, index), text)
	})
}
