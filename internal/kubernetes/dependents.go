// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"fmt"
	"maps"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/planner/render"
)

// dependentKinds are the kinds of the objects that a Framework owns.
var dependentKinds = []api.Resource{api.ConfigMaps, api.Secrets, api.ServiceAccounts, api.Roles, api.RoleBindings}

// byKind returns the resource of a kind. ok is false if openpai does not use the
// kind.
func byKind(kind string) (api.Resource, bool) {
	for _, r := range append([]api.Resource{api.Frameworks, api.Volumes, api.Claims}, dependentKinds...) {
		if r.Kind == kind {
			return r, true
		}
	}
	return api.Resource{}, false
}

// dependents contains the objects of a job: the Framework and the objects
// that the Framework owns.
type dependents struct {
	manifest *render.Manifest
	owned    []dependent
}

// dependent is one object that a Framework owns.
type dependent struct {
	kind api.Resource
	meta *framework.ObjectMeta
	body any
}

func (d *dependents) ids() []cluster.ObjectID {
	var ids []cluster.ObjectID
	for _, o := range d.owned {
		ids = append(ids, cluster.ObjectID{Kind: o.kind.Kind, Name: o.meta.Name})
	}
	return ids
}

// dependents copies the objects and fills in the values of the secrets. It
// does not change Secrets if the submission contains no secret values, for
// example in an in-place change.
func (c *Cluster) dependents(s cluster.Submission) (*dependents, error) {
	if _, err := c.connect(); err != nil {
		return nil, err
	}
	d := &dependents{manifest: s.Manifest}
	for _, o := range s.Manifest.ConfigMaps {
		d.addConfigMap(*o)
	}
	for _, stub := range s.Manifest.Secrets {
		o := *stub
		if s.Secrets != nil {
			o.StringData = maps.Clone(o.StringData)
			if err := fill(&o, s); err != nil {
				return nil, err
			}
		}
		d.owned = append(d.owned, dependent{api.Secrets, &o.Metadata, &o})
	}
	if s.Manifest.Access != nil {
		d.addAccess(*s.Manifest.Access)
	}
	return d, nil
}

func (d *dependents) addConfigMap(o framework.ConfigMap) {
	d.owned = append(d.owned, dependent{api.ConfigMaps, &o.Metadata, &o})
}

func (d *dependents) addAccess(a render.Access) {
	d.addConfigMap(*a.Hosts)
	if a.Account == nil {
		return
	}
	account, role, binding := *a.Account, *a.Role, *a.RoleBinding
	d.owned = append(d.owned,
		dependent{api.ServiceAccounts, &account.Metadata, &account},
		dependent{api.Roles, &role.Metadata, &role},
		dependent{api.RoleBindings, &binding.Metadata, &binding})
}

func (d *dependents) setOwner(uid string) {
	owner := framework.OwnerReference{
		APIVersion: framework.APIVersion, Kind: framework.Kind, Name: d.manifest.Framework.Metadata.Name, UID: uid,
		Controller: new(true), BlockOwnerDeletion: new(true),
	}
	for _, o := range d.owned {
		o.meta.OwnerReferences = []framework.OwnerReference{owner}
	}
}

// inOrder returns groups that can be applied concurrently. The objects within a
// group must be applied in order. A RoleBinding follows its Role: the API server
// rejects a binding to a missing role unless the user may bind all roles.
func (d *dependents) inOrder() [][]dependent {
	var all [][]dependent
	for i, o := range d.owned {
		if o.kind == api.RoleBindings {
			last := len(all) - 1
			all[last] = append(all[last], o) // its Role is the previous object
			continue
		}
		all = append(all, d.owned[i:i+1:i+1])
	}
	return all
}

// applyOwned continues after an error with the objects that do not depend on
// the failed object.
func (c *Cluster) applyOwned(ctx context.Context, d *dependents, withSecrets bool, more ...func() error) error {
	work := more
	for _, chain := range d.inOrder() {
		work = append(work, func() error {
			for _, o := range chain {
				if err := c.applyOrRelabel(ctx, o, withSecrets); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return api.Parallel(work)
}

func (c *Cluster) applyOrRelabel(ctx context.Context, o dependent, withSecrets bool) error {
	if o.kind == api.Secrets && !withSecrets {
		return c.relabel(ctx, o)
	}
	return c.applyDependent(ctx, o)
}

// applyDependent applies one object.
func (c *Cluster) applyDependent(ctx context.Context, o dependent) error {
	err := c.apply(ctx, o.kind, o.meta.Name, o.body, false)
	if api.IsOwnerConflict(err) && api.ConflictsWithUs(err) {
		return c.apply(ctx, o.kind, o.meta.Name, o.body, true)
	}
	return err
}

// relabel updates only the labels and annotations of an object.
func (c *Cluster) relabel(ctx context.Context, o dependent) error {
	return c.merge(ctx, o.kind, o.meta.Name, map[string]any{"metadata": map[string]any{"labels": o.meta.Labels, "annotations": o.meta.Annotations}})
}

// owner describes the workspace or program that created an object.
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
