// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// held is a cluster that reports its jobs as waiting until begun is set.
type held struct {
	*local.Cluster
	begun *atomic.Bool
}

func (h held) Read(ctx context.Context, workspace string, frameworks []string) (*planner.Snapshot, error) {
	s, err := h.Cluster.Read(ctx, workspace, frameworks)
	if err == nil {
		for _, job := range s.Jobs {
			h.hold(job)
		}
	}
	return s, err
}

func (h held) Find(ctx context.Context, framework string) (*planner.LiveJob, error) {
	job, err := h.Cluster.Find(ctx, framework)
	h.hold(job)
	return job, err
}

func (h held) hold(job *planner.LiveJob) {
	if job != nil && !h.begun.Load() {
		job.State, job.RunningTasks = planner.StateWaiting, 0
	}
}

// waitingUntil opens a cluster that reports every job as waiting until begun
// is true.
func (i *instance) waitingUntil(begun *atomic.Bool) *instance {
	i.tf.server.(*server).provider.open = func(*hclspec.Cluster) (cluster.Cluster, error) {
		opened, err := local.Open(i.tf.dir, local.Options{})
		return held{opened, begun}, err
	}
	i.tf.configure(i.tf.block)
	return i
}

// awaitBegin waits until the job is no longer waiting: a plan to end a
// waiting job does not end a running job.
func (i *instance) awaitBegin() {
	framework := stringOr(attributesOf(i.state)["framework_name"], "")
	if framework == "" || i.tf.dir == "" {
		return
	}
	c, err := local.Open(i.tf.dir, local.Options{})
	if err != nil {
		i.tf.t.Fatal(err)
	}
	if _, err := cluster.Wait(i.tf.t.Context(), c, framework, cluster.Running, nil); err != nil && !errors.Is(err, cluster.ErrNotFound) && !errors.Is(err, cluster.ErrEnded) {
		i.tf.t.Logf("wait for the job: %v", err)
	}
}

// replacement plans a replacement with two calls, like Terraform.
func (i *instance) replacement(config tree) *planned {
	i.tf.t.Helper()
	first := i.plan(config)
	if first.action(i.state) != "replace" {
		i.tf.t.Fatalf("planned %s\n%s", first.action(i.state), first.diagnostics)
	}
	return i.planFrom(config, i.null(), first.private)
}

func TestAPlanOfAWaitingJobDoesNotEndItWhenItRuns(t *testing.T) {
	t.Parallel()
	plans := map[string]func(*instance, tree) *planned{
		"destroy": func(i *instance, _ tree) *planned { return i.plan(nil) },
		"replacement": func(i *instance, config tree) *planned {
			return i.replacement(worker(config, tree{"commands": []string{"sleep 1001"}}))
		},
		"replacement under another name": func(i *instance, config tree) *planned {
			config["name"] = "other"
			return i.replacement(config)
		},
	}
	for name, plan := range plans {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			first, config := running(t, dir)
			var begun atomic.Bool
			i := first.afresh(dir).waitingUntil(&begun)
			p := plan(i, config)
			p.state, p.config = i.null(), i.null() // for a replacement, Terraform first applies a deletion
			before := decodeJobPrivate(i.private)
			begun.Store(true)
			text := i.applyPlanned(p)
			if !strings.Contains(text, "error: job.mnist began to run after the plan: 1 running task would end: The job was not started when the deletion was planned and is RUNNING now") {
				t.Fatalf("apply: %s", text)
			}
			if i.state.IsNull() || decodeJobPrivate(i.private) != before {
				t.Errorf("the state after the refusal: %s, private %+v", i.state, decodeJobPrivate(i.private))
			}
			if text := i.applyPlanned(i.plan(nil)); text != "" || !i.state.IsNull() {
				t.Errorf("a new plan: %s", text)
			}
		})
	}
}

func TestAJobThatStillWaitsIsDestroyed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, _ := running(t, dir)
	i := first.afresh(dir).waitingUntil(&atomic.Bool{})
	p := i.plan(nil)
	if !strings.Contains(p.diagnostics, "no task is running yet") {
		t.Errorf("plan: %s", p.diagnostics)
	}
	if text := i.applyPlanned(p); text != "" || !i.state.IsNull() {
		t.Errorf("apply: %s", text)
	}
}

// TestADestroyWithoutRefreshComparesWithThePlan destroys a running job that the
// state still shows as waiting.
func TestADestroyWithoutRefreshComparesWithThePlan(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, _ := running(t, dir)
	var begun atomic.Bool
	i := first.afresh(dir).waitingUntil(&begun)
	if text := i.refresh(); text != "" || i.text("state") != string(planner.StateWaiting) {
		t.Fatalf("state %s\n%s", i.text("state"), text)
	}
	begun.Store(true)
	if text := i.applyPlanned(i.plan(nil)); text != "" || !i.state.IsNull() {
		t.Errorf("apply: %s", text)
	}
}
