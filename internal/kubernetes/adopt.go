package kubernetes

import (
	"context"
	"fmt"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Adopt makes a Framework that somebody else made the given job. Nothing that
// runs is changed. What another workspace of ours recorded stays known; of
// other programs' jobs it is not known what was applied.
func (c *Cluster) Adopt(ctx context.Context, job *resolve.Job) error {
	live, err := c.liveFramework(ctx, job.Framework)
	if err != nil {
		return err
	}
	before, err := c.loadRecord(ctx, job.Framework)
	if err != nil {
		return err
	}
	labels := ownLabels(job.Workspace, job.Address)
	annotations := map[string]string{contract.KeyWorkspace: job.Workspace, contract.KeyAddress: string(job.Address)}
	patch := []operation{test("/metadata/uid", live.Metadata.UID)}
	patch = append(patch, entries("/metadata/labels", live.Metadata.Labels, labels)...)
	patch = append(patch, entries("/metadata/annotations", live.Metadata.Annotations, annotations)...)
	r := adopted(job, live, before)
	work := []func() error{}
	for _, o := range r.Objects {
		if k, known := byKind(o.Kind); known {
			work = append(work, func() error {
				return ignoreNotFound(c.merge(ctx, k, o.Name, map[string]any{"metadata": map[string]any{"labels": labels, "annotations": annotations}}))
			})
		}
	}
	if err := api.Parallel(work); err != nil {
		return err
	}
	if err := c.saveRecord(ctx, r); err != nil {
		return err
	}
	c.forget(job.Framework)
	return c.patchFramework(ctx, job.Framework, "adopt", patch)
}

// adopted is the record of an adopted job.
func adopted(job *resolve.Job, live *liveFramework, before *stored) *stored {
	r := &stored{Record: cluster.Record{Version: cluster.RecordVersion, Name: job.Name, Framework: job.Framework, RoleNames: map[string]string{}}}
	if before != nil {
		r = before
	}
	r.Address, r.Workspace, r.User, r.Creating = job.Address, job.Workspace, job.User, false
	if live.Metadata.CreationTimestamp != nil {
		r.Created = live.Metadata.CreationTimestamp.UTC()
	}
	for _, role := range job.TaskRoles {
		if r.RoleNames[role.FrameworkName] == "" {
			r.RoleNames[role.FrameworkName] = role.Name
		}
	}
	return r
}

// Holder implements cluster.Adopter.
func (c *Cluster) Holder(ctx context.Context, name string) (*cluster.Holder, error) {
	h, err := c.getHeader(ctx, api.Frameworks, name)
	if err != nil {
		return nil, err
	}
	if h == nil {
		return nil, fmt.Errorf("%s %s: %w", framework.Kind, name, cluster.ErrNotFound)
	}
	a := h.Metadata.Annotations
	return &cluster.Holder{
		Workspace: a[contract.KeyWorkspace], Address: hclspec.Address(a[contract.KeyAddress]), Description: describeOwner(h.Metadata),
	}, nil
}
