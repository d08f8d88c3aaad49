package provider

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// keeper returns the cluster when it keeps storages, else nil.
func (r *storageResource) keeper() (cluster.StorageKeeper, error) {
	if r.conn == nil || r.conn.settings.Cluster == nil {
		return nil, nil
	}
	opened, err := r.conn.Cluster()
	if err != nil {
		return nil, err
	}
	k, _ := opened.(cluster.StorageKeeper)
	return k, nil
}

// storageOf reads a declaration that was checked.
func storageOf(v tftypes.Value) *hclspec.Storage {
	s := &hclspec.Storage{Name: stringOr(attributesOf(v)["name"], "unnamed")}
	shape.NewDecoder().Decode(storageObject, v, s, hclspec.Path(s.Address()), path.Empty())
	return s
}

// createClaim makes the volume and claim of a storage, or looks for the claim
// that it adopts.
func (r *storageResource) createClaim(ctx context.Context, v tftypes.Value, diags *diag.Diagnostics) {
	k, err := r.keeper()
	s := storageOf(v)
	if err == nil && k != nil {
		err = k.MakeStorage(ctx, s)
	}
	var known *kubernetes.StorageError
	switch {
	case errors.As(err, &known):
		diags.AddAttributeError(path.Root(kindOf(v)), known.Entry().Summary, fmt.Sprintf("%s: %s. %s", s.Address(), errorText(err), known.Entry().Advice))
	case err != nil:
		diags.AddError("The storage was not made", fmt.Sprintf("make %s: %s", s.Address(), errorText(err)))
	}
}

// kindOf is the attribute that says what a storage is.
func kindOf(v tftypes.Value) string {
	values := attributesOf(v)
	for _, kind := range []string{"claim", "nfs", "azure_file", "azure_blob", "csi"} {
		if !values[kind].IsNull() {
			return kind
		}
	}
	return "host_path"
}

// hasClaim reports whether the claim of a storage is there; true where it needs
// none or the cluster cannot be asked yet.
func (r *storageResource) hasClaim(ctx context.Context, v tftypes.Value, diags *diag.Diagnostics) bool {
	k, err := r.keeper()
	if errors.Is(err, errUnknown) || err == nil && k == nil {
		return true
	}
	there := false
	if err == nil {
		there, err = k.HasStorage(ctx, storageOf(v))
	}
	if err != nil {
		diags.AddError("The storage was not read", fmt.Sprintf("read %s: %s", storageOf(v).Address(), errorText(err)))
	}
	return there || err != nil
}

// removeClaim deletes what was made for a storage that is declared to go.
func (r *storageResource) removeClaim(ctx context.Context, v tftypes.Value, diags *diag.Diagnostics) {
	s := storageOf(v)
	if s.OnDestroy != "delete" {
		return
	}
	k, err := r.keeper()
	if err == nil && k != nil {
		err = k.RemoveStorage(ctx, s)
	}
	if err != nil {
		diags.AddError("The storage was not removed", fmt.Sprintf("remove %s: %s", s.Address(), errorText(err)))
	}
}
