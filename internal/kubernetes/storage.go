package kubernetes

import (
	"context"
	"fmt"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/planner/render"
)

// MakeStorage makes the volume and the claim of a storage for the jobs of the
// workspace, as the first job that mounts it would. Nothing is made for a storage
// that adopts a claim, and a volume that is there never changes: see
// cluster.StorageFixed.
func (c *Cluster) MakeStorage(ctx context.Context, s *hclspec.Storage) error {
	volume, claim, err := c.storageObjects(s)
	if claim == nil || err != nil {
		return err
	}
	for _, o := range []cluster.ObjectID{{Kind: api.Claims.Kind, Name: claim.Metadata.Name}, {Kind: api.Volumes.Kind, Name: volume.Metadata.Name}} {
		if err := c.checkNotDeleted(ctx, o); err != nil {
			return err
		}
	}
	return c.applyStorages(ctx, &render.Manifest{Volumes: []*framework.PersistentVolume{volume}, Claims: []*framework.PersistentVolumeClaim{claim}})
}

// checkNotDeleted fails when an object is there but is being deleted: what is applied
// to it would go with it.
func (c *Cluster) checkNotDeleted(ctx context.Context, o cluster.ObjectID) error {
	k, _ := byKind(o.Kind)
	h, err := c.getHeader(ctx, k, o.Name)
	if err != nil || h == nil || h.Metadata.DeletionTimestamp == nil {
		return err
	}
	return fmt.Errorf("%s is still being deleted, which waits for the tasks that use it; apply again when it is gone", o)
}

// HasStorage reports whether the claim of a storage is there and stays. A
// directory of the nodes needs none.
func (c *Cluster) HasStorage(ctx context.Context, s *hclspec.Storage) (bool, error) {
	if s.HostPath != "" {
		return true, nil
	}
	h, err := c.getHeader(ctx, api.Claims, render.ClaimName(c.options.Workspace, s.Name, s))
	return h != nil && h.Metadata.DeletionTimestamp == nil, err
}

// RemoveStorage deletes the claim and the volume that were made for a storage.
// What somebody else made stays.
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

// removeOwn deletes an object of the workspace, if it is there.
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
