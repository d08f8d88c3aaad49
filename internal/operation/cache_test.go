// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// watched is a cluster with one job. It counts requests.
type watched struct {
	cluster.Cluster
	job          *planner.LiveJob // nil for none
	reads, finds int
	during       func() // called while the jobs are read
}

func (w *watched) Read(context.Context, string, []string) (*planner.Snapshot, error) {
	w.reads++
	seen := &planner.Snapshot{}
	if w.job != nil && w.job.Workspace == "team" {
		seen.Jobs = []*planner.LiveJob{w.job}
	}
	if w.during != nil {
		w.during()
	}
	return seen, nil
}

func (w *watched) Find(context.Context, string) (*planner.LiveJob, error) {
	w.finds++
	return w.job, nil
}

// watch returns the cache of a cluster with a manual clock.
func watch(w *watched) (c *Cache, clock *time.Time) {
	c = New(Options{Workspace: &hclspec.Workspace{Name: "team"}, Directory: "/nowhere", Open: func(*hclspec.Cluster) (cluster.Cluster, error) { return w, nil }}).Cache("local")
	at := time.Unix(1_000_000, 0)
	c.now = func() time.Time { return at }
	return c, &at
}

func seenAs(state planner.JobState) *planner.LiveJob {
	return &planner.LiveJob{Address: "job.train", Workspace: "team", Framework: "f0", State: state}
}

// state returns the state of the only job, or "".
func (c *Cache) state(t *testing.T) planner.JobState {
	t.Helper()
	live, err := c.Live(t.Context(), hclspec.NewAddress("job", "train"), "f0")
	if err != nil {
		t.Fatal(err)
	}
	if len(live.Jobs) == 0 {
		return ""
	}
	return live.Jobs[0].State
}

func TestOneLookServesForAWhile(t *testing.T) {
	t.Parallel()
	w := &watched{job: seenAs(planner.StateRunning)}
	c, clock := watch(w)
	for range 100 {
		c.state(t)
	}
	if w.reads != 1 || w.finds != 0 {
		t.Errorf("%d reads and %d finds, want 1 and 0", w.reads, w.finds)
	}
	w.job = seenAs(planner.StateSucceeded)
	*clock = clock.Add(snapshotAge + 1)
	if got := c.state(t); got != planner.StateSucceeded || w.reads != 2 {
		t.Errorf("%s after %d reads", got, w.reads)
	}
	w.during = func() { *clock = clock.Add(time.Minute) } // the read takes long
	*clock = clock.Add(snapshotAge + 1)
	c.state(t)
	*clock = clock.Add(9 * time.Minute)
	if c.state(t); w.reads != 3 {
		t.Errorf("%d reads of the workspace, want 3: a slow read is cached longer", w.reads)
	}
}

func TestThatThereIsNoJobIsBelievedForAWhile(t *testing.T) {
	t.Parallel()
	w := &watched{}
	c, clock := watch(w)
	c.state(t)
	if c.state(t); w.finds != 1 {
		t.Errorf("a missing job was requested %d times, want once", w.finds)
	}
	w.job = seenAs(planner.StateRunning)
	w.job.Workspace = "other"
	*clock = clock.Add(snapshotAge + 1)
	if got := c.state(t); got != planner.StateRunning {
		t.Errorf("the state of a job that another workspace created is %q, want RUNNING", got)
	}
}

// TestWhatWasWrittenDuringALookIsNotForgotten checks that a job read after a write
// takes precedence over the result of a concurrent workspace read.
func TestWhatWasWrittenDuringALookIsNotForgotten(t *testing.T) {
	t.Parallel()
	w := &watched{job: seenAs(planner.StateRunning)}
	c, clock := watch(w)
	w.during = func() {
		w.job = seenAs(planner.StateStopped)
		if _, err := c.Reread(t.Context(), "f0"); err != nil {
			t.Error(err)
		}
	}
	if got := c.state(t); got != planner.StateStopped {
		t.Errorf("the job that was stopped is %s", got)
	}
	w.during, w.job = nil, seenAs(planner.StateSucceeded)
	*clock = clock.Add(time.Hour)
	if got := c.state(t); got != planner.StateSucceeded {
		t.Errorf("a read after an hour returns %s, want %s", got, planner.StateSucceeded)
	}
}
