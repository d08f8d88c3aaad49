// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// IdentitySchema implements resource.ResourceWithIdentity.
func (r *definitionResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	attributes := map[string]identityschema.Attribute{}
	for _, label := range r.labels {
		attributes[label] = identityschema.StringAttribute{RequiredForImport: true, Description: "The " + label + " of the " + r.kind + "."}
	}
	resp.IdentitySchema = identitySchema(attributes)
}

// UpgradeIdentity implements resource.ResourceWithUpgradeIdentity.
func (r *definitionResource) UpgradeIdentity(context.Context) map[int64]resource.IdentityUpgrader {
	return identityUpgrades()
}

// ImportState implements resource.ResourceWithImportState. The ID is an
// address or a definition. For an address, ImportState searches the
// definitions in the jobs of the workspace.
func (r *definitionResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	id := strings.TrimPrefix(req.ID, r.kind+".")
	if req.ID == "" && req.Identity != nil {
		if !r.conn.checkIdentityLocation(req.Identity.Raw, &resp.Diagnostics) {
			return
		}
		id = r.shortAddress(r.address(req.Identity.Raw))
	}
	tree, err := r.imported(ctx, id)
	if err != nil {
		resp.Diagnostics.AddAttributeError(path.Root("name"), NothingToImport.Summary, fmt.Sprintf("import %s.%s: %s", r.kind, id, errorText(err)))
		return
	}
	state, err := shape.Value(tree, resp.State.Raw.Type())
	if err != nil {
		resp.Diagnostics.AddError(InvalidDefinition.Summary, fmt.Sprintf("A different version of the provider wrote the definition of %s.%s: %s.", r.kind, id, err))
		return
	}
	resp.State.Raw = r.outputs(state, r.decode(state))
	r.identify(ctx, state, resp.Identity, &resp.Diagnostics)
}

// imported returns the attributes of the definition with the given ID.
func (r *definitionResource) imported(ctx context.Context, id string) (map[string]any, error) {
	if def, ok := parseDefinition(id); ok {
		return r.declarationOf(def, def.Use)
	}
	known, err := r.conn.definitions(ctx)
	if err != nil {
		return nil, err
	}
	found := map[string]*definition{}
	for _, def := range known {
		for key := range r.bodiesOf(def) {
			if only := def.subset(key); only.isNamed(r.shortAddress(hclspec.Address(key)), id) {
				found[only.digest()] = only
			}
		}
	}
	switch digests := slices.Sorted(maps.Keys(found)); len(digests) {
	case 0:
		return nil, fmt.Errorf("no job of the workspace %s uses this address; use the definition as the ID, or declare the resource again", r.conn.Workspace)
	case 1:
		only := found[digests[0]]
		return r.declarationOf(only, only.Use)
	default:
		return nil, fmt.Errorf("jobs of the workspace use different declarations of this address; use one of these IDs: %s", strings.Join(digests, ", "))
	}
}

// isNamed reports whether id is the address of the definition, with or without
// its digest.
func (d *definition) isNamed(short, id string) bool {
	_, digest, _ := strings.Cut(d.digest(), "#")
	return addressOf(short) == id || addressOf(short)+"#"+digest == id
}

// digest returns the address, #, and a hash of the content.
func (d *definition) digest() string {
	sum := sha256.Sum256([]byte(d.text()))
	return addressOf(d.Use) + "#" + hex.EncodeToString(sum[:6])
}

// bodiesOf returns storages for a storage resource, otherwise prerequisites.
func (r *definitionResource) bodiesOf(def *definition) bodies {
	if r.kind == "storage" {
		return def.Storages
	}
	return def.Prerequisites
}

// declarationOf returns the attributes of a body. References become
// definitions, as in a configuration.
func (r *definitionResource) declarationOf(def *definition, key string) (map[string]any, error) {
	body, ok := r.bodiesOf(def)[key]
	if !ok {
		return nil, fmt.Errorf("the definition contains no body for %s", key)
	}
	parsed, err := shape.ParseJSON(body)
	if err != nil {
		return nil, fmt.Errorf("read the definition of %s: %w", key, err)
	}
	tree, ok := parsed.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("the definition of %s is not an object", key)
	}
	replaceReferences(tree, def.reference)
	parts := strings.SplitN(r.shortAddress(hclspec.Address(addressOf(key))), ".", len(r.labels))
	for i, label := range r.labels[:len(parts)] {
		tree[label] = parts[i]
	}
	return tree, nil
}
