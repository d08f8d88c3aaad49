// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"net/url"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
)

// do sends a request to the cluster. Like the methods below, it connects before
// the first request.
func (c *Cluster) do(ctx context.Context, r api.Request, out any) error {
	client, err := c.connect()
	if err != nil {
		return err
	}
	return client.Do(ctx, r, out)
}

func (c *Cluster) get(ctx context.Context, k api.Resource, name string, out any) error {
	client, err := c.connect()
	if err != nil {
		return err
	}
	return client.Get(ctx, k, name, out)
}

func (c *Cluster) getHeader(ctx context.Context, k api.Resource, name string) (*api.Header, error) {
	client, err := c.connect()
	if err != nil {
		return nil, err
	}
	return client.GetHeader(ctx, k, name)
}

func (c *Cluster) apply(ctx context.Context, k api.Resource, name string, object any, force bool) error {
	client, err := c.connect()
	if err != nil {
		return err
	}
	return client.Apply(ctx, k, name, object, force)
}

func (c *Cluster) removeVersion(ctx context.Context, k api.Resource, meta framework.ObjectMeta, propagation string) error {
	client, err := c.connect()
	if err != nil {
		return err
	}
	return client.DeleteVersion(ctx, k, meta, propagation)
}

func listAll[T any](ctx context.Context, c *Cluster, k api.Resource, query url.Values, accept string, limit int) ([]T, error) {
	client, err := c.connect()
	if err != nil {
		return nil, err
	}
	return api.List[T](ctx, client, k, query, accept, limit)
}

// listHeaders reads all objects if limit is 0.
func listHeaders(ctx context.Context, c *Cluster, k api.Resource, query url.Values, limit int) ([]api.Header, error) {
	return listAll[api.Header](ctx, c, k, query, api.MetadataOnlyList, limit)
}
