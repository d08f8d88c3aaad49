// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/history"
)

// CollectOptions limits the runs to keep; 0 means the cluster's limit.
type CollectOptions struct {
	Runs  int // per job
	LogMB int64
	// RecordMB limits the total size of records.
	RecordMB int64
	// Before is the cutoff time. Of the earlier runs, gc keeps only the latest
	// run of each job.
	Before time.Time
	DryRun bool
}

// Collected contains the sizes of the removed data in bytes. In a dry run, it
// contains the sizes of the data to remove. Runs are the sizes of removed runs,
// including their logs. Logs are the sizes of the removed logs of runs whose
// records remain.
type Collected struct {
	Runs, Logs map[history.Key]int64
}

// Bytes returns the total size.
func (c *Collected) Bytes() int64 {
	var total int64
	for _, sizes := range []map[history.Key]int64{c.Runs, c.Logs} {
		for _, n := range sizes {
			total += n
		}
	}
	return total
}

// Collect removes the runs beyond the limits.
func (o *Operation) Collect(ctx context.Context, c CollectOptions) (*Collected, error) {
	clusters, err := o.Clusters()
	if err != nil {
		return nil, err
	}
	all := &Collected{Runs: map[history.Key]int64{}, Logs: map[history.Key]int64{}}
	for _, name := range slices.Sorted(maps.Keys(clusters)) {
		store, ok := clusters[name].(cluster.RunStore)
		if !ok {
			continue
		}
		collect := func(cluster.Cluster) error { return o.collectOn(ctx, store, c, all) }
		if c.DryRun {
			err = collect(nil)
		} else {
			err = o.deleting(ctx, name, false, collect)
		}
		if err != nil {
			return nil, fmt.Errorf("remove old runs of cluster %s: %w", name, err)
		}
	}
	return all, nil
}

func (o *Operation) collectOn(ctx context.Context, store cluster.RunStore, c CollectOptions, all *Collected) error {
	limits := o.limits(store)
	limits.Runs = cmp.Or(c.Runs, limits.Runs)
	limits.LogBytes = cmp.Or(c.LogMB<<20, limits.LogBytes)
	limits.Bytes = cmp.Or(c.RecordMB<<20, limits.Bytes)
	limits.Before = c.Before
	kept, err := store.RunSizes(ctx, o.options.Workspace.Name)
	if err != nil {
		return err
	}
	runs, logs, err := cluster.PruneRuns(ctx, store, o.options.Workspace.Name, kept, limits, c.DryRun)
	if err != nil {
		return err
	}
	for _, s := range kept {
		switch {
		case slices.Contains(runs, s.Key):
			all.Runs[s.Key] = s.Bytes + s.LogBytes
		case slices.Contains(logs, s.Key):
			all.Logs[s.Key] = s.LogBytes
		}
	}
	return nil
}
