// SPDX-License-Identifier: MPL-2.0

package local

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Holder implements cluster.Adopter.
func (c *Cluster) Holder(ctx context.Context, name string) (*cluster.Holder, error) {
	job, err := c.Find(ctx, name)
	if err != nil {
		return nil, err
	}
	if job == nil {
		return nil, cluster.NotFound("Framework %s does not exist", name)
	}
	return &cluster.Holder{
		Workspace: job.Workspace, Address: job.Address, DeclaredBy: job.DeclaredBy,
		Description: fmt.Sprintf("%s of the workspace %q", job.Address, job.Workspace),
	}, nil
}

// Adopt implements cluster.Adopter. It changes the record and the Framework's
// labels and annotations. The supervisor keeps running.
func (c *Cluster) Adopt(_ context.Context, job *resolve.Job, by planner.Declarer, run int) error {
	release, err := c.acquire()
	if err != nil {
		return err
	}
	defer release()
	o, err := c.object(job.Framework)
	if err != nil {
		return err
	}
	err = o.Edit(func(fw *framework.Framework) {
		maps.Copy(fw.Metadata.Labels, map[string]string{
			contract.KeyWorkspace: contract.LabelValue(job.Workspace), contract.KeyAddress: contract.LabelValue(string(job.Address)),
		})
		maps.Copy(fw.Metadata.Annotations, map[string]string{contract.KeyWorkspace: job.Workspace, contract.KeyAddress: string(job.Address)})
	})
	if err != nil && !errors.Is(err, cluster.ErrNotFound) {
		return err
	}
	return o.EditRecord(c.layout, func(r *cluster.Record) {
		if r.Declarer(r.Declaration) != by {
			r.Declaration = nil
		}
		r.Address, r.Workspace, r.User, r.DeclaredBy, r.Creating = job.Address, job.Workspace, job.User, by, false
		r.Run, r.RepeatOf = run, 0
	})
}
