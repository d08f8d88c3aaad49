// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
)

// maxItems is the API server's limit for the data of a ConfigMap, in bytes.
const maxItems = 1 << 20

// items is a marketplace in a namespace. Each published item file is stored in a
// separate immutable ConfigMap.
type items struct {
	cluster *Cluster
	name    string // name of the cluster block
}

// OpenItems opens the marketplace of a kubernetes block. The cluster defaults to the
// only declared cluster. The namespace defaults to the namespace of the cluster
// block.
func OpenItems(ws *hclspec.Workspace, m *hclspec.Marketplace) (marketplace.Source, error) {
	declared, err := itemsCluster(ws, m)
	if err != nil {
		return nil, err
	}
	there := *declared
	if m.Kubernetes.Namespace != "" {
		there.Namespace = m.Kubernetes.Namespace
	}
	c, err := Open(&there, Options{Workspace: ws.Name})
	if err != nil {
		return nil, err
	}
	if _, err := c.connect(); err != nil {
		return nil, itemsError(hclspec.MarketplaceUnreachable, err, "cannot reach the cluster %q", declared.Name)
	}
	return &items{cluster: c, name: declared.Name}, nil
}

func itemsCluster(ws *hclspec.Workspace, m *hclspec.Marketplace) (*hclspec.Cluster, error) {
	name := strings.TrimPrefix(m.Kubernetes.Cluster, "cluster.")
	if name != "" {
		if c := ws.Cluster(name); c != nil {
			return c, nil
		}
		return nil, itemsError(hclspec.MarketplaceInCluster, nil, "its kubernetes block refers to the cluster %q, which no cluster block declares", name)
	}
	var names []string
	for _, c := range ws.Clusters {
		names = append(names, `"`+c.Name+`"`)
	}
	switch len(names) {
	case 0:
		return nil, itemsError(hclspec.MarketplaceInCluster, nil, "its kubernetes block requires a cluster; declare a cluster block")
	case 1:
		return ws.Clusters[0], nil
	}
	return nil, itemsError(hclspec.MarketplaceInCluster, nil, "its kubernetes block must set a cluster; choose one of %s", strings.Join(names, ", "))
}

func itemsError(kind *hclspec.Entry, cause error, format string, args ...any) error {
	return &marketplace.Error{Kind: kind, Detail: fmt.Sprintf(format, args...), Cause: cause}
}

// Address implements marketplace.Source.
func (s *items) Address() string {
	return "kubernetes://" + url.PathEscape(s.name) + "/" + url.PathEscape(s.cluster.namespace)
}

// Items implements marketplace.Source. It returns all items with one list
// request.
func (s *items) Items(ctx context.Context, _ marketplace.Query) (*marketplace.Listing, error) {
	found, err := listAll[*framework.ConfigMap](ctx, s.cluster, api.ConfigMaps, typeSelector(contract.TypeItems), "", 0)
	if err != nil {
		return nil, s.refused(err, "read")
	}
	l := &marketplace.Listing{}
	for _, o := range found {
		for _, key := range slices.Sorted(maps.Keys(o.Data)) {
			if marketplace.IsItemFile(key) {
				l.AddFile(key, s.Address()+"/"+o.Metadata.Name, []byte(o.Data[key]))
			}
		}
	}
	return l, nil
}

// refused converts an API server error into an error of package marketplace.
func (s *items) refused(err error, what string) error {
	var known *marketplace.Error
	switch {
	case errors.As(err, &known), errors.Is(err, context.Canceled):
		return err
	case apierrors.IsForbidden(err), apierrors.IsUnauthorized(err):
		return itemsError(hclspec.MarketplaceNotPermitted, err, "you may not %s items in the namespace %q of the cluster %q", what, s.cluster.namespace, s.name)
	case apierrors.IsNotFound(err):
		return itemsError(hclspec.CannotPublish, err, "the cluster %q has no namespace %q", s.name, s.cluster.namespace)
	}
	return itemsError(hclspec.MarketplaceUnreachable, err, "cannot access the cluster %q", s.name)
}

