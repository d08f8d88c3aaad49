// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

var clusterSource = dataSource{
	name: "cluster",
	schema: schema.Schema{
		MarkdownDescription: "Like `openpai cluster check`, reports whether the cluster in the provider block responds and which requirements for jobs are missing. It also checks the requirements of the workspace's jobs, except the claims of jobs that Terraform does not declare.",
		Attributes: map[string]schema.Attribute{
			"kind":      computedString("`local` or `kubernetes`."),
			"user":      computedString("User who owns the jobs."),
			"workspace": computedString("Name of the set of jobs that openpai manages together."),
			"namespace": computedString("Namespace of the jobs, if configured."),
			"profile":   computedString("Profile of the cluster; null on the local cluster."),
			"reachable": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the jobs of the workspace can be read."},
			"problem":   computedString("Reason why the jobs cannot be read; null if they can be read."),
			"jobs":      schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of jobs in the workspace."},
			"ready":     schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the jobs can be read and no requirement is missing."},
			"checks": schema.ListNestedAttribute{
				Computed: true, MarkdownDescription: "The checks, in a fixed order.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"check":  computedString("What was checked."),
					"result": computedString("`ok`, `warning`, `missing`, or `unknown` if the check was not possible. Only a missing requirement prevents jobs from running."),
					"found":  computedString("What the check found."),
					"advice": computedString("Recommended action; null if none is needed."),
				}},
			},
		},
	},
	read: readClusterSource,
}

func readClusterSource(ctx context.Context, c *connection, _ map[string]tftypes.Value, _ *datasource.ReadResponse) map[string]any {
	out := map[string]any{"kind": "local", "user": c.User, "workspace": c.Workspace, "reachable": true}
	if k := c.settings.Cluster; k != nil {
		out["kind"], out["namespace"], out["profile"] = "kubernetes", stringOrNull(k.Namespace), stringOrNull(k.Profile)
	}
	jobs, err := c.jobs(ctx)
	var applied []*resolve.Job
	for _, job := range jobs {
		if job.Applied != nil {
			applied = append(applied, c.declaredJob(job))
		}
	}
	found, failed := c.check(ctx, applied)
	if err == nil {
		err = failed
	}
	out["checks"], out["ready"] = checkTrees(found), err == nil && complete(found)
	if err != nil {
		out["reachable"], out["problem"] = false, sourceError(err).Error()
		return out
	}
	out["jobs"] = numberOf(len(jobs))
	return out
}

// declaredJob resolves the recorded declaration, because the recorded content
// does not contain storage blocks. For a job from a different front end, it
// returns the recorded content.
func (c *connection) declaredJob(live *planner.LiveJob) *resolve.Job {
	written, err := shape.ParseJSON(live.Declaration)
	declared, ok := written.(map[string]any)
	if err != nil || !ok {
		return live.Applied
	}
	known := map[string]any{}
	for name := range jobInput.AttributeTypes {
		if v, ok := declared[name]; ok {
			known[name] = v
		}
	}
	v, err := shape.Value(known, jobInput)
	if err != nil { // another version wrote it
		return live.Applied
	}
	return declareJob(c.settings, v, tftypes.Value{}).resolved
}

func (c *connection) check(ctx context.Context, jobs []*resolve.Job) ([]cluster.CheckResult, error) {
	if c.Unknown {
		return nil, errUnknown
	}
	return c.operation.CheckCluster(ctx, c.clusterName(), jobs)
}

func complete(found []cluster.CheckResult) bool {
	for _, f := range found {
		if f.Result == cluster.ResultMissing {
			return false
		}
	}
	return true
}

func checkTrees(found []cluster.CheckResult) []any {
	list := make([]any, len(found))
	for i, f := range found {
		list[i] = map[string]any{"check": f.Check, "result": string(f.Result), "found": f.Found, "advice": stringOrNull(f.Advice.Phrase(phrase))}
	}
	return list
}
