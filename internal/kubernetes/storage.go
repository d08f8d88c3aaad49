// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"fmt"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/render"
)

// MakeStorage creates the volume and the claim of a storage. Apply creates the same
// objects when it submits the first job that mounts the storage. MakeStorage
// creates nothing for a storage that adopts a claim. It does not change an existing
// volume; see cluster.StorageFixed.
func (c *Cluster) MakeStorage(ctx context.Context, s *hclspec.Storage) error {
	_, err := c.makeStorage(ctx, s, func(*api.Header) error { return nil })
	return err
}

// makeStorage creates the volume and the claim of a storage, and returns the
// claim. It calls check with the existing claim, or with nil if the claim does
// not exist. If check returns an error, makeStorage creates nothing.
func (c *Cluster) makeStorage(ctx context.Context, s *hclspec.Storage, check func(*api.Header) error) (*framework.PersistentVolumeClaim, error) {
	volume, claim, err := c.storageObjects(s)
	if claim == nil || err != nil {
		return nil, err
	}
	existing, err := c.notDeleted(ctx, cluster.ObjectID{Kind: api.Claims.Kind, Name: claim.Metadata.Name})
	if err == nil {
		err = check(existing)
	}
	if err == nil {
		_, err = c.notDeleted(ctx, cluster.ObjectID{Kind: api.Volumes.Kind, Name: volume.Metadata.Name})
	}
	if err != nil {
		return nil, err
	}
	return claim, c.applyStorages(ctx, &render.Manifest{Volumes: []*framework.PersistentVolume{volume}, Claims: []*framework.PersistentVolumeClaim{claim}})
}

// CreateStorage implements cluster.StorageOwner with an annotation on the claim. It
// adds the annotation with a separate patch. Jobs that mount the storage apply the
// claim without the annotation, and would therefore remove an applied annotation.
func (c *Cluster) CreateStorage(ctx context.Context, s *hclspec.Storage) (created bool, err error) {
	claim, err := c.makeStorage(ctx, s, func(existing *api.Header) error {
		if existing != nil && existing.Metadata.Annotations[contract.AnnotationDeclaredBy] != "" {
			return cluster.ErrStorageTaken
		}
		return nil
	})
	if claim == nil || err != nil {
		return false, err
	}
	return true, c.annotateClaim(ctx, claim, planner.DeclaredByTerraform)
}

// HasOwner implements cluster.StorageOwner. One request reads the owners of all
// claims of the workspace. If the request fails, HasOwner returns the error for every
// storage with a claim. If the user may not list claims, HasOwner returns false;
// CreateStorage still checks the owner.
func (c *Cluster) HasOwner(ctx context.Context, s *hclspec.Storage) (bool, error) {
	_, claim, err := c.storageObjects(s)
	if claim == nil || err != nil {
		return false, err
	}
	c.owning.Do(func() { c.ownedClaims, c.owningErr = c.listOwnedClaims(ctx) })
	return c.ownedClaims[claim.Metadata.Name], c.owningErr
}

// IsOwned implements cluster.StorageOwner. Unlike [Cluster.HasOwner], IsOwned
// reads the claim in each call.
func (c *Cluster) IsOwned(ctx context.Context, s *hclspec.Storage) (bool, error) {
	_, claim, err := c.storageObjects(s)
	if claim == nil || err != nil {
		return false, err
	}
	h, err := c.getHeader(ctx, api.Claims, claim.Metadata.Name)
	return h != nil && isOwned(h), err
}

// isOwned reports whether a claim has an owner and is not being deleted.
func isOwned(h *api.Header) bool {
	return h.Metadata.DeletionTimestamp == nil && h.Metadata.Annotations[contract.AnnotationDeclaredBy] != ""
}

// listOwnedClaims returns the result of isOwned for each claim of the
// workspace, by claim name.
func (c *Cluster) listOwnedClaims(ctx context.Context) (map[string]bool, error) {
	all, err := listHeaders(ctx, c, api.Claims, workspaceSelector(c.options.Workspace), 0)
	owned := map[string]bool{}
	for _, h := range all {
		owned[h.Metadata.Name] = isOwned(&h)
	}
	return owned, ignoreForbidden(err)
}

// ReleaseStorage implements cluster.StorageOwner.
func (c *Cluster) ReleaseStorage(ctx context.Context, s *hclspec.Storage) error {
	_, claim, err := c.storageObjects(s)
	if claim == nil || err != nil {
		return err
	}
	return ignoreNotFound(c.annotateClaim(ctx, claim, nil))
}

// annotateClaim removes the annotation if by is nil.
func (c *Cluster) annotateClaim(ctx context.Context, claim *framework.PersistentVolumeClaim, by any) error {
	return c.merge(ctx, api.Claims, claim.Metadata.Name, map[string]any{"metadata": map[string]any{"annotations": map[string]any{contract.AnnotationDeclaredBy: by}}})
}

// notDeleted returns nil if the object does not exist. It fails if the object is
// being deleted, because changes to the object would be lost.
func (c *Cluster) notDeleted(ctx context.Context, o cluster.ObjectID) (*api.Header, error) {
	k, _ := byKind(o.Kind)
	h, err := c.getHeader(ctx, k, o.Name)
	if err != nil || h == nil || h.Metadata.DeletionTimestamp == nil {
		return h, err
	}
	return nil, fmt.Errorf("%s is still being deleted because tasks use it; apply again when the deletion is complete", o)
}

// HasStorage reports whether the claim of a storage exists and is not being
// deleted. A storage in a directory on the nodes does not need a claim.
func (c *Cluster) HasStorage(ctx context.Context, s *hclspec.Storage) (bool, error) {
	if s.HostPath != "" {
		return true, nil
	}
	h, err := c.getHeader(ctx, api.Claims, render.ClaimName(c.options.Workspace, s.Name, s))
	return h != nil && h.Metadata.DeletionTimestamp == nil, err
}

// RemoveStorage deletes the claim and the volume that were created for a storage.
// It fails if an object belongs to another owner.
func (c *Cluster) RemoveStorage(ctx context.Context, s *hclspec.Storage) error {
	volume, claim, err := c.storageObjects(s)
	if claim == nil || err != nil {
		return err
	}
	for _, o := range []cluster.ObjectID{{Kind: api.Claims.Kind, Name: claim.Metadata.Name}, {Kind: api.Volumes.Kind, Name: volume.Metadata.Name}} {
		if err := c.removeOwn(ctx, o); err != nil {
			return err
		}
	}
	return nil
}

// removeOwn succeeds if the object does not exist.
func (c *Cluster) removeOwn(ctx context.Context, o cluster.ObjectID) error {
	k, _ := byKind(o.Kind)
	h, err := c.getHeader(ctx, k, o.Name)
	if h == nil || err != nil {
		return err
	}
	if err := c.checkOwner(o.String(), h.Metadata); err != nil {
		return err
	}
	c.mu.Lock()
	delete(c.applied, o.String())
	c.mu.Unlock()
	return c.removeVersion(ctx, k, h.Metadata, "Background")
}

func (c *Cluster) storageObjects(s *hclspec.Storage) (*framework.PersistentVolume, *framework.PersistentVolumeClaim, error) {
	if _, err := c.connect(); err != nil {
		return nil, nil, err
	}
	volume, claim := render.Storage(c.options.Workspace, c.namespace, s)
	return volume, claim, nil
}
