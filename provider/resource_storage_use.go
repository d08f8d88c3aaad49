// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/planner"
)

// checkUnused rejects deleting data while an unfinished job of the workspace
// mounts the storage. The job may belong to another configuration.
func (r *storageResource) checkUnused(ctx context.Context, v tftypes.Value, diags *diag.Diagnostics) bool {
	s := storageOf(v)
	jobs, err := r.conn.jobs(ctx)
	if err != nil {
		diags.AddError("Cannot remove the storage", fmt.Sprintf("list the jobs that mount %s: %s", s.Address(), errorText(err)))
		return false
	}
	var users []string
	for _, job := range jobs {
		if !job.State.Finished() && !job.Vanished() && mounts(job, s.Name) {
			users = append(users, job.Address.String())
		}
	}
	if users == nil {
		return true
	}
	diags.AddError("The storage was not removed", fmt.Sprintf("%s is mounted by %s, which has not ended. Destroy or stop the job first, or keep the data with on_destroy = \"keep\".",
		s.Address(), strings.Join(users, " and by ")))
	return false
}

func mounts(job *planner.LiveJob, storage string) bool {
	if job.Applied == nil {
		return false
	}
	for _, role := range job.Applied.TaskRoles {
		for _, m := range role.Mounts {
			if m.Storage == storage {
				return true
			}
		}
	}
	return false
}
