package kubernetes

import (
	"context"
	"encoding/json"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/planner/render"
)

// applyStorages makes the volumes and claims of a job that do not exist yet.
// They belong to the workspace and are shared by its jobs; each is sent once.
func (c *Cluster) applyStorages(ctx context.Context, m *render.Manifest) error {
	for _, v := range m.Volumes {
		if err := c.applyOnce(ctx, api.Volumes, v.Metadata.Name, v); err != nil {
			return err
		}
	}
	for _, claim := range m.Claims {
		if err := c.applyOnce(ctx, api.Claims, claim.Metadata.Name, claim); err != nil {
			return err
		}
	}
	return nil
}

// applyOnce applies an object unless this process has done so already.
func (c *Cluster) applyOnce(ctx context.Context, k api.Resource, name string, object any) error {
	text, err := json.Marshal(object)
	if err != nil {
		panic("kubernetes: " + err.Error())
	}
	id := cluster.ObjectID{Kind: k.Kind, Name: name}.String()
	c.mu.Lock()
	known := c.applied[id] == string(text)
	c.mu.Unlock()
	if known {
		return nil
	}
	if err := c.apply(ctx, k, name, object, false); err != nil {
		return c.immutableError(ctx, k, name, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.applied[id] = string(text)
	return nil
}
