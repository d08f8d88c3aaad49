// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// foreignJob returns a job that no workspace created, or nil. Terraform takes
// over such a job when the user imports it or moves it from another resource.
func foreignJob(live *planner.Snapshot, job *resolve.Job) *planner.LiveJob {
	for _, l := range live.Jobs {
		if l.Framework == job.Framework && l.Workspace == "" && l.Present && (l.User == "" || l.User == job.User) {
			return l
		}
	}
	return nil
}

// adopted returns the live state expected after Terraform takes over a
// foreign job.
func (c *connection) adopted(live *planner.Snapshot, foreign *planner.LiveJob, job *resolve.Job) *planner.Snapshot {
	own := *foreign
	own.Workspace, own.Address, own.User, own.Owner = c.Workspace, job.Address, job.User, ""
	own.DeclaredBy = planner.DeclaredByTerraform
	jobs := slices.DeleteFunc(slices.Clone(live.Jobs), func(l *planner.LiveJob) bool { return l == foreign })
	return &planner.Snapshot{SecretKey: live.SecretKey, UnreadableKey: live.UnreadableKey, Permissions: live.Permissions, Jobs: append(jobs, &own)}
}

func (p *jobPlan) warnAdoption(adopted *planner.LiveJob) {
	if elsewhere(adopted) {
		p.diags.AddWarning("Apply takes over the existing job", fmt.Sprintf("The openpai CLI declares %s. Apply makes Terraform the owner of the job and does not change running work. Remove the job from the files of the workspace %q.", p.d.job.Address(), adopted.Workspace))
		return
	}
	p.diags.AddWarning("Apply takes over the existing job", fmt.Sprintf("Another program created %s. Apply does not change running work. The content of the job is unknown. Later changes to the configuration have no effect until you replace the job with -replace.", p.d.job.Address()))
}

// adopt takes over a job from a different owner. It returns the resulting
// live state.
func (a *jobApply) adopt(ctx context.Context, live *planner.Snapshot) (*planner.Snapshot, error) {
	job := a.d.resolved
	if take, err := a.mayAdopt(live, job); !take {
		return live, err
	}
	switch err := a.conn.operation.Adopt(ctx, job); {
	case errors.Is(err, operation.ErrNoOtherOwners):
		return live, nil
	case err != nil:
		return nil, fmt.Errorf("take over the job: %w", err)
	}
	if _, err := a.conn.reread(ctx, job.Framework); err != nil {
		return nil, err
	}
	return a.conn.live(ctx, job.Address, job.Framework)
}
