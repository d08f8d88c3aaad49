// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"context"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// scene is an operation on a job.
type scene struct {
	name   string
	before func(*testing.T, *Cluster) // runs without faults
	do     func(context.Context, *Cluster) error
	after  func(*testing.T, *Cluster)
	// starts is the maximum number of started Frameworks, including Frameworks
	// that the before function starts.
	starts int
}

// nothing is the before function of a scene that does not need any preparation.
func nothing(*testing.T, *Cluster) {}

var scenes = []scene{
	{"create", nothing,
		func(ctx context.Context, c *Cluster) error { return applyPlan(ctx, c, faultJobs(0)) },
		func(t *testing.T, c *Cluster) { mustBeComplete(t, c, faultJobs(0).Jobs[0]) }, 1},
	{"update", func(t *testing.T, c *Cluster) { mustApply(t, c, faultJobs(0)) },
		func(ctx context.Context, c *Cluster) error { return applyPlan(ctx, c, faultJobs(2)) },
		func(t *testing.T, c *Cluster) { mustBeComplete(t, c, faultJobs(2).Jobs[0]) }, 1},
	{"replace", func(t *testing.T, c *Cluster) { mustApply(t, c, faultJobs(0)) },
		func(ctx context.Context, c *Cluster) error { return applyPlan(ctx, c, otherCommands()) },
		func(t *testing.T, c *Cluster) { mustBeComplete(t, c, otherCommands().Jobs[0]) }, 2},
	{"stop", func(t *testing.T, c *Cluster) { mustApply(t, c, faultJobs(0)) },
		func(ctx context.Context, c *Cluster) error { return c.Stop(ctx, faultJobs(0).Jobs[0].Framework) },
		mustBeStopped, 1},
	{"adopt", func(t *testing.T, c *Cluster) { makeForeign(t, c, faultJobs(0).Jobs[0]) },
		func(ctx context.Context, c *Cluster) error {
			return c.Adopt(ctx, faultJobs(0).Jobs[0], planner.DeclaredByCommandLine, 0)
		},
		func(t *testing.T, c *Cluster) { mustBeEmpty(t, c, faultJobs(0).Jobs[0]) }, 1},
	{"destroy", func(t *testing.T, c *Cluster) { mustApply(t, c, faultJobs(0)) },
		func(ctx context.Context, c *Cluster) error {
			o := faultJobs(0)
			o.Destroy = true
			return applyPlan(ctx, c, o)
		},
		func(t *testing.T, c *Cluster) { mustBeGone(t, c.declared.Namespace, "Lease "+leaseName("vision")) }, 1},
	{"create with a PriorityClass", nothing,
		func(ctx context.Context, c *Cluster) error { return applyPlan(ctx, withPriority(c), priorityJobs()) },
		func(t *testing.T, c *Cluster) {
			j := priorityJobs().Jobs[0]
			mustBeComplete(t, c, j)
			if class := classOf(t, c, j); class == nil || class.Metadata.Annotations[contract.KeyWorkspace] != "vision" {
				t.Errorf("the class of the job is %+v", class)
			}
			mustApply(t, c, planner.Options{Destroy: true}) // it is cluster-scoped
		}, 1},
	{"destroy with a PriorityClass", func(t *testing.T, c *Cluster) { mustApply(t, withPriority(c), priorityJobs()) },
		func(ctx context.Context, c *Cluster) error {
			o := priorityJobs()
			o.Destroy = true
			return applyPlan(ctx, c, o)
		},
		func(t *testing.T, c *Cluster) {
			mustBeGone(t, c.declared.Namespace, "Lease "+leaseName("vision"))
			if class := classOf(t, c, priorityJobs().Jobs[0]); class != nil {
				t.Errorf("left: %+v", class)
			}
		}, 1},
}

// priorityJobs returns options with one job, for scenes with a PriorityClass.
func priorityJobs() planner.Options {
	return planner.Options{Jobs: []*resolve.Job{plainJob("vision", "urgent")}}
}

func withPriority(c *Cluster) *Cluster {
	c.target().PriorityClass = &hclspec.PriorityClass{}
	return c
}

// faultJobs returns plan options with one job. more is the number of tasks to
// add to one role.
func faultJobs(more int) planner.Options {
	j := sampleJob("vision", "mnist")
	j.Rescale = "in_place"
	j.TaskRoles[1].Instances += more
	return planner.Options{Jobs: []*resolve.Job{j}}
}

// otherCommands returns the options of faultJobs with different commands,
// which require a replacement.
func otherCommands() planner.Options {
	o := faultJobs(0)
	o.Jobs[0].TaskRoles[0].Commands = []string{"echo goodbye"}
	return o
}

// makeForeign creates a job with the same name in a different workspace.
func makeForeign(t *testing.T, c *Cluster, j *resolve.Job) {
	theirs := *j
	theirs.Workspace = "theirs"
	mustApply(t, open(t, c.declared.Namespace, "theirs"), planner.Options{Jobs: []*resolve.Job{&theirs}})
}

func mustBeStopped(t *testing.T, c *Cluster) {
	t.Helper()
	j := faultJobs(0).Jobs[0]
	mustBeEmpty(t, c, j)
	if fw, err := c.framework(t.Context(), j.Framework); err != nil || fw.Spec.ExecutionType != framework.ExecutionStop {
		t.Errorf("the job is not stopped: %v", err)
	}
}
