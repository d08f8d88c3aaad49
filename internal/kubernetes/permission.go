package kubernetes

import (
	"context"
	"fmt"

	"sigs.k8s.io/yaml"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// storagePermissions reads the administrators' table of who may use which
// storage; nil when the namespace has none. One that cannot be read or
// understood is an error: it might refuse what is planned.
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
		return nil, fmt.Errorf("read the %s: it has no key %s; an administrator of the cluster must mend it", place, contract.StoragePermissionsKey)
	}
	table := &planner.StoragePermissions{Place: "the " + place}
	if err = yaml.UnmarshalStrict([]byte(text), table); err == nil {
		err = table.Check()
	}
	if err != nil {
		return nil, fmt.Errorf("read the %s: %w; an administrator of the cluster must mend it", place, err)
	}
	return table, nil
}
