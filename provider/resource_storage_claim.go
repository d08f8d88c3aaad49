// SPDX-License-Identifier: MPL-2.0

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

// keeper returns the cluster if it manages storages, otherwise nil.
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

// storageOf decodes a declaration that was already checked.
func storageOf(v tftypes.Value) *hclspec.Storage {
	s, _ := placedStorage(v)
	return s
}

// placedStorage is like storageOf, but also returns the attribute paths.
func placedStorage(v tftypes.Value) (*hclspec.Storage, *shape.Places) {
	s := &hclspec.Storage{Name: stringOr(attributesOf(v)["name"], "unnamed")}
	d := shape.NewDecoder()
	d.Decode(storageObject, v, s, hclspec.Path(s.Address()), path.Empty())
	return s, d.Places
}

// create makes this resource the owner of the storage. The result is true if the
// directory did not exist.
func (r *storageResource) create(ctx context.Context, v tftypes.Value, diags *diag.Diagnostics) (created bool) {
	s, places := placedStorage(v)
	err := r.withCluster(func(cluster string) (err error) {
		created, err = r.conn.operation.CreateStorage(ctx, cluster, s, places.Sources)
		return err
	})
	r.reportMake(v, err, diags)
	return created
}

// renew creates the missing parts of a storage that this resource owns.
func (r *storageResource) renew(ctx context.Context, v tftypes.Value, diags *diag.Diagnostics) {
	if dir := r.hostPath(v); dir != "" {
		_, err := createDirectory(dir)
		r.reportMake(v, err, diags)
		return
	}
	s, places := placedStorage(v)
	r.reportMake(v, r.withCluster(func(cluster string) error {
		return r.conn.operation.MakeStorage(ctx, cluster, s, places.Sources)
	}), diags)
}

// withCluster calls do with the name of the cluster. It does nothing if the
// provider is not configured.
func (r *storageResource) withCluster(do func(cluster string) error) error {
	if r.conn == nil {
		return nil
	}
	if _, err := r.conn.Cluster(); err != nil {
		return err
	}
	return do(r.conn.clusterName())
}

func (r *storageResource) reportMake(v tftypes.Value, err error, diags *diag.Diagnostics) {
	s, places := placedStorage(v)
	var refused *operation.Refused
	switch {
	case errors.As(err, &refused):
		report(diags, refused.Diagnostics, places, errorsOnly)
	case errors.Is(err, cluster.ErrStorageTaken):
		r.reportTaken(v, diags)
	case err != nil && r.hostPath(v) != "":
		diags.AddAttributeError(path.Root("host_path"), "Cannot create the directory", fmt.Sprintf("create the directory of %s: %s", s.Name, errorText(err)))
	case err != nil:
		diags.AddError("Cannot create the storage", fmt.Sprintf("create %s: %s", s.Address(), errorText(err)))
	}
}

// reportTaken reports that a storage belongs to another resource. With
// host_path, the other resource owns the directory, and the storage of that
// resource may have a different name.
func (r *storageResource) reportTaken(v tftypes.Value, diags *diag.Diagnostics) {
	d := decodeStorage(v)
	name := stringOr(attributesOf(v)["name"], "")
	id := d.definition
	if len(d.Unknown) > 0 {
		id = name
	}
	at, taken, choice := path.Root("name"), fmt.Sprintf("%s exists and belongs to another state", d.id), "another name"
	if dir := stringOr(attributesOf(v)["host_path"], ""); dir != "" {
		at, taken, choice = path.Root("host_path"), fmt.Sprintf("The directory %q exists and belongs to another openpai_storage, in this state or in another state", dir), "another directory"
	}
	diags.AddAttributeError(at, StorageExists.Summary, fmt.Sprintf("%s. If this resource declares the existing storage, import that storage to the address of this resource:\n\nimport {\n  to = openpai_storage.%s\n  id = %q\n}\n\nOtherwise, choose %s for the storage of this resource.%s", taken, identifier(name), id, choice, destroyAdvice))
}

// hasClaim reports whether the claim of a storage exists. It also returns
// true if the storage requires no claim or the cluster cannot be accessed
// yet.
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
		diags.AddError("Cannot read the storage", fmt.Sprintf("read %s: %s", storageOf(v).Address(), errorText(err)))
	}
	return there || err != nil
}

// end keeps an imported storage that another resource owns. If on_destroy is
// delete, end warns that the storage was kept.
func (r *storageResource) end(ctx context.Context, v tftypes.Value, end operation.StorageEnd, diags *diag.Diagnostics) {
	s := storageOf(v)
	kept := false
	err := r.withCluster(func(cluster string) (err error) {
		kept, err = r.conn.operation.EndStorage(ctx, cluster, s, end)
		return err
	})
	if kept && s.OnDestroy == "delete" {
		r.reportKept(v, diags)
	}
	switch err = warnRemains(err, diags); {
	case err != nil && r.hostPath(v) != "":
		diags.AddAttributeError(path.Root("host_path"), "Cannot remove the directory", errorText(err))
	case err != nil:
		diags.AddError("Cannot remove the storage", fmt.Sprintf("remove %s: %s", s.Address(), errorText(err)))
	}
}