// Publish implements marketplace.Publisher by creating an immutable ConfigMap. If
// two users publish the same version, the second publication fails.
func (s *items) Publish(ctx context.Context, p *marketplace.Publication, version string) (*marketplace.Published, error) {
	fresh, err := s.unpublished(ctx, p)
	if err != nil || len(fresh) == 0 {
		return &marketplace.Published{}, err
	}
	if len(p.Text) > maxItems {
		return nil, itemsError(hclspec.ItemTooLarge, nil, "%s has %d bytes; a ConfigMap can contain at most %d", p.Name, len(p.Text), maxItems)
	}
	o := s.object(p, version)
	err = s.cluster.do(ctx, api.Request{
		Method: http.MethodPost, Path: api.ConfigMaps.Path(s.cluster.namespace, ""), ContentType: api.TypeJSON, Accept: api.MetadataOnly, Body: o,
		Query: url.Values{"fieldManager": {api.FieldManager}, "fieldValidation": {"Strict"}}, What: "create ConfigMap " + o.Metadata.Name,
	}, nil)
	place := s.Address() + "/" + o.Metadata.Name
	if apierrors.IsAlreadyExists(err) {
		return s.published(ctx, p, place)
	}
	if err != nil {
		return nil, s.refused(err, "publish")
	}
	return &marketplace.Published{Places: []string{place}}, nil
}

// Withdraw implements marketplace.Withdrawer by deleting the ConfigMap of a
// publication.
func (s *items) Withdraw(ctx context.Context, name, hash string) (*marketplace.Withdrawn, error) {
	var o framework.ConfigMap
	err := s.cluster.get(ctx, api.ConfigMaps, name, &o)
	switch {
	case api.IsNotFound(err):
		return &marketplace.Withdrawn{}, nil
	case err != nil:
		return nil, s.refused(err, "read")
	}
	same := o.Metadata.Labels[contract.KeyType] == contract.TypeItems && len(o.Data) == 1
	for _, text := range o.Data {
		same = same && marketplace.Hash([]byte(text)) == hash
	}
	if !same {
		return &marketplace.Withdrawn{Kept: true}, nil
	}
	if err := s.cluster.removeVersion(ctx, api.ConfigMaps, o.Metadata, "Background"); err != nil {
		return nil, s.refused(err, "delete")
	}
	return &marketplace.Withdrawn{}, nil
}

func (s *items) unpublished(ctx context.Context, p *marketplace.Publication) ([]*marketplace.Item, error) {
	l, err := s.Items(ctx, marketplace.Query{})
	if err != nil {
		return nil, err
	}
	return p.Unpublished(l)
}

// published returns the result for a ConfigMap that already exists. It fails if
// the content differs. The content is identical if an earlier request succeeded
// but its response was lost.
func (s *items) published(ctx context.Context, p *marketplace.Publication, place string) (*marketplace.Published, error) {
	fresh, err := s.unpublished(ctx, p)
	if err != nil {
		return nil, err
	}
	if len(fresh) > 0 {
		return nil, itemsError(hclspec.CannotPublish, nil, "%s already exists with different content; choose a different name for the file", place)
	}
	return &marketplace.Published{Places: []string{place}}, nil
}

func (s *items) object(p *marketplace.Publication, version string) *framework.ConfigMap {
	file := notInKey.ReplaceAllString(p.FileName(version), "-")
	return &framework.ConfigMap{
		APIVersion: "v1", Kind: "ConfigMap", Immutable: new(true), Data: map[string]string{file: string(p.Text)},
		Metadata: framework.ObjectMeta{
			Name: contract.ItemsConfigMap(file), Namespace: s.cluster.namespace,
			Labels: map[string]string{contract.LabelManagedBy: contract.ManagedBy, contract.KeyType: contract.TypeItems},
		},
	}
}

// notInKey matches the characters that are invalid in a ConfigMap key.
var notInKey = regexp.MustCompile(`[^-._a-zA-Z0-9]+`)
