// SPDX-License-Identifier: MPL-2.0

package api

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// page is one page of a list.
type page[T any] struct {
	Metadata struct {
		Continue string `json:"continue"`
	} `json:"metadata"`
	Items []T `json:"items"`
}

// listTries is the maximum number of times that List reads the first page.
// List starts again from the first page if the continue token has expired.
const listTries = 3

// List reads the objects that the query selects. It reads at most limit objects,
// or all objects if limit is 0.
func List[T any](ctx context.Context, c *Client, k Resource, query url.Values, accept string, limit int) ([]T, error) {
	for tried := 1; ; tried++ {
		all, err := listPages[T](ctx, c, k, query, accept, limit)
		if tried == listTries || !apierrors.IsResourceExpired(err) {
			return all, err
		}
	}
}

func listPages[T any](ctx context.Context, c *Client, k Resource, query url.Values, accept string, limit int) ([]T, error) {
	query = maps.Clone(query)
	if query == nil {
		query = url.Values{}
	}
	size := c.PageSize
	if limit > 0 {
		size = limit
	}
	query.Set("limit", strconv.Itoa(size))
	var all []T
	for {
		var p page[T]
		err := c.Do(ctx, Request{Method: http.MethodGet, Path: k.Path(c.namespace, ""), Query: query, Accept: accept, What: "list objects of kind " + k.Kind}, &p)
		if err != nil {
			return nil, err
		}
		all = append(all, p.Items...)
		if p.Metadata.Continue == "" || limit > 0 {
			return all, nil
		}
		query.Set("continue", p.Metadata.Continue)
	}
}
