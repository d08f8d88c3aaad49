// SPDX-License-Identifier: MPL-2.0

package cluster_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// newJob returns a job whose Framework has the same name as the job.
func newJob(label, command string) *resolve.Job {
	return named(label, label, command)
}

func named(label, name, command string) *resolve.Job {
	return &resolve.Job{
		Address: hclspec.NewAddress("job", label), Name: name, Framework: name, User: "alice", Workspace: "ws", Cluster: "local",
		TaskRoles: []*resolve.TaskRole{{Name: "worker", Instances: 1, Commands: []string{command}}},
	}
}

func withSecret(job *resolve.Job, name string) *resolve.Job {
	job.Secrets = append(job.Secrets, &resolve.Secret{Name: name})
	return job
}

func plan(t *testing.T, m *memory, jobs ...*resolve.Job) *planner.Plan {
	t.Helper()
	snapshot, err := m.Read(t.Context(), "ws", nil)
	if err != nil {
		t.Fatal(err)
	}
	p := planner.New(planner.Options{
		Workspace: "ws", Jobs: jobs, Live: map[string]*planner.Snapshot{"local": snapshot},
		SecretValue: func(_ string, s *resolve.Secret) (string, bool) { return "value of " + s.Name, true },
	})
	if p.Diagnostics.HasErrors() {
		t.Fatal(p.Diagnostics)
	}
	return p
}

func options(progress cluster.Progress) cluster.ApplyOptions {
	return cluster.ApplyOptions{
		Secret:   func(_ context.Context, s *resolve.Secret) (string, error) { return "value of " + s.Name, nil },
		Progress: progress, Parallel: 3,
	}
}

func apply(t *testing.T, m *memory, jobs ...*resolve.Job) error {
	t.Helper()
	return cluster.Apply(t.Context(), plan(t, m, jobs...), map[string]cluster.Cluster{"local": m}, options(nil))
}

func after(t *testing.T, jobs ...*resolve.Job) *memory {
	t.Helper()
	m := newMemory()
	if err := apply(t, m, jobs...); err != nil {
		t.Fatal(err)
	}
	m.calls = nil
	return m
}

func TestApplyMakesTheClusterMatchThePlan(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		first, then []*resolve.Job
		calls       []string // sorted; a replacement causes two calls
	}{
		"jobs are created":            {nil, []*resolve.Job{newJob("a", "date"), newJob("b", "date")}, []string{"create a", "create b"}},
		"an applied job is unchanged": {[]*resolve.Job{newJob("a", "date")}, []*resolve.Job{newJob("a", "date")}, nil},
		"a changed job is deleted and created again": {
			[]*resolve.Job{newJob("a", "date")}, []*resolve.Job{newJob("a", "ls")}, []string{"create a", "delete a"},
		},
		"a job that is no longer declared is deleted": {
			[]*resolve.Job{newJob("a", "date"), newJob("b", "date")}, []*resolve.Job{newJob("b", "date")}, []string{"delete a"},
		},
		"a remark is updated": {
			[]*resolve.Job{newJob("a", "date")}, []*resolve.Job{described(newJob("a", "date"))}, []string{"update a"},
		},
		"names are exchanged": {
			[]*resolve.Job{named("a", "x", "date"), named("b", "y", "date")}, []*resolve.Job{named("a", "y", "date"), named("b", "x", "date")},
			[]string{"create x", "create y", "delete x", "delete y"},
		},
		"a new job reuses the name of a deleted job": {
			[]*resolve.Job{named("a", "x", "date")}, []*resolve.Job{named("b", "x", "date")}, []string{"create x", "delete x"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := after(t, tt.first...)
			if err := apply(t, m, tt.then...); err != nil {
				t.Fatal(err)
			}
			slices.Sort(m.calls)
			if diff := cmp.Diff(tt.calls, m.calls); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
			if p := plan(t, m, tt.then...); !p.Empty() {
				t.Errorf("the plan after apply is not empty: %s", p.Changes[0].Reason)
			}
		})
	}
}

