// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
)

// rest is a client of an OpenPAI Marketplace server. Source of these rules:
// microsoft/openpaimarketplace: rest_server/src/router.js and controllers.
//
// The list has neither pages nor an order, and names are not unique. The list omits
// items shared with a group. Users can read such items by id. Errors are plain
// text. For a missing item, the server sometimes responds with 500 instead of 404.
type rest struct {
	base   string
	client *client
}

// Address implements [Source].
func (r *rest) Address() string { return r.base }

// restItem is an item in the server's format. It contains only the fields that this
// package uses.
type restItem struct {
	ID          string    `json:"id,omitempty"`
	Name        string    `json:"name"`
	Author      string    `json:"author"`
	Type        string    `json:"type"`
	Source      string    `json:"source,omitempty"`
	IsPublic    *bool     `json:"isPublic,omitempty"`
	IsPrivate   *bool     `json:"isPrivate,omitempty"`
	GroupList   []string  `json:"groupList,omitempty"`
	Tags        []string  `json:"tags,omitempty"`
	ItemTags    []restTag `json:"ItemTags,omitempty"`
	Summary     string    `json:"summary,omitempty"`
	Description string    `json:"description,omitempty"`
	Protocol    string    `json:"protocol"`
	Status      string    `json:"status,omitempty"`
}

type restTag struct {
	Name string `json:"name"`
}

// Items implements [Source].
func (r *rest) Items(ctx context.Context, q Query) (*Listing, error) {
	if q.ID != "" {
		return r.byID(ctx, q.ID)
	}
	// The name filter matches only exact item names. It does not match names in
	// the definitions of items. A search by name therefore uses the keyword
	// filter, which also matches substrings.
	target := r.base + "/items"
	if word := q.Name + q.Keyword; word != "" && !strings.ContainsAny(word, "%_") {
		target += "?" + url.Values{"keyword": {word}}.Encode()
	}
	answer, err := r.client.do(ctx, http.MethodGet, target, nil, r.client.limits.ListBytes)
	if err != nil {
		return nil, noServer(err, r.base)
	}
	var rows []restItem
	if err := json.Unmarshal(answer, &rows); err != nil {
		return nil, failure(hclspec.ItemNotParseable, "%s does not respond like an OpenPAI Marketplace server; the base URL of its API often ends with /marketplace/api", r.base)
	}
	l := &Listing{Personal: true}
	for _, row := range rows {
		r.add(l, row)
	}
	return l, nil
}

// noServer explains a 404 response to the list request: the URL is not a
// Marketplace server.
func noServer(err error, base string) error {
	if Is(err, hclspec.ItemNotFound) {
		return failure(hclspec.MarketplaceUnreachable, "%s is not an OpenPAI Marketplace server; the base URL of its API often ends with /marketplace/api", base)
	}
	return err
}

func (r *rest) byID(ctx context.Context, id string) (*Listing, error) {
	target := r.base + "/items/" + url.PathEscape(id)
	answer, err := r.client.do(ctx, http.MethodGet, target, nil, r.client.limits.ListBytes)
	l := &Listing{}
	switch {
	case Is(err, hclspec.ItemNotFound):
		return l, nil
	case err != nil:
		return nil, err
	}
	var row restItem
	if err := json.Unmarshal(answer, &row); err != nil {
		return nil, failure(hclspec.ItemNotParseable, "the response from %s is not a valid item", target)
	}
	r.add(l, row)
	return l, nil
}

func (r *rest) add(l *Listing, row restItem) {
	name := r.base + "/items/" + row.ID
	if int64(len(row.Protocol)) > r.client.limits.FileBytes {
		l.Problems = append(l.Problems, failure(hclspec.ItemTooLarge, "%s is larger than %s", name, quantity.Bytes(r.client.limits.FileBytes)))
		return
	}
	items, diags := ParseFile(name+".yaml", []byte(row.Protocol))
	if diags.HasErrors() || len(items) == 0 {
		l.Problems = append(l.Problems, notParseable(name, diags))
		return
	}
	i := items[0]
	i.ID, i.Place = row.ID, "rest::"+name
	if i.Job != nil && row.Name != "" {
		i.Name = row.Name
	}
	i.Summary, i.Description = cmp.Or(i.Summary, row.Summary), cmp.Or(i.Description, row.Description)
	i.Author = cmp.Or(row.Author, i.Author)
	i.Visibility = visibility(row)
	if len(i.Tags) == 0 {
		i.Tags = row.tags()
	}
	l.Items = append(l.Items, i)
}

func (row restItem) tags() []string {
	var all []string
	for _, t := range row.ItemTags {
		all = append(all, t.Name)
	}
	if len(all) == 0 {
		return row.Tags
	}
	return all
}

func visibility(row restItem) string {
	switch {
	case row.IsPrivate != nil && *row.IsPrivate:
		return "private"
	case row.IsPublic != nil && *row.IsPublic:
		return "public"
	case row.IsPublic == nil && row.IsPrivate == nil:
		return ""
	}
	return "protected"
}
