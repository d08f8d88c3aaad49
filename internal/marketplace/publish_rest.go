// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/message"
)

// publish posts missing items. Source of the rules:
// microsoft/openpaimarketplace: rest_server/src/controllers/item.js.
func (r *rest) publish(ctx context.Context, p *Publication) (*Published, error) {
	l, err := r.published(ctx, p)
	if err != nil {
		return nil, err
	}
	fresh, err := p.Unpublished(l)
	if err != nil {
		return nil, err
	}
	out := &Published{}
	for _, i := range fresh {
		author, err := r.author(i, p)
		if err != nil {
			return out, err
		}
		place, err := r.post(ctx, i, p, author)
		if err != nil {
			return out, after(out.Places, err)
		}
		out.Places = append(out.Places, place)
		out.Hidden = out.Hidden || p.visibility(i) == visibilityProtected
	}
	return out, nil
}

// published returns the items on the server with a name or id from the
// publication. It also searches by id, because lists omit items shared with
// groups, even for the author.
func (r *rest) published(ctx context.Context, p *Publication) (*Listing, error) {
	all := &Listing{}
	for _, i := range p.Items {
		author, err := r.author(i, p)
		if err != nil {
			return nil, err
		}
		for _, q := range []Query{{Name: i.Definition()}, {ID: itemID(author, i)}} {
			l, err := r.Items(ctx, q)
			if err != nil {
				return nil, err
			}
			all.Items = append(all.Items, l.Items...)
		}
	}
	return all, nil
}

// after adds the addresses of already published items to an error.
func after(places []string, err error) error {
	var e *Error
	if len(places) == 0 || !errors.As(err, &e) {
		return err
	}
	return &Error{Kind: e.Kind, Detail: e.Error() + "; items published before this error: " + strings.Join(places, ", "), hint: e.hint}
}

// author returns the owner of an item. The owner must be the user of the token.
func (r *rest) author(i *Item, p *Publication) (string, error) {
	author := cmp.Or(p.Author, r.client.user(), i.Author)
	if author == "" {
		return "", failure(hclspec.CannotPublish, "the server requires an author, but neither the item nor the token contains an author").with(message.HintAuthor, "")
	}
	return author, nil
}

func (r *rest) post(ctx context.Context, i *Item, p *Publication, author string) (string, error) {
	visible := p.visibility(i)
	isPublic, isPrivate := visible == "public", visible == "private"
	kind := "template"
	if i.Type == "data" {
		kind = "data"
	}
	row := restItem{
		ID: itemID(author, i), Name: i.Definition(), Author: author, Type: kind, Source: "marketplace", IsPublic: &isPublic, IsPrivate: &isPrivate,
		Summary: short(cmp.Or(i.Summary, i.Title), 255), Description: cmp.Or(i.Description, i.Usage), Tags: i.Tags, Status: "approved",
	}
	if visible == visibilityProtected {
		row.GroupList = p.Groups
	}
	if i.Job != nil {
		row.Protocol = string(i.rowText())
		place, err := r.create(ctx, row, i)
		if !Is(err, hclspec.CannotPublish) {
			return place, err
		}
		// The server's schema does not support some fields of the job, such as
		// values for items.
	}
	row.Protocol = string(writeCarrier(i))
	return r.create(ctx, row, i)
}

// rowText returns a job as protocol YAML. It does not change a file that is
// already protocol YAML.
func (i *Item) rowText() []byte {
	if isHCL(i.File) {
		return i.Content
	}
	return i.Text
}

// create posts a row and returns the address of the new item. After an error,
// create looks up the id: the server can store a row and still return an error.
func (r *rest) create(ctx context.Context, row restItem, i *Item) (string, error) {
	body, err := json.Marshal(row)
	if err != nil {
		return "", err
	}
	answer, err := r.client.do(ctx, http.MethodPost, r.base+"/items", body, r.client.limits.FileBytes)
	if Is(err, hclspec.MarketplaceUnreachable) {
		return r.stored(ctx, row, i, err)
	}
	if err != nil {
		return "", err
	}
	var created struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(answer, &created); err != nil || created.ID == "" {
		return "", failure(hclspec.ItemNotParseable, "the response from %s/items does not contain the ID of the new item", r.base)
	}
	return r.base + "/items/" + created.ID, nil
}

// stored returns the address of a row if the server stored it despite an error.
func (r *rest) stored(ctx context.Context, row restItem, i *Item, posting error) (string, error) {
	l, err := r.byID(ctx, row.ID)
	switch {
	case err != nil:
		return "", failure(hclspec.MarketplaceUnreachable, "%s; cannot check whether the server stored the item: %s", posting, err)
	case len(l.Items) == 1 && l.Items[0].Hash() == i.Hash():
		return r.base + "/items/" + row.ID, nil
	}
	return "", failure(hclspec.MarketplaceUnreachable, "%s; the server did not store the item", posting)
}

// short truncates a string to limit characters, the size of a column in the
// server's database.
func short(s string, limit int) string {
	if runes := []rune(s); len(runes) > limit {
		return string(runes[:limit])
	}
	return s
}

// user returns the username in the token, or "". The server compares the username
// with the author.
func (c *client) user() string {
	transport, _ := c.http.Transport.(*credential)
	_, token, _ := strings.Cut(transport.header, " ")
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return ""
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	var claims struct {
		Username string `json:"username"`
	}
	if err != nil || json.Unmarshal(payload, &claims) != nil {
		return ""
	}
	return claims.Username
}

// itemID returns the id of an item on a server. The server accepts ids from
// clients and rejects existing ids. Each version of an item therefore has a
// fixed address, even if lists omit the item. The id is a version 8 UUID.
// Source: RFC 9562, section 5.8.
func itemID(author string, i *Item) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{"openpai", author, i.Type, i.Definition(), i.Version}, "\x00")))
	id := sum[:16]
	id[6] = id[6]&0x0f | 0x80
	id[8] = id[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}
