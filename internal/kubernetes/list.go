package kubernetes

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"strconv"
)

// pageSize is the number of objects of one page of a list; tests lower it.
var pageSize = 500

// page is one page of a list.
type page[T any] struct {
	Metadata struct {
		Continue string `json:"continue"`
	} `json:"metadata"`
	Items []T `json:"items"`
}

// listAll reads every object that the query selects, page by page.
func listAll[T any](ctx context.Context, c *Cluster, k resource, query url.Values, accept string, limit int) ([]T, error) {
	if _, err := c.connect(); err != nil {
		return nil, err
	}
	query = maps.Clone(query)
	if query == nil {
		query = url.Values{}
	}
	size := pageSize
	if limit > 0 {
		size = limit
	}
	query.Set("limit", strconv.Itoa(size))
	var all []T
	for {
		var p page[T]
		err := c.do(ctx, request{method: http.MethodGet, path: k.path(c.namespace, ""), query: query, accept: accept, what: "list objects of kind " + k.kind}, &p)
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

// listHeaders reads the metadata of objects; with a limit, of the first ones.
func listHeaders(ctx context.Context, c *Cluster, k resource, query url.Values, limit int) ([]header, error) {
	return listAll[header](ctx, c, k, query, metadataOnlyList, limit)
}
