package kubernetes

import (
	"context"
	"encoding/json"

	"github.com/openpai/terraform-provider-openpai/internal/render"
)

// applyStorages makes the volumes and claims of a job that do not exist yet.
// They belong to the workspace and are shared by its jobs; each is sent once.
func (c *Cluster) applyStorages(ctx context.Context, m *render.Manifest) error {
	for _, v := range m.Volumes {
		if err := c.applyOnce(ctx, volumes, v.Metadata.Name, v); err != nil {
			return err
		}
	}
	for _, claim := range m.Claims {
		if err := c.applyOnce(ctx, claims, claim.Metadata.Name, claim); err != nil {
			return err
		}
	}
	return nil
}

// applyOnce applies an object unless this process has done so already.
func (c *Cluster) applyOnce(ctx context.Context, k resource, name string, object any) error {
	text, err := json.Marshal(object)
	if err != nil {
		panic("kubernetes: " + err.Error())
	}
	id := objectID{k.kind, name}.String()
	c.mu.Lock()
	known := c.applied[id] == string(text)
	c.mu.Unlock()
	if known {
		return nil
	}
	if err := c.apply(ctx, k, name, object, false); err != nil {
		return c.fixed(ctx, k, name, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.applied[id] = string(text)
	return nil
}
