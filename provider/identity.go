// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// identityVersion is the version of the identity schemas. Version 0 had no
// cluster and no namespace.
const identityVersion = 1

// identityLocations are the identity attributes that contain the location of a
// resource.
var identityLocations = []string{"cluster", "namespace"}

// identitySchema adds the location attributes.
func identitySchema(own map[string]identityschema.Attribute) identityschema.Schema {
	own["cluster"] = identityschema.StringAttribute{OptionalForImport: true, Description: "URL of the API server, or local; defaults to the cluster of the provider block."}
	own["namespace"] = identityschema.StringAttribute{OptionalForImport: true, Description: "Namespace on the cluster; defaults to the namespace of the provider block."}
	return identityschema.Schema{Version: identityVersion, Attributes: own}
}

// identityUpgrades upgrades identities of version 0, which do not contain a
// location. The upgraded identities have no location either.
func identityUpgrades() map[int64]resource.IdentityUpgrader {
	return map[int64]resource.IdentityUpgrader{0: {IdentityUpgrader: upgradeIdentity}}
}

func upgradeIdentity(ctx context.Context, req resource.UpgradeIdentityRequest, resp *resource.UpgradeIdentityResponse) {
	var before map[string]string
	if err := json.Unmarshal(req.RawIdentity.JSON, &before); err != nil {
		resp.Diagnostics.AddError("Cannot read the identity", "The identity in the state is not an object whose values are all strings. Remove the resource from the state with `terraform state rm`, then import it again.")
		return
	}
	resp.Identity.Raw = tftypes.NewValue(resp.Identity.Schema.Type().TerraformType(ctx), nil)
	for name, value := range before {
		resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root(name), value)...)
	}
}

// identityLocation returns the location attributes for all resources of the
// connection. It omits unknown values.
func (c *connection) identityLocation() map[string]string {
	at := map[string]string{}
	opened, err := c.Cluster()
	if err != nil {
		return at
	}
	at["cluster"] = "local"
	if of, ok := opened.(cluster.Namespacer); ok {
		delete(at, "cluster")
		if namespace, err := of.Namespace(); err == nil {
			at["namespace"] = namespace
		}
	}
	if of, ok := opened.(cluster.Addressed); ok {
		if server, err := of.Server(); err == nil {
			at["cluster"] = server
		}
	}
	return at
}

// identify sets the location only once, so that resources keep their identity
// when the URL of the cluster changes. The parameter identity is nil for
// Terraform versions without identity support.
func (c *connection) identify(ctx context.Context, identity *tfsdk.ResourceIdentity, own map[string]string, diags *diag.Diagnostics) {
	if identity == nil {
		return
	}
	if !isIdentified(identity.Raw) {
		for name, value := range c.identityLocation() {
			diags.Append(identity.SetAttribute(ctx, path.Root(name), value)...)
		}
	}
	for name, value := range own {
		diags.Append(identity.SetAttribute(ctx, path.Root(name), value)...)
	}
}

func isIdentified(identity tftypes.Value) bool {
	for _, v := range attributesOf(identity) {
		if v.IsKnown() && !v.IsNull() {
			return true
		}
	}
	return false
}

// checkIdentityLocation rejects an identity if its location differs from the
// location of the provider block.
func (c *connection) checkIdentityLocation(identity tftypes.Value, diags *diag.Diagnostics) bool {
	values, here := attributesOf(identity), c.identityLocation()
	for _, name := range identityLocations {
		want := stringOr(values[name], "")
		if want != "" && strings.TrimSuffix(want, "/") != here[name] {
			diags.AddAttributeError(path.Root(name), NothingToImport.Summary, fmt.Sprintf("The identity belongs to the %s %q, but the provider block is for %q. Use the provider block of that %s.", name, want, here[name], name))
			return false
		}
	}
	return true
}

func stringsOf(values map[string]tftypes.Value, names []string) map[string]string {
	all := map[string]string{}
	for _, name := range names {
		all[name] = stringOr(values[name], "")
	}
	return all
}
