// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"

	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
)

// itemList lists the item files of a marketplace.
type itemList struct{ itemResource }

var _ list.ListResourceWithConfigure = (*itemList)(nil)

// ListResourceConfigSchema implements list.ListResource.
func (l *itemList) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The items of a marketplace. Lists every item file once, with its newest version.",
		Attributes: map[string]schema.Attribute{
			"to":        schema.StringAttribute{Required: true, MarkdownDescription: sourceDoc},
			"token_env": schema.StringAttribute{Optional: true, MarkdownDescription: tokenDoc},
		},
	}
}

// List implements list.ListResource.
func (l *itemList) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	config := attributesOf(req.Config.Raw)
	to := stringOr(config["to"], "")
	set, m := l.conn.openMarketplace(to, stringOr(config["token_env"], ""))
	listing, err := set.List(ctx, m, marketplace.Query{})
	if err != nil {
		stream.Results = list.ListResultsStreamDiagnostics(diag.Diagnostics{diag.NewErrorDiagnostic("Cannot read the items", errorText(err))})
		return
	}
	newest := map[string]*marketplace.Item{}
	for _, i := range listing.Items {
		name := i.PublishedAs()
		newest[name] = listing.NewestOf(name)
	}
	stream.Results = func(yield func(list.ListResult) bool) {
		for n, name := range sortedKeys(newest) {
			if req.Limit > 0 && int64(n) == req.Limit || !yield(l.result(ctx, req, to, name, newest[name])) {
				return
			}
		}
	}
}

func (l *itemList) result(ctx context.Context, req list.ListRequest, to, name string, i *marketplace.Item) list.ListResult {
	r := req.NewListResult(ctx)
	r.DisplayName = name
	if i.Version != "" {
		r.DisplayName += " " + i.Version
	}
	l.conn.identify(ctx, r.Identity, map[string]string{"to": to, "name": name}, &r.Diagnostics)
	if req.IncludeResource {
		r.Resource.Raw = itemState(to, name, i, r.Resource.Raw.Type())
	}
	return r
}
