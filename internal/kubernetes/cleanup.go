// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"net/url"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/render"
)

// CleanUp implements cluster.Cleaner. After the last job of the workspace is
// deleted, it removes the key for secret versions, and the volumes and claims of
// storages with on_destroy = "delete".
func (c *Cluster) CleanUp(ctx context.Context, by planner.Declarer) error {
	c.mu.Lock()
	deleted := c.deleted
	c.mu.Unlock()
	if !deleted {
		return nil
	}
	remaining, err := listHeaders(ctx, c, api.Frameworks, workspaceSelector(c.options.Workspace), 1)
	if err != nil || len(remaining) > 0 {
		return err
	}
	remaining, err = listHeaders(ctx, c, api.ConfigMaps, recordSelector(c.options.Workspace), 1)
	if err != nil || len(remaining) > 0 {
		return err
	}
	if by != planner.DeclaredByTerraform {
		if err := c.removeStorages(ctx); err != nil {
			return err
		}
	}
	// removeOwn also removes an unreadable or damaged key.
	if c.removedKey, err = c.readSecretKey(ctx, c.options.Workspace); err == nil && c.removedKey == nil {
		return nil
	}
	return c.removeOwn(ctx, cluster.ObjectID{Kind: api.Secrets.Kind, Name: keyName(c.options.Workspace)})
}

// removeStorages deletes the claims and volumes of storages with on_destroy =
// "delete", except storages that a Terraform state owns.
func (c *Cluster) removeStorages(ctx context.Context) error {
	owned := map[string]bool{}
	for _, k := range []api.Resource{api.Claims, api.Volumes} {
		all, err := listHeaders(ctx, c, k, workspaceSelector(c.options.Workspace), 0)
		if err := ignoreForbidden(err); err != nil {
			return err // a user who may not list volumes cannot have created volumes
		}
		for _, o := range all {
			a := o.Metadata.Annotations
			owned[a[contract.KeyAddress]] = owned[a[contract.KeyAddress]] || a[contract.AnnotationDeclaredBy] != ""
			if a[contract.AnnotationOnDestroy] != "delete" || owned[a[contract.KeyAddress]] || c.checkOwner(k.Kind, o.Metadata) != nil {
				continue
			}
			if k == api.Volumes && !c.isVolumeHere(o.Metadata) {
				continue
			}
			if err := c.removeVersion(ctx, k, o.Metadata, "Background"); err != nil {
				return err
			}
		}
	}
	return nil
}

// isVolumeHere reports whether a volume belongs to this namespace. A workspace
// with the same name in another namespace uses the same labels.
func (c *Cluster) isVolumeHere(meta framework.ObjectMeta) bool {
	storage := hclspec.StorageClusterName(hclspec.Address(meta.Annotations[contract.KeyAddress]))
	return meta.Name == render.VolumeName(c.namespace, c.options.Workspace, storage)
}

// markDeleted records that the last job of the workspace may have been deleted.
func (c *Cluster) markDeleted() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.deleted = true
}

func workspaceSelector(workspace string) url.Values {
	return url.Values{"labelSelector": {contract.KeyWorkspace + "=" + contract.LabelValue(workspace)}}
}

// typeSelector selects objects of a type in all workspaces.
func typeSelector(kind string) url.Values {
	return url.Values{"labelSelector": {contract.KeyType + "=" + kind}}
}

func recordSelector(workspace string) url.Values {
	return url.Values{"labelSelector": {workspaceSelector(workspace).Get("labelSelector") + "," + typeSelector(typeRecord).Get("labelSelector")}}
}
