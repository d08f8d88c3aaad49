// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
)

const sourceDoc = "Directory; git address; http(s) URL of an item file; base URL of an OpenPAI Marketplace server; or " + inClusterDoc

const inClusterDoc = "`kubernetes://` for the cluster of the provider block, optionally followed by a different namespace."

const tokenDoc = "Environment variable with the credential for the source."

// itemAttributes returns the computed attributes of an item.
func itemAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"hash":        computedString("Hash of the definition (first 12 digits). The same definition has the same hash in every source."),
		"place":       computedString("The exact address of the item."),
		"title":       computedString("Title of the item."),
		"summary":     computedString("One-line summary of the item."),
		"description": computedString("Description of the item."),
		"author":      computedString("Author of the item."),
		"tags":        schema.ListAttribute{Computed: true, ElementType: types.StringType, MarkdownDescription: "Search keywords."},
	}
}

func itemTree(i *marketplace.Item) map[string]any {
	tags := make([]any, len(i.Tags))
	for n, tag := range i.Tags {
		tags[n] = tag
	}
	return map[string]any{
		"hash": shortHash(i.Hash()), "place": stringOrNull(i.Place), "title": stringOrNull(i.Title), "summary": stringOrNull(i.Summary),
		"description": stringOrNull(i.Description), "author": stringOrNull(i.Author), "tags": tags,
	}
}

var itemSource = dataSource{
	name: "marketplace_item",
	schema: schema.Schema{
		MarkdownDescription: "An item of a marketplace. If the lock file `.openpai.lock.hcl` contains the item from the same source, the data source reads the locked item with all its requirements. The lock file is in the working directory (or `local.directory`). A job sets `use` to the `definition` of the item. A plan therefore includes the item with all its requirements. A changed item appears as a change to each job that uses the item.",
		Attributes: mergeAttributes(itemAttributes(), map[string]schema.Attribute{
			"source":       schema.StringAttribute{Required: true, MarkdownDescription: sourceDoc},
			"token_env":    schema.StringAttribute{Optional: true, MarkdownDescription: tokenDoc},
			"name":         schema.StringAttribute{Required: true, MarkdownDescription: "Name of the item."},
			"type":         schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: "Type of the item, required if the name is ambiguous."},
			"hash":         schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: "Hash of the definition, or at least the first 12 digits of the hash, such as `h1:610c2bfe56a6`. Reading fails if the hash of the item differs. If `hash` is unset, the data source sets it to the first 12 digits of the item's hash. The same definition has the same hash in every source."},
			"item_version": schema.StringAttribute{Optional: true, MarkdownDescription: "Exact version. Defaults to the locked version, or to the newest version if none is locked. A version that is neither set nor locked causes a warning unless `hash` is set."},
			"version":      computedString("Version of the item that was read."),
			"definition":   computedString("The prerequisite with all its requirements; null for a whole job."),
			"job":          schema.DynamicAttribute{Computed: true, MarkdownDescription: "A whole job as an object with the attributes of an `openpai_job`; null for a prerequisite."},
		}),
	},
	read: readItemSource,
}

func readItemSource(ctx context.Context, c *connection, config map[string]tftypes.Value, resp *datasource.ReadResponse) map[string]any {
	source, hash := stringOr(config["source"], ""), stringOr(config["hash"], "")
	set, _ := c.openMarketplace(source, stringOr(config["token_env"], ""))
	reference := marketplace.Reference{Name: stringOr(config["name"], ""), Type: stringOr(config["type"], ""), Version: stringOr(config["item_version"], ""), From: marketplaceName}
	lock, diags := c.lockedItems(set, source)
	for _, d := range diags {
		resp.Diagnostics.AddAttributeError(path.Root("source"), d.Summary, placed(d))
	}
	if diags.HasErrors() {
		return nil
	}
	found, def, err := lock.read(ctx, reference)
	isLocked := found != nil
	if err == nil && !isLocked {
		found, def, err = readNewest(ctx, set, source, reference)
	}
	if err != nil {
		itemError(&resp.Diagnostics, path.Root("name"), sourceError(err))
		return nil
	}
	if !checkPinned(&resp.Diagnostics, found, hash, isLocked || reference.Version != "") {
		return nil
	}
	return foundTree(found, def, hash)
}

// readNewest reads the newest version unless the reference specifies a
// version.
func readNewest(ctx context.Context, set *marketplace.Set, source string, r marketplace.Reference) (*marketplace.Found, *definition, error) {
	found, err := set.Find(ctx, r.String(), marketplace.Any)
	if err != nil || found.Job != nil {
		return found, nil, err
	}
	def, err := itemDefinition(ctx, set, source, r.String())
	return found, def, err
}

