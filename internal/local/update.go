package local

import (
	"context"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// Update implements cluster.Cluster. The supervisor reads the new spec; the
// record comes last, so that an update that was killed is planned again.
func (c *Cluster) Update(ctx context.Context, s cluster.Submission) error {
	release, err := c.hold()
	if err != nil {
		return err
	}
	defer release()
	o, err := c.object(s.Job.Framework)
	if err != nil {
		return err
	}
	r, err := c.layout.loadRecord(o.name)
	if err != nil {
		return err
	}
	d, err := c.dependants(s)
	if err != nil {
		return err
	}
	if _, err := o.loadSpec(); err != nil {
		return err
	}
	if err := c.saveDependants(o, s, d); err != nil {
		return err
	}
	if err := o.edit(func(fw *framework.Framework) { change(fw, d.manifest.Framework) }); err != nil {
		return err
	}
	renewed := newRecord(s, c.options.Now())
	if r != nil {
		renewed.Created, renewed.State, renewed.ExitCode, renewed.Completed = r.Created, r.State, r.ExitCode, r.Completed
	}
	if err := c.layout.saveRecord(renewed); err != nil {
		return err
	}
	return c.supervise(ctx, o)
}

// change takes over what may change in place.
func change(fw, wanted *framework.Framework) {
	fw.Metadata.Labels, fw.Metadata.Annotations = wanted.Metadata.Labels, wanted.Metadata.Annotations
	fw.Spec.Description = wanted.Spec.Description
	fw.Spec.RetryPolicy = wanted.Spec.RetryPolicy
	for i := range fw.Spec.TaskRoles {
		role := &fw.Spec.TaskRoles[i]
		if w := findRole(wanted.Spec.TaskRoles, role.Name); w != nil {
			*role = *w
		}
	}
}
