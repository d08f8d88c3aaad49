package kubernetes

import (
	"context"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

var _ cluster.NameLister = (*Cluster)(nil)

// Taken implements cluster.NameLister: two lists of metadata.
func (c *Cluster) Taken(ctx context.Context) (map[string]bool, error) {
	live, records := map[string]framework.ObjectMeta{}, map[string]framework.ObjectMeta{}
	if err := c.listHolders(ctx, live, records); err != nil {
		return nil, err
	}
	taken := make(map[string]bool, len(live)+len(records))
	for name := range live {
		taken[name] = true
	}
	for name := range records {
		taken[name] = true
	}
	return taken, nil
}