func described(job *resolve.Job) *resolve.Job {
	job.Description = "new words"
	return job
}

func TestApplyContinuesWithOtherJobsAfterAFailure(t *testing.T) {
	t.Parallel()
	m := after(t, newJob("a", "date"), newJob("gone", "date"))
	m.fail["delete a"] = errors.New("the machine is on fire")
	m.fail["create c"] = errors.New("no room")
	err := apply(t, m, newJob("a", "ls"), newJob("b", "date"), newJob("c", "date"))
	want := "delete job.a: the machine is on fire\ncreate job.c: no room"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	slices.Sort(m.calls)
	if diff := cmp.Diff([]string{"create b", "create c", "delete a", "delete gone"}, m.calls); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	if m.fail = nil; apply(t, m, newJob("a", "ls"), newJob("b", "date"), newJob("c", "date")) != nil || len(m.jobs) != 3 {
		t.Errorf("the next apply left %d jobs, want 3", len(m.jobs))
	}
}

func TestApplyWaitsForAName(t *testing.T) {
	t.Parallel()
	m := after(t, named("a", "x", "date"))
	m.fail["delete x"] = errors.New("refused")
	err := apply(t, m, named("b", "x", "date"))
	want := "create job.b: job.a uses the same Framework name, but was not deleted\ndelete job.a: refused"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestApplyStopsWhenInterrupted(t *testing.T) {
	t.Parallel()
	m := newMemory()
	ctx, cancel := context.WithCancel(t.Context())
	m.before = func(string) { cancel() }
	o := options(nil)
	o.Parallel = 1
	jobs := []*resolve.Job{newJob("a", "date"), newJob("b", "date"), newJob("c", "date")}
	err := cluster.Apply(ctx, plan(t, m, jobs...), map[string]cluster.Cluster{"local": m}, o)
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "interrupted; steps not started: create job.") {
		t.Errorf("error %v", err)
	}
	if len(m.calls) != 1 {
		t.Errorf("calls after the interruption: %v", m.calls)
	}
	m.before = nil
	if err := apply(t, m, jobs...); err != nil || len(m.jobs) != 3 {
		t.Errorf("the next apply left %d jobs: %v", len(m.jobs), err)
	}
}

func TestApplySendsSecretsAndRecordsVersions(t *testing.T) {
	t.Parallel()
	m := newMemory()
	shared := &hclspec.Secret{Name: "token"}
	a, b := withSecret(newJob("a", "date"), "token"), withSecret(newJob("b", "date"), "token")
	a.Secrets[0].Declared, b.Secrets[0].Declared = shared, shared
	var reads atomic.Int32
	o := options(nil)
	o.Secret = func(context.Context, *resolve.Secret) (string, error) {
		reads.Add(1)
		return "value of token", nil
	}
	if err := cluster.Apply(t.Context(), plan(t, m, a, b), map[string]cluster.Cluster{"local": m}, o); err != nil {
		t.Fatal(err)
	}
	if reads.Load() != 1 || m.keys != 1 {
		t.Errorf("%d reads of the value and %d reads of the key, want 1 and 1", reads.Load(), m.keys)
	}
	if got := m.secrets["a"]["token"]; got != "value of token" {
		t.Errorf("secret %q was sent", got)
	}
	a.Description = "new words"
	if err := apply(t, m, a, b); err != nil {
		t.Fatal(err)
	}
	if p := plan(t, m, a, b); !p.Empty() {
		t.Errorf("an update lost the version of the secret: %s", p.Changes[0].Reason)
	}
}

func TestApplyNamesTheSecretWithoutAValue(t *testing.T) {
	t.Parallel()
	m := newMemory()
	o := options(nil)
	o.Secret = func(context.Context, *resolve.Secret) (string, error) { return "", errors.New("set TOKEN") }
	err := cluster.Apply(t.Context(), plan(t, m, withSecret(newJob("a", "date"), "token")), map[string]cluster.Cluster{"local": m}, o)
	if want := "create job.a: secret token: set TOKEN"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	if len(m.calls) != 0 {
		t.Errorf("calls %v", m.calls)
	}
}

