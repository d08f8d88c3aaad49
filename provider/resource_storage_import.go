// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// importedKey is the private-state key that marks a storage as imported. An
// import does not change the owner of the storage. If the storage has an owner,
// a different resource in this state or in another state owns it.
const importedKey = "imported"

func isImported(ctx context.Context, private privateReader) bool {
	text, _ := private.GetKey(ctx, importedKey)
	return string(text) == "true"
}

// ImportState implements resource.ResourceWithImportState. An imported directory is
// never deleted.
func (r *storageResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	r.definitionResource.ImportState(ctx, req, resp)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, importedKey, []byte("true"))...)
	s := storageOf(resp.State.Raw)
	if s.OnDestroy == "delete" && s.HostPath == "" && r.isTaken(ctx, resp.State.Raw) {
		resp.Diagnostics.AddWarning("The storage may have another owner", fmt.Sprintf("%s belongs to the resource that created it, in this state or in another state. Destroying the imported resource keeps the storage, even with on_destroy = \"delete\". To move a storage to a different address in the same state, use a moved block or `state mv` instead of an import.", s.Address()))
	}
}

// isTaken reports whether a storage has an owner. It returns false if the
// cluster cannot be read.
func (r *storageResource) isTaken(ctx context.Context, v tftypes.Value) bool {
	taken, err := r.conn.operation.IsStorageTaken(ctx, r.conn.clusterName(), storageOf(v))
	return err == nil && taken
}

// reportKept reports that destroying an imported storage did not delete
// anything.
func (r *storageResource) reportKept(v tftypes.Value, diags *diag.Diagnostics) {
	objects := "volume and claim are"
	if r.hostPath(v) != "" {
		objects = "directory is"
	}
	diags.AddWarning("The storage was kept", fmt.Sprintf("%s belongs to the resource that created it, in this state or in another state. This resource only imported the storage, so the %s kept despite on_destroy = \"delete\". Only the resource that created the storage can delete it.", storageOf(v).Address(), objects))
}
