package kubernetes

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// get reads one object.
func (c *Cluster) get(ctx context.Context, k resource, name string, out any) error {
	if _, err := c.connect(); err != nil {
		return err
	}
	return c.do(ctx, request{
		method: http.MethodGet, path: k.path(c.namespace, name),
		what: fmt.Sprintf("read %s %s", k.kind, name),
	}, out)
}

// header is what every object has.
type header struct {
	APIVersion string               `json:"apiVersion"`
	Kind       string               `json:"kind"`
	Metadata   framework.ObjectMeta `json:"metadata"`
}

// getHeader reads the metadata of one object; nil when there is none.
func (c *Cluster) getHeader(ctx context.Context, k resource, name string) (*header, error) {
	if _, err := c.connect(); err != nil {
		return nil, err
	}
	var h header
	err := c.do(ctx, request{
		method: http.MethodGet, path: k.path(c.namespace, name), accept: metadataOnly,
		what: fmt.Sprintf("read %s %s", k.kind, name),
	}, &h)
	if isNotFound(err) {
		return nil, nil
	}
	return &h, err
}

// apply makes an object as it is given, by server-side apply. With force it
// takes fields from other managers; it is used for objects that nobody else
// has a reason to write.
func (c *Cluster) apply(ctx context.Context, k resource, name string, object any, force bool) error {
	if _, err := c.connect(); err != nil {
		return err
	}
	q := url.Values{"fieldManager": {fieldManager}, "fieldValidation": {"Strict"}}
	if force {
		q.Set("force", "true")
	}
	return c.do(ctx, request{
		method: http.MethodPatch, path: k.path(c.namespace, name), query: q, contentType: typeApply, accept: metadataOnly, body: object,
		what: fmt.Sprintf("apply %s %s", k.kind, name),
	}, nil)
}

// removeVersion deletes an object unless another one has its name by now.
func (c *Cluster) removeVersion(ctx context.Context, k resource, meta framework.ObjectMeta, propagation string) error {
	return c.removeIf(ctx, k, meta, propagation, map[string]any{"uid": meta.UID})
}

// removeUnchanged deletes an object unless it changed since it was read.
func (c *Cluster) removeUnchanged(ctx context.Context, k resource, meta framework.ObjectMeta) error {
	return c.removeIf(ctx, k, meta, "Background", map[string]any{"uid": meta.UID, "resourceVersion": meta.ResourceVersion})
}

// removeIf deletes an object if the preconditions hold; that they do not is no
// error.
func (c *Cluster) removeIf(ctx context.Context, k resource, meta framework.ObjectMeta, propagation string, preconditions map[string]any) error {
	err := c.do(ctx, request{
		method: http.MethodDelete, path: k.path(c.namespace, meta.Name), contentType: typeJSON,
		body: map[string]any{
			"apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": propagation, "preconditions": preconditions,
		},
		what: fmt.Sprintf("delete %s %s", k.kind, meta.Name),
	}, nil)
	if isNotFound(err) || apierrors.IsConflict(err) {
		return nil
	}
	return err
}