// Without the key, Apply could not submit a deleted job again.
func TestApplyEndsNoJobWhenTheKeyOfSecretsIsDamaged(t *testing.T) {
	t.Parallel()
	m := newMemory()
	all := map[string]cluster.Cluster{"local": m}
	if err := cluster.Apply(t.Context(), plan(t, m, withSecret(newJob("a", "date"), "token"), newJob("b", "date")), all, options(nil)); err != nil {
		t.Fatal(err)
	}
	changed := plan(t, m, withSecret(newJob("a", "uptime"), "token"), newJob("b", "uptime"))
	m.keyErr, m.calls = errors.New("2 bytes instead of 32"), nil
	err := cluster.Apply(t.Context(), changed, all, options(nil))
	if want := "delete job.a: get the key for secret versions: 2 bytes instead of 32"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	if diff := cmp.Diff([]string{"delete b", "create b"}, m.calls); diff != "" {
		t.Errorf("calls (-want +got)\n%s", diff)
	}
}

func TestApplyRefusesAnInvalidPlan(t *testing.T) {
	t.Parallel()
	create := &planner.Change{Address: "job.a", Cluster: "gpu", Action: planner.Create, Job: newJob("a", "date")}
	tests := map[string]struct {
		plan *planner.Plan
		want string
	}{
		"an offline plan":               {&planner.Plan{Offline: true}, "created offline"},
		"a plan with errors":            {&planner.Plan{Diagnostics: hcl.Diagnostics{hclspec.ForeignJob.At(hcl.Range{}, "No.")}}, "the plan has errors"},
		"a cluster that does not exist": {&planner.Plan{Changes: []*planner.Change{create}}, "the cluster gpu is not open"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			err := cluster.Apply(t.Context(), tt.plan, nil, cluster.ApplyOptions{})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want an error that contains %q", err, tt.want)
			}
		})
	}
}

// recorder is a Progress that detects concurrent calls.
type recorder struct {
	busy   atomic.Bool
	events []string
	t      *testing.T
}

func (r *recorder) add(format string, args ...any) {
	if !r.busy.CompareAndSwap(false, true) {
		r.t.Error("progress was reported concurrently")
	}
	r.events = append(r.events, fmt.Sprintf(format, args...))
	r.busy.Store(false)
}

func (r *recorder) Begin(c *planner.Change, s cluster.Step) { r.add("begin %s %s", s, c.Address) }

func (r *recorder) End(c *planner.Change, s cluster.Step, err error) {
	r.add("end %s %s %v", s, c.Address, err)
}

func TestApplyReportsProgress(t *testing.T) {
	t.Parallel()
	m := after(t, newJob("a", "date"))
	r := &recorder{t: t}
	if err := cluster.Apply(t.Context(), plan(t, m, newJob("a", "ls")), map[string]cluster.Cluster{"local": m}, options(r)); err != nil {
		t.Fatal(err)
	}
	want := []string{"begin delete job.a", "end delete job.a <nil>", "begin create job.a", "end create job.a <nil>"}
	if diff := cmp.Diff(want, r.events); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// 200 jobs of one second each, three at a time, take exactly 67 seconds.
func TestApplyKeepsItsLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		m.before = func(string) { time.Sleep(time.Second) }
		var jobs []*resolve.Job
		for i := range 200 {
			jobs = append(jobs, newJob(fmt.Sprintf("j%d", i), "date"))
		}
		r, p, begin := &recorder{t: t}, plan(t, m, jobs...), time.Now()
		if err := cluster.Apply(t.Context(), p, map[string]cluster.Cluster{"local": m}, options(r)); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begin); took != 67*time.Second || len(m.jobs) != 200 || len(r.events) != 400 {
			t.Errorf("%s, %d jobs, %d events", took, len(m.jobs), len(r.events))
		}
	})
}
