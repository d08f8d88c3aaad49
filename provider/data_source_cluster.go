package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

var clusterSource = source{
	name: "cluster",
	schema: schema.Schema{
		MarkdownDescription: "The cluster of the provider block, and whether it answers.",
		Attributes: map[string]schema.Attribute{
			"kind":      computedText("`local` or `kubernetes`."),
			"user":      computedText("User that the jobs belong to."),
			"workspace": computedText("Name of the set of jobs that are managed together."),
			"namespace": computedText("Namespace of the jobs, when it is written."),
			"profile":   computedText("Profile of the cluster; null on the local one."),
			"reachable": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the jobs of the workspace can be read."},
			"problem":   computedText("Why they cannot be read; null when they can."),
			"jobs":      schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of jobs of the workspace."},
		},
	},
	read: readClusterSource,
}

func readClusterSource(ctx context.Context, c *connection, _ map[string]tftypes.Value, _ *datasource.ReadResponse) map[string]any {
	out := map[string]any{"kind": "local", "user": c.User, "workspace": c.Workspace, "reachable": true}
	if k := c.settings.Cluster; k != nil {
		out["kind"], out["namespace"], out["profile"] = "kubernetes", textOrNull(k.Namespace), textOrNull(k.Profile)
	}
	jobs, err := c.jobs(ctx)
	if err != nil {
		out["reachable"], out["problem"] = false, err.Error()
		return out
	}
	out["jobs"] = number(len(jobs))
	return out
}
