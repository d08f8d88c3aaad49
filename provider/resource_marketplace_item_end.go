// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// publishedKey is the private-state key for the places where a resource
// published items.
const publishedKey = "published"

// publishedPlaces maps each place where a resource published items to the hash
// of the published content. Items that existed before the resource have no
// entry, because other users or programs published them.
type publishedPlaces map[string]string

func readPublished(ctx context.Context, private privateReader) publishedPlaces {
	var p publishedPlaces
	text, _ := private.GetKey(ctx, publishedKey)
	if json.Unmarshal(text, &p) != nil {
		return nil
	}
	return p
}

// with merges p and more into a new map. If both have an entry for a place,
// the entry from more wins.
func (p publishedPlaces) with(more publishedPlaces) publishedPlaces {
	all := publishedPlaces{}
	maps.Copy(all, p)
	maps.Copy(all, more)
	return all
}

func (p publishedPlaces) save(ctx context.Context, private privateWriter) diag.Diagnostics {
	text, err := json.Marshal(p)
	if err != nil {
		panic("provider: " + err.Error()) // strings always encode
	}
	return private.SetKey(ctx, publishedKey, text)
}

// itemEnd is the field that determines whether destroy keeps or deletes published
// items.
var itemEnd = &hclspec.Field{Name: "on_destroy", Kind: hclspec.String, Values: []string{"keep", "delete"}}

func checkItemEnd(diags *diag.Diagnostics, v tftypes.Value) {
	if v.IsNull() || !v.IsKnown() {
		return
	}
	places, at := shape.NewPlaces(), hclspec.Path(itemEnd.Name)
	places.Put(at, path.Root(itemEnd.Name))
	report(diags, hclspec.CheckField(itemEnd, stringOr(v, ""), at, places.Sources), places, errorsOnly)
}

func deletesItems(values map[string]tftypes.Value) bool {
	return stringOr(values["on_destroy"], "") == "delete"
}

// warnKept warns that published items remain after their resource is
// destroyed.
func warnKept(ctx context.Context, values map[string]tftypes.Value, private privateReader, diags *diag.Diagnostics) {
	name, to := stringOr(values["name"], ""), shownSource(values)
	switch {
	case !deletesItems(values):
		diags.AddWarning("Published items are kept", fmt.Sprintf("The items named %s remain in %s, because other jobs and lock files may refer to their versions. To delete all versions that this resource published, apply on_destroy = \"delete\" first.", name, to))
	case len(readPublished(ctx, private)) == 0:
		diags.AddWarning("Published items are kept", fmt.Sprintf("The items named %s remain in %s despite on_destroy = \"delete\", because this resource did not publish the items. The items existed before the resource, or were imported.", name, to))
	}
}

// shownSource returns the marketplace of a resource, without credentials in
// the URL.
func shownSource(values map[string]tftypes.Value) string {
	return userinfo.ReplaceAllString(stringOr(values["to"], ""), "//")
}

// Delete implements resource.Resource. Published items remain unless on_destroy
// is delete.
func (r *itemResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	values := attributesOf(req.State.Raw)
	places := readPublished(ctx, req.Private)
	if !deletesItems(values) || len(places) == 0 {
		return
	}
	set, m := r.conn.openMarketplace(stringOr(values["to"], ""), stringOr(values["token_env"], ""))
	tree := ""
	for _, place := range sortedKeys(places) {
		done, err := set.Withdraw(ctx, m, place, places[place])
		if err != nil {
			resp.Diagnostics.AddError("The items were not deleted", fmt.Sprintf("delete %s from %s: %s", stringOr(values["name"], ""), shownSource(values), errorText(err)))
			return
		}
		reportWithdrawn(place, done, &resp.Diagnostics)
		tree = cmp.Or(done.WorkTree, tree)
	}
	if tree != "" {
		resp.Diagnostics.AddWarning("The deletion is not committed", "Files were deleted in the git work tree "+tree+". Commit and push the deletion there.")
	}
}

func reportWithdrawn(place string, done *marketplace.Withdrawn, diags *diag.Diagnostics) {
	if done.Kept {
		diags.AddWarning("Published items are kept", fmt.Sprintf("%s remains, because its content has changed since publication.", place))
	}
}
