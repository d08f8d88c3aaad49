package kubernetes

import (
	"context"
	"net/http"
	"net/url"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// makePriorityClass makes the PriorityClass of a job, after the record that
// names it and before the job starts. One that is there stays as it is: its
// value is that of the first apply, which Kubernetes would not change either.
func (c *Cluster) makePriorityClass(ctx context.Context, wanted *framework.PriorityClass) error {
	if wanted == nil {
		return nil
	}
	err := c.do(ctx, request{
		method: http.MethodPost, path: priorityClasses.path("", ""), contentType: typeJSON, accept: metadataOnly, body: wanted,
		query: url.Values{"fieldManager": {fieldManager}, "fieldValidation": {"Strict"}}, what: "create PriorityClass " + wanted.Metadata.Name,
	}, nil)
	if !apierrors.IsAlreadyExists(err) {
		return err
	}
	h, err := c.getHeader(ctx, priorityClasses, wanted.Metadata.Name)
	switch {
	case err != nil:
		return err
	case h == nil: // deleted meanwhile
		return c.makePriorityClass(ctx, wanted)
	}
	return c.ourPriorityClass(h.Metadata)
}

// removePriorityClass deletes the class that a record names. Classes are of
// the whole cluster; one that is not ours is left alone.
func (c *Cluster) removePriorityClass(ctx context.Context, r *stored) error {
	if r == nil || r.PriorityClass == "" {
		return nil
	}
	h, err := c.getHeader(ctx, priorityClasses, r.PriorityClass)
	if h == nil || err != nil || c.ourPriorityClass(h.Metadata) != nil {
		return err
	}
	return c.removeVersion(ctx, priorityClasses, h.Metadata, "Background")
}

// ourPriorityClass refuses a class of another workspace or namespace.
func (c *Cluster) ourPriorityClass(meta framework.ObjectMeta) error {
	if meta.Annotations[contract.AnnotationNamespace] != c.namespace {
		return &ForeignError{Object: "PriorityClass " + meta.Name, Owner: describeOwner(meta)}
	}
	return c.mine("PriorityClass "+meta.Name, meta)
}
