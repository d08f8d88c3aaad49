// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"fmt"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/planner"
)

func computedString(doc string) schema.StringAttribute {
	return schema.StringAttribute{Computed: true, MarkdownDescription: doc}
}

// jobAttributes returns the output attributes of a job.
func jobAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id":             computedString("`<user>~<name>`."),
		"framework_name": computedString("`metadata.name` of the Framework."),
		"address":        computedString("Address in its workspace, such as `job.mnist`."),
		"workspace":      computedString("Workspace that the job belongs to."),
		"content_hash":   computedString("Hash of the applied content (first 12 digits)."),
		"state":          computedString("`WAITING`, `RUNNING`, `STOPPING`, `SUCCEEDED`, `FAILED`, `STOPPED` or `UNKNOWN`."),
		"exit_code":      schema.Int64Attribute{Computed: true, MarkdownDescription: "Exit code of the user's commands, set when the job has finished."},
		"running_tasks":  schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of running tasks."},
	}
}

var jobSource = dataSource{
	name: "job",
	schema: schema.Schema{
		MarkdownDescription: "A job on the cluster, regardless of who submitted it.",
		Attributes: mergeAttributes(jobAttributes(), map[string]schema.Attribute{
			"name":   schema.StringAttribute{Required: true, MarkdownDescription: "Name of the job."},
			"user":   schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: "User who owns the job. Defaults to the user of the provider."},
			"reason": computedString("Reason why the job ended."),
			"tasks": schema.ListNestedAttribute{
				Computed: true, MarkdownDescription: "The tasks, by task role and index.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"role":  computedString("Name of the task role."),
					"index": schema.Int64Attribute{Computed: true, MarkdownDescription: "Index of the task in its role, from 0."},
					"state": computedString("State of the task."),
					"host":  computedString("Node of the last attempt of the task."),
				}},
			},
		}),
	},
	read: readJobSource,
}

func mergeAttributes(m, more map[string]schema.Attribute) map[string]schema.Attribute {
	for k, v := range more {
		m[k] = v
	}
	return m
}

func readJobSource(ctx context.Context, c *connection, config map[string]tftypes.Value, resp *datasource.ReadResponse) map[string]any {
	name, user := stringOr(config["name"], ""), stringOr(config["user"], c.User)
	framework := contract.FrameworkName(user, name)
	opened, err := c.Cluster()
	var live *planner.LiveJob
	if err == nil {
		live, err = c.reread(ctx, framework)
	}
	if err != nil {
		resp.Diagnostics.AddError("Cannot read the job", fmt.Sprintf("read job %s: %s", name, errorText(sourceError(err))))
		return nil
	}
	if live == nil {
		resp.Diagnostics.AddAttributeError(path.Root("name"), NoSuchJob.Summary, fmt.Sprintf("The user %q has no job %q on this cluster.", user, name))
		return nil
	}
	out := jobTree(live, user, name)
	out["user"] = user
	if status, err := opened.Status(ctx, framework); err == nil {
		out["reason"] = stringOrNull(status.Reason)
		out["tasks"] = taskTrees(status)
	}
	return out
}

func jobTree(live *planner.LiveJob, user, name string) map[string]any {
	out := map[string]any{
		"id": jobID(user, name), "framework_name": live.Framework, "address": stringOrNull(live.Address.String()),
		"workspace": stringOrNull(live.Workspace), "content_hash": stringOrNull(shortHash(live.Hash)), "state": string(shownState(live)),
		"running_tasks": numberOf(live.RunningTasks), "exit_code": nil,
	}
	if live.ExitCode != nil {
		out["exit_code"] = numberOf(*live.ExitCode)
	}
	return out
}

func taskTrees(s *cluster.Status) []any {
	list := []any{}
	for _, role := range s.TaskRoles {
		for _, task := range role.Tasks {
			tree := map[string]any{"role": role.Name, "index": numberOf(task.Index), "state": task.State}
			if n := len(task.Attempts); n > 0 {
				tree["host"] = stringOrNull(task.Attempts[n-1].Host)
			}
			list = append(list, tree)
		}
	}
	return list
}

func numberOf(n int) hclspec.Number { return hclspec.Number(strconv.Itoa(n)) }

func stringOrNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

var jobsSource = dataSource{
	name: "jobs",
	schema: schema.Schema{
		MarkdownDescription: "The jobs of the provider's workspace.",
		Attributes: map[string]schema.Attribute{
			"states": schema.ListAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: "Include only jobs in one of these states."},
			"jobs": schema.ListNestedAttribute{
				Computed: true, MarkdownDescription: "The jobs, sorted by address.",
				NestedObject: schema.NestedAttributeObject{Attributes: mergeAttributes(jobAttributes(), map[string]schema.Attribute{
					"name": computedString("Name of the job."),
					"user": computedString("User who owns the job."),
				})},
			},
		},
	},
	read: readJobsSource,
}

func readJobsSource(ctx context.Context, c *connection, config map[string]tftypes.Value, resp *datasource.ReadResponse) map[string]any {
	jobs, err := c.jobs(ctx)
	if err != nil {
		resp.Diagnostics.AddError("Cannot read the jobs", errorText(sourceError(err)))
		return nil
	}
	states := readStates(config["states"], &resp.Diagnostics)
	list := []any{}
	for _, live := range jobs {
		if !states.include(live) {
			continue
		}
		name := jobName(live)
		tree := jobTree(live, live.User, name)
		tree["name"], tree["user"] = name, stringOrNull(live.User)
		list = append(list, tree)
	}
	return map[string]any{"jobs": list}
}
