// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// ClusterDisk is the disk space that a cluster uses, or that
// [Operation.CleanDisk] frees.
type ClusterDisk struct {
	Cluster string
	Use     []cluster.DiskUse
}

// DiskUse lists the disk use of every cluster. For the local cluster, the use
// includes all local files. For a remote cluster, it includes only run records.
func (o *Operation) DiskUse(ctx context.Context) ([]ClusterDisk, error) {
	return o.eachDisk(func(name string, c cluster.Cluster) ([]cluster.DiskUse, error) {
		if keeper, ok := c.(cluster.DiskKeeper); ok {
			return keeper.DiskUse(ctx)
		}
		store, ok := c.(cluster.RunStore)
		if !ok {
			return nil, nil
		}
		kept, err := store.RunSizes(ctx, o.options.Workspace.Name)
		u := cluster.DiskUse{Kind: cluster.DiskRuns, Count: len(kept)}
		for _, k := range kept {
			u.Bytes += k.Bytes
		}
		return []cluster.DiskUse{u}, err
	})
}

// CleanDisk removes the local files of each cluster that exceed the limits. It
// never removes runs.
func (o *Operation) CleanDisk(ctx context.Context, l cluster.DiskLimits, dry bool) ([]ClusterDisk, error) {
	return o.eachDisk(func(_ string, c cluster.Cluster) ([]cluster.DiskUse, error) {
		if keeper, ok := c.(cluster.DiskKeeper); ok {
			return keeper.CleanDisk(ctx, l, dry)
		}
		return nil, nil
	})
}

func (o *Operation) eachDisk(read func(string, cluster.Cluster) ([]cluster.DiskUse, error)) ([]ClusterDisk, error) {
	clusters, err := o.Clusters()
	if err != nil {
		return nil, err
	}
	var all []ClusterDisk
	for _, name := range slices.Sorted(maps.Keys(clusters)) {
		use, err := read(name, clusters[name])
		if err != nil {
			return nil, fmt.Errorf("cluster %s: %w", name, err)
		}
		if use != nil {
			all = append(all, ClusterDisk{name, use})
		}
	}
	return all, nil
}
