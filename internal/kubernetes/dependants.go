package kubernetes

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// dependants are the objects of a job: the Framework and what it owns.
type dependants struct {
	manifest *render.Manifest
	owned    []dependant
}

// dependant is one object that a Framework owns.
type dependant struct {
	kind resource
	meta *framework.ObjectMeta
	body any
}

func (d *dependants) ids() []objectID {
	var ids []objectID
	for _, o := range d.owned {
		ids = append(ids, objectID{o.kind.kind, o.meta.Name})
	}
	return ids
}

// render renders a job for this cluster. Its findings were reported by the
// plan; here they are what stops the apply.
func (c *Cluster) render(job *resolve.Job) (*render.Manifest, error) {
	if _, err := c.connect(); err != nil {
		return nil, err
	}
	t := c.options.Target
	t.Namespace, t.Submitted = c.namespace, c.options.Now()
	if c.options.Config != nil {
		t.Config = c.options.Config(job)
	}
	m, diags := render.Objects(job, t)
	if !diags.HasErrors() {
		return m, nil
	}
	var texts []string
	for _, d := range hclspec.Sort(diags) {
		texts = append(texts, d.Summary+": "+d.Detail)
	}
	return nil, fmt.Errorf("render %s: %s", job.Address, strings.Join(texts, "; "))
}

// dependants renders a job with the values of its secrets. Without values, in
// a change in place, Secrets stay as they are.
func (c *Cluster) dependants(s cluster.Submission) (*dependants, error) {
	m, err := c.render(s.Job)
	if err != nil {
		return nil, err
	}
	d := &dependants{manifest: m}
	for _, o := range m.ConfigMaps {
		d.owned = append(d.owned, dependant{configMaps, &o.Metadata, o})
	}
	for _, o := range m.Secrets {
		if s.Secrets != nil {
			if err := fill(o, s); err != nil {
				return nil, err
			}
		}
		d.owned = append(d.owned, dependant{secretKind, &o.Metadata, o})
	}
	if a := m.Access; a != nil {
		d.owned = append(d.owned, dependant{configMaps, &a.Hosts.Metadata, a.Hosts})
		if a.Account != nil {
			d.owned = append(d.owned,
				dependant{serviceAccounts, &a.Account.Metadata, a.Account},
				dependant{roles, &a.Role.Metadata, a.Role},
				dependant{roleBindings, &a.RoleBinding.Metadata, a.RoleBinding})
		}
	}
	return d, nil
}

// belongTo makes a Framework the owner of all.
func (d *dependants) belongTo(uid string) {
	owner := framework.OwnerReference{
		APIVersion: framework.APIVersion, Kind: framework.Kind, Name: d.manifest.Framework.Metadata.Name, UID: uid,
		Controller: pointer(true), BlockOwnerDeletion: pointer(true),
	}
	for _, o := range d.owned {
		o.meta.OwnerReferences = []framework.OwnerReference{owner}
	}
}

// chains are the objects that can be applied at the same time, with those that
// must come after them: the API server refuses to bind a role that is not
// there, to everybody who may not bind all roles.
func (d *dependants) chains() [][]dependant {
	var all [][]dependant
	for i, o := range d.owned {
		if o.kind == roleBindings {
			last := len(all) - 1
			all[last] = append(all[last], o) // its role came just before
			continue
		}
		all = append(all, d.owned[i:i+1:i+1])
	}
	return all
}

// applyOwned applies what a Framework owns. The first error stops nothing that
// does not depend on it: what was begun is finished.
func (c *Cluster) applyOwned(ctx context.Context, d *dependants, withSecrets bool, more ...func() error) error {
	work := more
	for _, chain := range d.chains() {
		work = append(work, func() error {
			for _, o := range chain {
				if err := c.applyOrRelabel(ctx, o, withSecrets); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return all(work)
}

func (c *Cluster) applyOrRelabel(ctx context.Context, o dependant, withSecrets bool) error {
	if o.kind == secretKind && !withSecrets {
		return c.relabel(ctx, o)
	}
	return c.applyDependant(ctx, o)
}

// applyDependant applies one object.
func (c *Cluster) applyDependant(ctx context.Context, o dependant) error {
	err := c.apply(ctx, o.kind, o.meta.Name, o.body, false)
	if isOwnerConflict(err) && conflictsWithUs(err) {
		return c.apply(ctx, o.kind, o.meta.Name, o.body, true)
	}
	return err
}

// relabel renews the labels of an object and leaves its content alone.
func (c *Cluster) relabel(ctx context.Context, o dependant) error {
	return c.merge(ctx, o.kind, o.meta.Name, map[string]any{"metadata": map[string]any{"labels": o.meta.Labels, "annotations": o.meta.Annotations}})
}

// all runs functions at the same time and returns the first error in their
// order.
func all(work []func() error) error {
	errs := make([]error, len(work))
	var running sync.WaitGroup
	for i, f := range work {
		running.Go(func() { errs[i] = f() })
	}
	running.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// owner describes who made an object, as far as it shows.
func owner(meta framework.ObjectMeta) string {
	workspace := meta.Annotations[contract.KeyWorkspace]
	switch {
	case workspace != "":
		return fmt.Sprintf("the workspace %q", workspace)
	case meta.Annotations[contract.AnnotationLogInfix] != "" && meta.Labels[contract.LabelUser] != "":
		return "the OpenPAI rest-server"
	}
	return "another program"
}

func pointer[T any](v T) *T { return &v }