// foundTree returns the attributes of a found item. It does not shorten a
// configured hash of more than 12 digits.
func foundTree(found *marketplace.Found, def *definition, hash string) map[string]any {
	out := itemTree(found.Item)
	if hash != "" {
		out["hash"] = hash
	}
	out["type"], out["version"], out["definition"], out["job"] = found.Type, stringOrNull(found.Version), nil, nil
	if found.Job != nil {
		out["job"] = jobObject.Encode(found.Job)
	} else {
		out["definition"] = def.text()
	}
	return out
}

// checkPinned reports an error and returns false if an item differs from the
// reviewed item. It warns about an item that is not pinned, because the item
// may change between plans.
func checkPinned(diags *diag.Diagnostics, found *marketplace.Found, hash string, pinned bool) bool {
	switch {
	case hash == "" && !pinned:
		diags.AddAttributeWarning(path.Root("name"), "Item is not pinned", pinAdvice(found))
	case hash != "" && (len(hash) < len(shortHash(found.Hash())) || !strings.HasPrefix(found.Hash(), hash)):
		known, pinned := shortHash(found.Hash()), shortHash(hash)
		if known == pinned { // a later digit differs
			known, pinned = found.Hash(), hash
		}
		diags.AddAttributeError(path.Root("hash"), "Item has another hash",
			fmt.Sprintf("%s has the hash %q, not %q. Review the item, then set its hash.", versionOf(found), known, pinned))
		return false
	}
	return true
}

// pinAdvice recommends item_version and hash for an item with versions, and
// only hash for other items. If only the hash is set, every newer version
// causes an error.
func pinAdvice(found *marketplace.Found) string {
	hash := shortHash(found.Hash())
	if found.Version == "" {
		return fmt.Sprintf("%s has no version. If the item changes, plans use the changed item. Set hash = %q.", found.Name, hash)
	}
	return fmt.Sprintf("%s is the newest version. After a newer version is published, plans use that version. Set item_version = %q and hash = %q.", versionOf(found), found.Version, hash)
}

// versionOf returns the name of an item and its version, if any.
func versionOf(found *marketplace.Found) string {
	return strings.TrimSpace(found.Name + " " + found.Version)
}

// itemError reports an error with the summary of the error's catalog entry.
func itemError(diags *diag.Diagnostics, at path.Path, err error) {
	summary := "Cannot use the marketplace"
	var known *marketplace.Error
	if errors.As(err, &known) && known.Kind != nil {
		summary = known.Kind.Summary
	}
	diags.AddAttributeError(at, summary, errorText(err))
}

var itemsSource = dataSource{
	name: "marketplace_items",
	schema: schema.Schema{
		MarkdownDescription: "The items of a marketplace.",
		Attributes: map[string]schema.Attribute{
			"source":    schema.StringAttribute{Required: true, MarkdownDescription: sourceDoc},
			"token_env": schema.StringAttribute{Optional: true, MarkdownDescription: tokenDoc},
			"keyword":   schema.StringAttribute{Optional: true, MarkdownDescription: "Search term, for sources that support search."},
			"items": schema.ListNestedAttribute{
				Computed: true, MarkdownDescription: "The items, in the order of the source.",
				NestedObject: schema.NestedAttributeObject{Attributes: mergeAttributes(itemAttributes(), map[string]schema.Attribute{
					"name":    computedString("Name of the item."),
					"type":    computedString("Type of the item; `job` for a whole job."),
					"version": computedString("Version of the item."),
				})},
			},
		},
	},
	read: readItemsSource,
}

func readItemsSource(ctx context.Context, c *connection, config map[string]tftypes.Value, resp *datasource.ReadResponse) map[string]any {
	set, m := c.openMarketplace(stringOr(config["source"], ""), stringOr(config["token_env"], ""))
	listing, err := set.List(ctx, m, marketplace.Query{Keyword: stringOr(config["keyword"], "")})
	if err != nil {
		itemError(&resp.Diagnostics, path.Root("source"), sourceError(err))
		return nil
	}
	for _, problem := range listing.Problems {
		resp.Diagnostics.AddAttributeWarning(path.Root("source"), problem.Kind.Summary, problem.Error())
	}
	list := make([]any, len(listing.Items))
	for n, i := range listing.Items {
		tree := itemTree(i)
		tree["name"], tree["type"], tree["version"] = i.Name, i.Type, stringOrNull(i.Version)
		list[n] = tree
	}
	return map[string]any{"items": list}
}
