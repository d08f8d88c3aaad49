// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/yaml"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/render"
)

// applyStorages creates missing volumes and claims. It applies each object only once:
// the jobs of a workspace share the objects.
func (c *Cluster) applyStorages(ctx context.Context, m *render.Manifest) error {
	for _, v := range m.Volumes {
		if err := c.applyOnce(ctx, api.Volumes, v.Metadata, v); err != nil {
			return err
		}
	}
	for _, claim := range m.Claims {
		if err := c.applyOnce(ctx, api.Claims, claim.Metadata, claim); err != nil {
			return err
		}
	}
	return nil
}

// applyOnce applies an object, unless this process has already applied it.
func (c *Cluster) applyOnce(ctx context.Context, k api.Resource, meta framework.ObjectMeta, object any) error {
	text, err := json.Marshal(object)
	if err != nil {
		panic("kubernetes: " + err.Error())
	}
	id := cluster.ObjectID{Kind: k.Kind, Name: meta.Name}.String()
	c.mu.Lock()
	known := c.applied[id] == string(text)
	c.mu.Unlock()
	if known {
		return nil
	}
	if err := c.apply(ctx, k, meta.Name, object, false); err != nil {
		return c.immutableError(ctx, k, meta, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.applied[id] = string(text)
	return nil
}

// immutableError returns a cluster.StorageFixed if the API server rejected a
// change to an existing object. It returns other errors unchanged.
func (c *Cluster) immutableError(ctx context.Context, k api.Resource, meta framework.ObjectMeta, err error) error {
	if !apierrors.IsInvalid(err) {
		return err
	}
	switch h, readErr := c.getHeader(ctx, k, meta.Name); {
	case readErr != nil:
		return errors.Join(err, readErr)
	case h == nil:
		return err
	}
	return &cluster.StorageFixed{
		Storage: hclspec.Address(meta.Annotations[contract.KeyAddress]),
		Object:  cluster.ObjectID{Kind: k.Kind, Name: meta.Name}, Err: err,
	}
}

// storagePermissions reads the table of storage permissions. It returns nil if
// the namespace has no table. It fails if the table is unreadable or invalid,
// because the table might not permit the planned storages.
func (c *Cluster) storagePermissions(ctx context.Context) (*planner.StoragePermissions, error) {
	var o recordObject
	err := c.get(ctx, api.ConfigMaps, contract.StoragePermissions, &o)
	if api.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	place := "ConfigMap " + contract.StoragePermissions
	text, ok := o.Data[contract.StoragePermissionsKey]
	if !ok {
		return nil, fmt.Errorf("read the %s: the key %s is missing; ask a cluster administrator to fix the ConfigMap", place, contract.StoragePermissionsKey)
	}
	table := &planner.StoragePermissions{Place: "the " + place}
	if err = yaml.UnmarshalStrict([]byte(text), table); err == nil {
		err = table.Check()
	}
	if err != nil {
		return nil, fmt.Errorf("read the %s: %w; ask a cluster administrator to fix the ConfigMap", place, err)
	}
	return table, nil
}
