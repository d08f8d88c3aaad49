// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"net/http"
	"net/url"
	"sync"

	"github.com/hashicorp/hcl/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/check"
)

// preflight finds missing permissions before apply writes any object. It sends one
// dry-run request for each kind that only some jobs have. Apply reports all other
// errors when it writes the objects.
func (c *Cluster) preflight(ctx context.Context, d *dependents, class *framework.PriorityClass) error {
	var work []func() error
	try := func(k api.Resource, name string, object any) {
		work = append(work, func() error { return c.tryOnce(ctx, k, name, object) })
	}
	for _, o := range d.owned {
		switch o.kind {
		case api.ServiceAccounts, api.Roles:
			try(o.kind, o.meta.Name, o.body)
		case api.RoleBindings: // a dry run requires the Role, which does not exist yet
			work = append(work, func() error { return c.mayApply(ctx, o.kind, o.meta.Name) })
		}
	}
	for _, v := range d.manifest.Volumes {
		try(api.Volumes, v.Metadata.Name, v)
	}
	for _, claim := range d.manifest.Claims {
		try(api.Claims, claim.Metadata.Name, claim)
	}
	if class != nil {
		try(api.PriorityClasses, class.Metadata.Name, class)
	}
	return api.Parallel(work)
}

func (c *Cluster) tryOnce(ctx context.Context, k api.Resource, name string, object any) error {
	c.mu.Lock()
	if c.tried[k] == nil {
		c.tried[k] = sync.OnceValue(func() error { return c.try(ctx, k, name, object) })
	}
	once := c.tried[k]
	c.mu.Unlock()
	return once()
}

// try sends a dry-run write. It ignores errors, except a forbidden write and
// the cancellation of ctx.
func (c *Cluster) try(ctx context.Context, k api.Resource, name string, object any) error {
	r := api.Request{
		Method: http.MethodPatch, Path: k.Path(c.namespace, name), ContentType: api.TypeApply, Accept: api.MetadataOnly, Body: object,
		Query: url.Values{"fieldManager": {api.FieldManager}, "dryRun": {"All"}}, What: "apply " + k.Kind + " " + name,
	}
	if k == api.PriorityClasses { // created, never patched
		r.Method, r.Path, r.ContentType = http.MethodPost, k.Path("", ""), api.TypeJSON
	}
	if err := c.do(ctx, r, nil); apierrors.IsForbidden(err) || ctx.Err() != nil {
		return err
	}
	return nil
}

// Guard reports conditions that make it unsafe to apply jobs in the namespace.
func (c *Cluster) Guard(ctx context.Context, sources hclspec.SourceMap) (hcl.Diagnostics, error) {
	client, err := c.connect()
	if err != nil {
		return nil, err
	}
	switch living, err := check.RunsOpenPAI(ctx, client); {
	case apierrors.IsForbidden(err): // reported by "cluster check"
		return nil, nil
	case err != nil || !living:
		return nil, err
	}
	return hcl.Diagnostics{hclspec.LivingOpenPAI.At(sources.Range(c.declared.Path),
		"OpenPAI's database-controller runs without retain mode in the namespace %q of the cluster %q. The controller would delete every job that you apply there. Choose another namespace: namespace = \"...\".",
		c.namespace, c.declared.Name)}, nil
}
