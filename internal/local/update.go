// SPDX-License-Identifier: MPL-2.0

package local

import (
	"context"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
)

// Update implements cluster.Cluster. The supervisor reads the new spec. Update
// writes the record last. After an interruption, the next plan therefore
// contains the same changes again.
func (c *Cluster) Update(ctx context.Context, s cluster.Submission) error {
	release, err := c.acquire()
	if err != nil {
		return err
	}
	defer release()
	o, err := c.object(s.Job.Framework)
	if err != nil {
		return err
	}
	r, err := c.layout.LoadRecord(o.Name)
	if err != nil {
		return err
	}
	d, err := c.dependents(s)
	if err != nil {
		return err
	}
	fw, _, err := o.Load()
	if err != nil {
		return err
	}
	edit := change
	if gone, err := o.LacksSupervisor(ctx, fw); err != nil {
		return err
	} else if gone {
		edit = replace
	}
	if err := c.saveDependents(o, s, d); err != nil {
		return err
	}
	if err := o.Edit(func(fw *framework.Framework) { edit(fw, d.manifest.Framework) }); err != nil {
		return err
	}
	if err := o.SaveSent(); err != nil {
		return err
	}
	renewed := store.NewRecord(s, c.options.Now())
	if r != nil {
		renewed.KeepOutcome(r)
	}
	if err := c.layout.SaveRecord(renewed); err != nil {
		return err
	}
	return c.supervise(ctx, o)
}

// change copies the fields that can be changed in place.
func change(fw, wanted *framework.Framework) {
	fw.Metadata.Labels, fw.Metadata.Annotations = wanted.Metadata.Labels, wanted.Metadata.Annotations
	fw.Spec.Description = wanted.Spec.Description
	fw.Spec.RetryPolicy = wanted.Spec.RetryPolicy
	for i := range fw.Spec.TaskRoles {
		role := &fw.Spec.TaskRoles[i]
		if w := wanted.Spec.TaskRole(role.Name); w != nil {
			*role = *w
		}
	}
}
