// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"net/http"
	"net/url"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/planner/render"
)

// priorityClass returns a PriorityClass whose value depends on the current time.
func (c *Cluster) priorityClass(s cluster.Submission) *framework.PriorityClass {
	if s.Manifest.PriorityClass == nil {
		return nil
	}
	class := *s.Manifest.PriorityClass
	class.Value = render.Priority(s.Job.Hived, c.options.Now())
	return &class
}

// makePriorityClass creates a missing class. It does not change an existing class,
// because the value of a class is immutable. The record already refers to the
// class; the job is not started yet.
func (c *Cluster) makePriorityClass(ctx context.Context, wanted *framework.PriorityClass) error {
	if wanted == nil {
		return nil
	}
	err := c.do(ctx, api.Request{
		Method: http.MethodPost, Path: api.PriorityClasses.Path("", ""), ContentType: api.TypeJSON, Accept: api.MetadataOnly, Body: wanted,
		Query: url.Values{"fieldManager": {api.FieldManager}, "fieldValidation": {"Strict"}}, What: "create PriorityClass " + wanted.Metadata.Name,
	}, nil)
	if !apierrors.IsAlreadyExists(err) {
		return err
	}
	h, err := c.getHeader(ctx, api.PriorityClasses, wanted.Metadata.Name)
	switch {
	case err != nil:
		return err
	case h == nil: // deleted in the meantime
		return c.makePriorityClass(ctx, wanted)
	}
	return c.ourPriorityClass(h.Metadata)
}

// removePriorityClass does not delete a class of another owner, because classes are
// cluster-scoped.
func (c *Cluster) removePriorityClass(ctx context.Context, r *stored) error {
	if r == nil || r.PriorityClass == "" {
		return nil
	}
	h, err := c.getHeader(ctx, api.PriorityClasses, r.PriorityClass)
	if h == nil || err != nil || c.ourPriorityClass(h.Metadata) != nil {
		return err
	}
	return c.removeVersion(ctx, api.PriorityClasses, h.Metadata, "Background")
}

// forgetClassNotMade removes the PriorityClass from the record of a job that never
// started, if the user may not read the class. Without this permission, the job
// could not start, but the deletion must succeed.
func (c *Cluster) forgetClassNotMade(ctx context.Context, r *stored) error {
	if r == nil || r.PriorityClass == "" {
		return nil
	}
	if _, err := c.getHeader(ctx, api.PriorityClasses, r.PriorityClass); !apierrors.IsForbidden(err) {
		return err
	}
	r.PriorityClass = ""
	if err := c.saveRecord(ctx, r); err != nil {
		return err
	}
	h, err := c.getHeader(ctx, api.ConfigMaps, r.meta.Name)
	if h != nil {
		r.meta = h.Metadata
	}
	return err
}

// ourPriorityClass returns an error if the class does not belong to this
// workspace and namespace.
func (c *Cluster) ourPriorityClass(meta framework.ObjectMeta) error {
	if meta.Annotations[contract.AnnotationNamespace] != c.namespace {
		return &ForeignError{Object: "PriorityClass " + meta.Name, Owner: describeOwner(meta)}
	}
	return c.checkOwner("PriorityClass "+meta.Name, meta)
}
