// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// storagePlan is the plan of one storage. The fields before and after are the
// addresses in the state and in the plan. Each address is "" if it does not
// exist or is unknown.
type storagePlan struct {
	*storageResource
	before, after hclspec.Address
	planned       tftypes.Value
	second        bool // this is the second plan call for a replacement, which has no prior state
	// keepsDirectory reports whether the plan keeps the local directory. In this
	// case, only the name of the storage may change.
	keepsDirectory bool
	diags          *diag.Diagnostics
}

// knownAddress returns the address in a state or plan, or "" if the address is
// unknown.
func (r *storageResource) knownAddress(v tftypes.Value) hclspec.Address {
	if v.IsNull() || !r.isAddressKnown(v) {
		return ""
	}
	return r.address(v)
}

// claim reports a second resource with the same storage name. Destroying one
// resource would delete the storage of the other resource.
func (p *storagePlan) claim() {
	switch {
	case p.second:
	case p.before != "" && p.planned.IsNull():
		p.claimAs(p.before, endsJob)
	case p.before != "" && p.before == p.after:
		p.claimAs(p.before, keepsJob)
	case p.before != "" && p.after != "":
		p.claimAs(p.before, endsJob)
		p.claimAs(p.after, createsJob)
	case p.after != "":
		p.claimAs(p.after, createsJob)
	}
}

func (p *storagePlan) claimAs(address hclspec.Address, u use) {
	if p.conn.names.claim(address.String(), u) != noCollision {
		p.diags.AddAttributeError(path.Root("name"), StorageExists.Summary, fmt.Sprintf("Another openpai_storage in this configuration or state has the address %s. Change the name of one of the resources. If the address of the resource changed, add a moved block. If the state has two resources for one storage, remove one resource from the state with `state rm`, which does not delete the storage.%s", address, destroyAdvice))
	}
}

// checkOwner rejects a new storage that already exists in another state. If the
// cluster cannot be read yet, apply checks the owner.
func (p *storagePlan) checkOwner(ctx context.Context) {
	if p.after == "" || p.before == p.after || p.keepsDirectory || p.second || p.diags.HasError() || !p.conn.names.isNew(p.after.String()) || !attributesOf(p.planned)["claim"].IsNull() {
		return
	}
	if _, err := p.conn.Cluster(); err != nil {
		return
	}
	taken, err := p.conn.operation.IsStorageTaken(ctx, p.conn.clusterName(), storageOf(p.planned))
	if err == nil && taken {
		p.reportTaken(p.planned, p.diags)
	}
}

// inStateKey is the private-state key that marks a storage as part of a state.
// With this key, the second plan call for a replacement differs from the plan
// call for a new resource.
const inStateKey = "in_state"

func markInState(ctx context.Context, private privateWriter) diag.Diagnostics {
	return private.SetKey(ctx, inStateKey, []byte("true"))
}

func isInState(ctx context.Context, private privateReader) bool {
	text, _ := private.GetKey(ctx, inStateKey)
	return string(text) == "true"
}
