// SPDX-License-Identifier: MPL-2.0

package api

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// Get reads one object.
func (c *Client) Get(ctx context.Context, k Resource, name string, out any) error {
	return c.Do(ctx, Request{
		Method: http.MethodGet, Path: k.Path(c.namespace, name),
		What: fmt.Sprintf("read %s %s", k.Kind, name),
	}, out)
}

// Header contains the fields that all objects have in common.
type Header struct {
	APIVersion string               `json:"apiVersion"`
	Kind       string               `json:"kind"`
	Metadata   framework.ObjectMeta `json:"metadata"`
}

// GetHeader reads the metadata of one object. It returns nil if the object does
// not exist.
func (c *Client) GetHeader(ctx context.Context, k Resource, name string) (*Header, error) {
	var h Header
	err := c.Do(ctx, Request{
		Method: http.MethodGet, Path: k.Path(c.namespace, name), Accept: MetadataOnly,
		What: fmt.Sprintf("read %s %s", k.Kind, name),
	}, &h)
	if IsNotFound(err) {
		return nil, nil
	}
	return &h, err
}

// Apply creates or updates an object with server-side apply. With force, it takes
// over fields that other managers own. Use force only for objects that no other
// program should write.
func (c *Client) Apply(ctx context.Context, k Resource, name string, object any, force bool) error {
	q := url.Values{"fieldManager": {FieldManager}, "fieldValidation": {"Strict"}}
	if force {
		q.Set("force", "true")
	}
	return c.Do(ctx, Request{
		Method: http.MethodPatch, Path: k.Path(c.namespace, name), Query: q, ContentType: TypeApply, Accept: MetadataOnly, Body: object,
		What: fmt.Sprintf("apply %s %s", k.Kind, name),
	}, nil)
}

// DeleteVersion deletes an object unless a new object with the same name has
// replaced it.
func (c *Client) DeleteVersion(ctx context.Context, k Resource, meta framework.ObjectMeta, propagation string) error {
	return c.deleteIf(ctx, k, meta, propagation, map[string]any{"uid": meta.UID})
}

// DeleteUnchanged deletes an object whose UID and resource version match
// meta.
func (c *Client) DeleteUnchanged(ctx context.Context, k Resource, meta framework.ObjectMeta) error {
	return c.deleteIf(ctx, k, meta, "Background", map[string]any{"uid": meta.UID, "resourceVersion": meta.ResourceVersion})
}

// deleteIf deletes an object that satisfies the preconditions. A missing
// object or a failed precondition is not an error.
func (c *Client) deleteIf(ctx context.Context, k Resource, meta framework.ObjectMeta, propagation string, preconditions map[string]any) error {
	err := c.Do(ctx, Request{
		Method: http.MethodDelete, Path: k.Path(c.namespace, meta.Name), ContentType: TypeJSON,
		Body: map[string]any{
			"apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": propagation, "preconditions": preconditions,
		},
		What: fmt.Sprintf("delete %s %s", k.Kind, meta.Name),
	}, nil)
	if IsNotFound(err) || apierrors.IsConflict(err) {
		return nil
	}
	return err
}
