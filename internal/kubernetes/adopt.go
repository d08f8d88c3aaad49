// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Adopt implements cluster.Adopter. It does not change running tasks. Adopt
// assigns the record of another openpai workspace to the new owner, even if the
// Framework no longer exists. For a job from another program, Adopt writes a
// record without an applied configuration.
func (c *Cluster) Adopt(ctx context.Context, job *resolve.Job, by planner.Declarer, run int) error {
	before, err := c.loadRecord(ctx, job.Framework)
	if err != nil {
		return err
	}
	live, err := c.liveFramework(ctx, job.Framework)
	if err != nil && (before == nil || !api.IsNotFound(err)) {
		return err
	}
	labels := ownLabels(job.Workspace, job.Address)
	annotations := map[string]string{contract.KeyWorkspace: job.Workspace, contract.KeyAddress: string(job.Address)}
	r := adopted(job, by, live, before)
	r.Run, r.RepeatOf = run, 0
	if live == nil {
		c.forget(job.Framework)
		return c.saveRecord(ctx, r)
	}
	patch := []operation{test("/metadata/uid", live.Metadata.UID)}
	patch = append(patch, entries("/metadata/labels", live.Metadata.Labels, labels)...)
	patch = append(patch, entries("/metadata/annotations", live.Metadata.Annotations, annotations)...)
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

// adopted returns the record of an adopted job. live is nil for a deleted
// Framework.
func adopted(job *resolve.Job, by planner.Declarer, live *liveFramework, before *stored) *stored {
	r := &stored{Record: cluster.Record{Version: cluster.RecordVersion, Name: job.Name, Framework: job.Framework, RoleNames: map[string]string{}}}
	if before != nil {
		r = before
	}
	if r.Declarer(r.declaration) != by {
		r.declaration = nil
	}
	r.Address, r.Workspace, r.User, r.DeclaredBy, r.Creating = job.Address, job.Workspace, job.User, by, false
	if live != nil && live.Metadata.CreationTimestamp != nil {
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
	r, err := c.loadRecord(ctx, name)
	if err != nil {
		return nil, err
	}
	var meta framework.ObjectMeta
	switch {
	case h != nil:
		meta = h.Metadata
	case r != nil:
		meta = r.meta
	default:
		return nil, cluster.NotFound("Framework %s does not exist", name)
	}
	holder := &cluster.Holder{
		Workspace: meta.Annotations[contract.KeyWorkspace], Address: hclspec.Address(meta.Annotations[contract.KeyAddress]), Description: describeOwner(meta),
	}
	if r != nil {
		holder.DeclaredBy = r.Declarer(r.declaration)
	}
	return holder, nil
}
