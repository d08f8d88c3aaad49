// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"

	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// definitionList lists the prerequisites or storages that jobs of the workspace
// use. They exist only in jobs.
type definitionList struct{ definitionResource }

var _ list.ListResourceWithConfigure = (*definitionList)(nil)

// ListResourceConfigSchema implements list.ListResource.
func (l *definitionList) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	doc := "The " + l.kind + "s that jobs of the provider's workspace use. If jobs declare different definitions with the same name, only one of them is listed, with a warning."
	if l.kind == "storage" {
		doc += " Jobs do not record `on_destroy`, so a generated configuration does not contain this attribute. Destroying an imported storage therefore keeps its volume, claim or directory. Adding `on_destroy = \"delete\"` deletes the volume and claim if no resource owns the storage."
	}
	resp.Schema = schema.Schema{MarkdownDescription: doc}
}

// List implements list.ListResource.
func (l *definitionList) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	known, err := l.conn.definitions(ctx)
	if err != nil {
		stream.Results = list.ListResultsStreamDiagnostics(diag.Diagnostics{diag.NewErrorDiagnostic("Cannot read the jobs", errorText(err))})
		return
	}
	found := l.byAddress(known)
	stream.Results = func(yield func(list.ListResult) bool) {
		for n, address := range sortedKeys(found) {
			if req.Limit > 0 && int64(n) == req.Limit || !yield(l.result(ctx, req, address, found[address])) {
				return
			}
		}
	}
}

// byAddress groups the definitions that jobs use, first by address and then
// by digest.
func (l *definitionList) byAddress(known []*definition) map[string]map[string]*definition {
	found := map[string]map[string]*definition{}
	for _, def := range known {
		for key := range l.bodiesOf(def) {
			address, only := addressOf(key), def.subset(key)
			if found[address] == nil {
				found[address] = map[string]*definition{}
			}
			found[address][only.digest()] = only
		}
	}
	return found
}

func (l *definitionList) result(ctx context.Context, req list.ListRequest, address string, same map[string]*definition) list.ListResult {
	r := req.NewListResult(ctx)
	r.DisplayName = strings.TrimPrefix(address, l.kind+".")
	digests := sortedKeys(same)
	if len(digests) > 1 {
		r.Diagnostics.AddWarning("Different declarations of one address", fmt.Sprintf("Jobs of the workspace use different declarations of %s. Import one of them by its id: %s.", address, strings.Join(digests, ", ")))
	}
	only := same[digests[0]]
	tree, err := l.declarationOf(only, only.Use)
	if err != nil {
		r.Diagnostics.AddError(InvalidDefinition.Summary, errorText(err))
		return r
	}
	own := map[string]string{}
	for _, label := range l.labels {
		own[label], _ = tree[label].(string)
	}
	l.conn.identify(ctx, r.Identity, own, &r.Diagnostics)
	if !req.IncludeResource {
		return r
	}
	state, err := shape.Value(tree, r.Resource.Raw.Type())
	if err != nil {
		r.Diagnostics.AddError(InvalidDefinition.Summary, fmt.Sprintf("A different version of the provider wrote the definition of %s: %s.", address, err))
		return r
	}
	r.Resource.Raw = l.outputs(state, l.decode(state))
	return r
}
