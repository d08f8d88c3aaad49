// SPDX-License-Identifier: MPL-2.0

package planner_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func TestAChangedSchedulerReplacesRunningJobs(t *testing.T) {
	t.Parallel()
	on := func(cluster string) jobOption { return func(j *resolve.Job) { j.Cluster = cluster } }
	placed := func(class string) jobOption {
		return func(j *resolve.Job) {
			j.Hived = &resolve.Hived{JobPriorityClass: class, TaskRoles: []*resolve.HivedTaskRole{{Name: "worker", LeafCellNumber: 1}}}
		}
	}
	for name, c := range map[string]struct {
		before, after *resolve.Job
		live          []liveOption
		want          string
	}{
		"HiveD now": {
			newJob("a", on("gpu")), newJob("a", on("gpu"), placed("test")), nil,
			"replace job.a: the scheduler changed to HiveD (2 running tasks end)",
		},
		"HiveD no longer": {
			newJob("a", on("gpu"), placed("test")), newJob("a", on("gpu")), nil,
			"replace job.a: the scheduler changed from HiveD (2 running tasks end)",
		},
		"only hashes of the fields are known": {
			newJob("a", on("gpu"), placed("test")), newJob("a", on("gpu")), []liveOption{withoutValues},
			"replace job.a: the scheduler changed from HiveD (2 running tasks end)",
		},
		"a change to HiveD, and another command": {
			newJob("a", on("gpu")), newJob("a", on("gpu"), placed("test"), withCommands("ls")), nil,
			"replace job.a: the declaration changed, and the scheduler changed to HiveD (2 running tasks end)",
		},
		"HiveD before and after, with another priority": {
			newJob("a", on("gpu"), placed("test")), newJob("a", on("gpu"), placed("prod")), nil,
			"replace job.a: the declaration changed (2 running tasks end)",
		},
		"a finished job is outdated": {
			newJob("a", on("gpu")), newJob("a", on("gpu"), placed("test")), []liveOption{inState(planner.StateSucceeded)},
			"no-op job.a: outdated: succeeded, and the scheduler changed to HiveD since [outdated]",
		},
		"the local cluster never had HiveD, so a job with a recorded placement keeps running": {
			newJob("a", placed("test")), newJob("a"), nil,
			"update job.a: changed only in comments or in settings that do not affect tasks",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plan := planner.New(planner.Options{
				Workspace: "ws", Jobs: []*resolve.Job{c.after},
				Live: map[string]*planner.Snapshot{c.after.Cluster: {Jobs: []*planner.LiveJob{newLive(c.before, c.live...)}}},
			})
			if diff := cmp.Diff([]string{c.want}, story(plan)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
