package marketplace

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/message"
)

// publish posts every item that the server does not have. Source of the rules:
// microsoft/openpaimarketplace: rest_server/src/controllers/item.js.
func (r *rest) publish(ctx context.Context, p *Publication) (*Published, error) {
	l := &Listing{}
	for _, i := range p.Items {
		found, err := r.Items(ctx, Query{Name: i.Definition()})
		if err != nil {
			return nil, err
		}
		l.Items = append(l.Items, found.Items...)
	}
	fresh, err := p.Unpublished(l)
	if err != nil {
		return nil, err
	}
	out := &Published{}
	for _, i := range fresh {
		place, err := r.post(ctx, i, p)
		if err != nil {
			return out, err
		}
		out.Places = append(out.Places, place)
	}
	return out, nil
}

func (r *rest) post(ctx context.Context, i *Item, p *Publication) (string, error) {
	author := or(p.Author, or(r.client.user(), i.Author))
	if author == "" {
		return "", failure(hclspec.CannotPublish, "the server wants an author, and neither the item nor the token names one").with(message.HintAuthor, "")
	}
	visible := or(p.Visibility, or(i.Visibility, "public"))
	isPublic, isPrivate := visible == "public", visible == "private"
	kind := "template"
	if i.Type == "data" {
		kind = "data"
	}
	row := restItem{
		Name: i.Definition(), Author: author, Type: kind, Source: "marketplace", IsPublic: &isPublic, IsPrivate: &isPrivate,
		Summary: short(or(i.Summary, i.Title), 255), Description: or(i.Description, i.Usage), Tags: i.Tags, Status: "approved",
	}
	if i.Job != nil {
		row.Protocol = string(i.protocol())
		place, err := r.create(ctx, row)
		if !Is(err, hclspec.CannotPublish) {
			return place, err
		}
		// It has what the server's schema does not know, such as values for
		// what it uses.
	}
	row.Protocol = string(carry(i))
	return r.create(ctx, row)
}

// protocol is the text of a job in protocol YAML, as it was written where that
// is its language.
func (i *Item) protocol() []byte {
	if isHCL(i.File) {
		return i.Content
	}
	return i.Text
}

// create posts a row and returns the address of the new item.
func (r *rest) create(ctx context.Context, row restItem) (string, error) {
	body, err := json.Marshal(row)
	if err != nil {
		return "", err
	}
	answer, err := r.client.do(ctx, http.MethodPost, r.base+"/items", body, r.client.limits.FileBytes)
	if err != nil {
		return "", err
	}
	var created struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(answer, &created); err != nil || created.ID == "" {
		return "", failure(hclspec.ItemNotParseable, "%s/items does not answer with the id of the new item", r.base)
	}
	return r.base + "/items/" + created.ID, nil
}

// short cuts a text to a number of characters, which the server's columns
// have.
func short(s string, limit int) string {
	if runes := []rune(s); len(runes) > limit {
		return string(runes[:limit])
	}
	return s
}

// user is the user that the token names. The server compares it with the
// author.
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
