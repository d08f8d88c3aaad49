package kubernetes

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
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

// listTries is how often a list is begun whose later pages the server forgot.
const listTries = 3

// listAll reads the objects that the query selects: the first ones with a
// limit, else all.
func listAll[T any](ctx context.Context, c *Cluster, k resource, query url.Values, accept string, limit int) ([]T, error) {
	if _, err := c.connect(); err != nil {
		return nil, err
	}
	for tried := 1; ; tried++ {
		all, err := listPages[T](ctx, c, k, query, accept, limit)
		if tried == listTries || !apierrors.IsResourceExpired(err) {
			return all, err
		}
	}
}

func listPages[T any](ctx context.Context, c *Cluster, k resource, query url.Values, accept string, limit int) ([]T, error) {
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
