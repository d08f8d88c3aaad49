// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

const policiesDoc = "Directory of policies for all jobs. Its `*.pai.hcl` files contain `policy` and `variable` blocks; see the page about policies. The provider checks one resource at a time during plan and apply. With `for_each = plan`, a policy therefore receives only one job. If a policy depends on an unknown value, the provider checks the policy when the value is known. `OPENPAI_POLICY` may contain additional directories, separated by commas."

// policies returns the policies of both the provider block and the
// environment. It returns false if the directory is unknown.
func (p *openpai) policies(v tftypes.Value, diags *diag.Diagnostics) (all []*hclspec.Policy, known bool) {
	if v.Type() != nil && !v.IsKnown() {
		return nil, false
	}
	var dirs, environ []string
	if dir := stringOr(v, ""); dir != "" {
		dirs = []string{dir}
	}
	if list, ok := p.lookup(workspace.PolicyVariable); ok {
		environ = []string{workspace.PolicyVariable + "=" + list}
	}
	loaded, found := workspace.LoadPolicies(workspace.PolicyDirectories(environ, dirs))
	reported := &diag.Diagnostics{}
	report(reported, found, shape.NewPlaces(), errorsOnly)
	for _, d := range *reported {
		diags.AddAttributeError(path.Root("policies"), d.Summary(), d.Detail())
	}
	return loaded.All, true
}
