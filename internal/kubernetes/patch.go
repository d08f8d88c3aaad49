// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
)

// operation is one step of a JSON patch.
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value"`
}

func test(path string, value any) operation    { return operation{"test", path, value} }
func replace(path string, value any) operation { return operation{"replace", path, value} }
func add(path string, value any) operation     { return operation{"add", path, value} } // replaces an existing value

// pointerKey escapes a key for a JSON pointer.
func pointerKey(key string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}

// patchFramework changes a Framework if all tests in the patch succeed.
// Otherwise, the API server returns an Invalid error (422).
func (c *Cluster) patchFramework(ctx context.Context, name, what string, patch []operation) error {
	return c.patchedFramework(ctx, name, what, patch, nil)
}

// patchedFramework also stores the changed Framework in *into, unless into is
// nil.
func (c *Cluster) patchedFramework(ctx context.Context, name, what string, patch []operation, into *liveFramework) error {
	r := api.Request{
		Method: http.MethodPatch, Path: api.Frameworks.Path(c.namespace, name), ContentType: api.TypeJSONPatch,
		Query: url.Values{"fieldManager": {api.FieldManager}}, Body: patch,
		What: fmt.Sprintf("%s Framework %s", what, name),
	}
	var err error
	if into == nil {
		r.Accept = api.MetadataOnly
		err = c.do(ctx, r, nil)
	} else {
		err = c.do(ctx, r, into)
	}
	var refused *api.Error
	if apierrors.IsInvalid(err) && errors.As(err, &refused) {
		refused.Advice = "The Framework probably changed after it was read; plan again"
	}
	return err
}

func (c *Cluster) merge(ctx context.Context, k api.Resource, name string, fields any) error {
	return c.do(ctx, api.Request{
		Method: http.MethodPatch, Path: k.Path(c.namespace, name), ContentType: api.TypeMerge, Accept: api.MetadataOnly,
		Query: url.Values{"fieldManager": {api.FieldManager}}, Body: fields,
		What: fmt.Sprintf("change %s %s", k.Kind, name),
	}, nil)
}
