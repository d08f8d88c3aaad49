// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

var (
	_ resource.ResourceWithIdentity    = (*itemResource)(nil)
	_ resource.ResourceWithImportState = (*itemResource)(nil)
)

// itemIdentity lists the identity attributes of items.
var itemIdentity = []string{"to", "name"}

// IdentitySchema implements resource.ResourceWithIdentity.
func (r *itemResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identitySchema(map[string]identityschema.Attribute{
		"to":   identityschema.StringAttribute{RequiredForImport: true, Description: "Place where the items are published."},
		"name": identityschema.StringAttribute{RequiredForImport: true, Description: "Name of the item file, without its extension; on a server, the name of the item."},
	})
}

// UpgradeIdentity implements resource.ResourceWithUpgradeIdentity.
func (r *itemResource) UpgradeIdentity(context.Context) map[int64]resource.IdentityUpgrader {
	return identityUpgrades()
}

// ImportState implements resource.ResourceWithImportState. The user specifies
// an identity or an ID. The ID consists of the location and the name,
// separated by #. ImportState imports the newest version.
func (r *itemResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	to, name := req.ID, ""
	if cut := strings.LastIndex(req.ID, "#"); cut >= 0 {
		to, name = req.ID[:cut], req.ID[cut+1:]
	}
	if req.ID == "" && req.Identity != nil {
		values := attributesOf(req.Identity.Raw)
		to, name = stringOr(values["to"], ""), stringOr(values["name"], "")
		if !r.conn.checkIdentityLocation(req.Identity.Raw, &resp.Diagnostics) {
			return
		}
	}
	if to == "" || name == "" {
		resp.Diagnostics.AddError(NothingToImport.Summary, "Use LOCATION#NAME, such as ./marketplace#mnist.")
		return
	}
	item, err := r.newest(ctx, to, name)
	if err != nil {
		itemError(&resp.Diagnostics, path.Root("to"), err)
		return
	}
	if item == nil {
		resp.Diagnostics.AddAttributeError(path.Root("name"), NothingToImport.Summary, fmt.Sprintf("%s has no items with the name %q.", to, name))
		return
	}
	resp.State.Raw = itemState(to, name, item, resp.State.Raw.Type())
	r.identify(ctx, resp.Identity, attributesOf(resp.State.Raw), &resp.Diagnostics)
}

// identify sets the identity.
func (r *itemResource) identify(ctx context.Context, identity *tfsdk.ResourceIdentity, values map[string]tftypes.Value, diags *diag.Diagnostics) {
	r.conn.identify(ctx, identity, stringsOf(values, itemIdentity), diags)
}

func itemState(to, name string, item *marketplace.Item, typ tftypes.Type) tftypes.Value {
	state, err := shape.Value(map[string]any{"to": to, "name": name, "content": string(item.Text)}, typ)
	if err != nil {
		panic("provider: " + err.Error()) // strings always fit
	}
	p, _ := publicationOf(state)
	return withItemOutputs(state, p)
}

// newest returns the item that [marketplace.Listing.NewestOf] finds, or nil.
func (r *itemResource) newest(ctx context.Context, to, name string) (*marketplace.Item, error) {
	set, m := r.conn.openMarketplace(to, "")
	listing, err := set.List(ctx, m, marketplace.Query{})
	if err != nil {
		return nil, err
	}
	return listing.NewestOf(name), nil
}

// sameYAML reports whether two YAML documents have the same values, regardless of
// layout and comments.
func sameYAML(a, b string) bool {
	one, errOne := documents(a)
	two, errTwo := documents(b)
	return errOne == nil && errTwo == nil && reflect.DeepEqual(one, two)
}

func documents(text string) ([]any, error) {
	d := yaml.NewDecoder(bytes.NewReader([]byte(text)))
	var all []any
	for {
		var one any
		err := d.Decode(&one)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
}
