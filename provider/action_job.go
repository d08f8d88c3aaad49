// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

var jobStop = providerAction{
	name: "job_stop",
	schema: schema.Schema{
		MarkdownDescription: "Stops a job permanently and waits until all its tasks have ended. The job is not deleted; its state becomes `STOPPED`.",
		Attributes:          map[string]schema.Attribute{"name": nameAttribute()},
	},
	invoke: func(ctx context.Context, c *invocation) {
		live, name := c.job(ctx)
		if live == nil {
			return
		}
		opened, err := c.conn.Cluster()
		if err == nil {
			j := operation.Job{Address: live.Address, Framework: live.Framework, State: live.State, Cluster: opened}
			err = operation.Stop(ctx, []operation.Job{j}, &stopProgress{c, newJobProgress(name, c.progress), name})
		}
		if err != nil {
			c.fail("stop", name, err)
		}
	},
}

// stopProgress sends progress messages to Terraform while a job stops.
type stopProgress struct {
	invocation *invocation
	job        *jobProgress
	name       string
}

// Stopping implements operation.StopReporter.
func (p *stopProgress) Stopping(operation.Job) { p.invocation.progress("job.%s: stopping", p.name) }

// Changed implements operation.StopReporter.
func (p *stopProgress) Changed(_ operation.Job, s *cluster.Status) {
	if s.State != planner.StateStopping { // reported by Stopping
		p.job.changed(s)
	}
}

// Stopped implements operation.StopReporter. It reports only jobs that had
// already finished, because Changed has reported all other changes.
func (p *stopProgress) Stopped(_ operation.Job, before bool, last *cluster.Status) {
	if before {
		p.invocation.progress("job.%s had already finished: %s", p.name, last.State)
	}
}

var jobRerun = providerAction{
	name: "job_rerun",
	schema: schema.Schema{
		MarkdownDescription: "Runs a finished job of this provider again with the applied content, then waits as the job's `wait_for` specifies. Prints each state of the job and the reasons why its tasks wait.",
		Attributes: map[string]schema.Attribute{
			"name":    nameAttribute(),
			"secrets": schema.MapAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: "Values of the secrets that were set with `secrets_wo`; the cluster does not return these values."},
		},
	},
	invoke: func(ctx context.Context, c *invocation) {
		live, name := c.job(ctx)
		if live == nil {
			return
		}
		if !live.State.Finished() && live.State != planner.StateUnknown {
			c.diags.AddError("Cannot run the job again", fmt.Sprintf("job.%s has not finished (%s). Stop it first.", name, live.State))
			return
		}
		tree, err := c.declaration(live)
		if err != nil {
			c.fail("run again", name, err)
			return
		}
		a := c.newApply(tree)
		if a == nil {
			return
		}
		a.d = declareJob(c.conn.settings, a.planned, c.config["secrets"])
		if err := c.checkSecrets(live, a.d); err != nil {
			c.fail("run again", name, err)
			return
		}
		ctx, cancel := withTimeout(ctx, a.planned, "create", createTimeout(a.planned))
		defer cancel()
		if a.submit(ctx, rerunOperation) {
			c.progress("job.%s was submitted again", name)
			a.progress = newJobProgress(name, c.progress)
			a.wait(ctx)
		}
	},
}

// checkSecrets returns an error for a secret without a value, before anything
// is deleted.
func (c *invocation) checkSecrets(live *planner.LiveJob, d *declaration) error {
	for _, name := range sortedKeys(live.SecretVersions) {
		if !slices.ContainsFunc(d.job.Secrets, func(s *hclspec.Secret) bool { return s.Name == name }) {
			return fmt.Errorf("the value of the secret %s is not available: set the value in the action's secrets attribute", name)
		}
	}
	if d.diagnostics.HasErrors() {
		return diagnosticsError(d.diagnostics)
	}
	for _, s := range d.resolved.Secrets {
		if _, err := c.conn.readSecret(s.Declared); err != nil {
			return fmt.Errorf("the secret %s: %w", s.Name, err)
		}
	}
	return nil
}

func (c *invocation) declaration(live *planner.LiveJob) (map[string]any, error) {
	written, err := shape.ParseJSON(live.Declaration)
	tree, ok := written.(map[string]any)
	if err != nil || !ok {
		return nil, errors.New("the job has no stored declaration because a different program applied the job; use that program instead")
	}
	return tree, nil
}

// newApply prepares the apply of a stored declaration. It returns nil after
// an error.
func (c *invocation) newApply(tree map[string]any) *jobApply {
	v, err := shape.Value(tree, schemaOfJob().Type().TerraformType(context.Background()))
	if err != nil {
		c.diags.AddError("The action failed", "A different version of the provider wrote the declaration of the job: "+errorText(err))
		return nil
	}
	return &jobApply{conn: c.conn, planned: v, diags: c.diags}
}

// unreadSecrets returns the write-only secrets, whose values are unknown.
func unreadSecrets(live *planner.LiveJob, tree map[string]any) tftypes.Value {
	written, _ := tree["secrets"].(map[string]any)
	values := map[string]tftypes.Value{}
	for name := range live.SecretVersions {
		if written[name] == nil {
			values[name] = unknownValue(tftypes.String)
		}
	}
	return tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, values)
}

var jobRescale = providerAction{
	name: "job_rescale",
	schema: schema.Schema{
		MarkdownDescription: "Changes the number of tasks of a running job in place. The job must not use gang allocation, or must set `rescale = \"in_place\"`. The configuration of the resource still contains the previous number of tasks, so add the `instances` of the task role to `ignore_changes`.",
		Attributes: map[string]schema.Attribute{
			"name":      nameAttribute(),
			"task_role": schema.StringAttribute{Required: true, MarkdownDescription: "Name of the task role."},
			"instances": schema.Int64Attribute{Required: true, MarkdownDescription: "Number of tasks."},
		},
	},
	invoke: func(ctx context.Context, c *invocation) {
		live, name := c.job(ctx)
		if live == nil {
			return
		}
		tree, err := c.declaration(live)
		if err != nil {
			c.fail("rescale", name, err)
			return
		}
		roles, _ := tree["task_roles"].(map[string]any)
		wanted := stringOr(c.config["task_role"], "")
		role, ok := roles[wanted].(map[string]any)
		if !ok {
			c.diags.AddAttributeError(path.Root("task_role"), UnknownTaskRole.Summary,
				fmt.Sprintf("job.%s has no task role %q.%s", name, wanted, hclspec.Suggest(wanted, sortedKeys(roles))))
			return
		}
		if live.State.Finished() {
			c.diags.AddError("Cannot rescale the job", fmt.Sprintf("job.%s has finished (%s). The number of tasks can change only while the job runs.", name, live.State))
			return
		}
		role["instances"], _ = shape.Tree(c.config["instances"])
		a := c.newApply(tree)
		if a == nil {
			return
		}
		a.d = declareJob(c.conn.settings, a.planned, unreadSecrets(live, tree))
		switch {
		case !a.submit(ctx, rescaleOperation):
		case a.unchanged:
			c.progress("job.%s already has %v tasks in the task role %s; nothing changed", name, role["instances"], wanted)
		default:
			c.progress("job.%s was rescaled", name)
		}
	},
}
