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
	"github.com/openpai/terraform-provider-openpai/internal/operation"
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
	s, _ := placedStorage(v)
	return s
}

// placedStorage also returns where the attributes are.
func placedStorage(v tftypes.Value) (*hclspec.Storage, *shape.Places) {
	s := &hclspec.Storage{Name: stringOr(attributesOf(v)["name"], "unnamed")}
	d := shape.NewDecoder()
	d.Decode(storageObject, v, s, hclspec.Path(s.Address()), path.Empty())
	return s, d.Places
}

// createClaim makes the volume and claim of a storage, or looks for the claim
// that it adopts.
func (r *storageResource) createClaim(ctx context.Context, v tftypes.Value, diags *diag.Diagnostics) {
	if r.conn == nil || r.conn.settings.Cluster == nil {
		return
	}
	s, places := placedStorage(v)
	_, err := r.conn.Cluster()
	if err == nil {
		err = r.conn.operation.MakeStorage(ctx, r.conn.clusterName(), s, places.Sources)
	}
	var refused *operation.Refused
	switch {
	case errors.As(err, &refused):
		report(diags, refused.Diagnostics, places, errorsOnly)
	case err != nil:
		diags.AddError("The storage was not made", fmt.Sprintf("make %s: %s", s.Address(), errorText(err)))
	}
}

// hasClaim reports whether the claim of a storage is there; true where it needs
// none or the cluster cannot be asked yet.
func (r *storageResource) hasClaim(ctx context.Context, v tftypes.Value, diags *diag.Diagnostics) bool {
	k, err := r.keeper()
	if errors.Is(err, errUnknown) {
		r.conn.warnUnknown(diags)
		return true
	}
	if err == nil && k == nil {
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
