// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/history"
)

// keptRuns caches each cluster's list of runs for all resources of one connection.
// Other processes may change the history. Therefore, callers of list decide
// whether the cached list is sufficient. Run numbers also depend on the counters,
// which [cluster.EditCounters] changes with compare-and-swap.
type keptRuns struct {
	mu     sync.Mutex
	lists  map[string][]history.Size // by cluster; lists are never modified in place, except by add, which appends elements
	pruned map[string]bool
}

// list returns the runs on a cluster. It reads the runs again if serves
// rejects the cached list.
func (k *keptRuns) list(ctx context.Context, name string, s cluster.RunStore, workspace string, serves func([]history.Size) bool) ([]history.Size, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if seen, ok := k.lists[name]; ok && serves(seen) {
		return seen, nil
	}
	seen, err := s.RunSizes(ctx, workspace)
	if err != nil {
		return nil, err
	}
	if k.lists == nil {
		k.lists = map[string][]history.Size{}
	}
	k.lists[name] = seen
	return seen, nil
}

// newest is the value of Order for the runs that this process wrote.
const newest = math.MaxInt64

func isEstimated(s history.Size) bool { return s.Order == newest }

// add appends a recorded run to the cached list as the newest run. The
// estimated size is an upper bound, because a store may compress the record.
func (k *keptRuns) add(name string, r *history.Run) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if seen, ok := k.lists[name]; ok {
		k.lists[name] = append(seen, history.Size{
			Key: r.Key(), Address: r.Address, Bytes: int64(len(r.Encode())), Order: newest, At: r.Submitted,
		})
	}
}

// drop removes the runs of a Framework from the cached list only.
func (k *keptRuns) drop(name, framework string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.remove(name, func(s history.Size) bool { return s.Framework == framework })
}

// prune removes runs beyond the limits from the cluster and the cached list.
// The caller must call list before prune. If estimated sizes may exceed a
// limit, prune reads the sizes again.
func (k *keptRuns) prune(ctx context.Context, name string, s cluster.RunStore, workspace string, l history.Limits) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	size := history.Limits{Bytes: l.Bytes, LogBytes: l.LogBytes}
	if slices.ContainsFunc(k.lists[name], isEstimated) && size.MayExceed(k.lists[name]) {
		seen, err := s.RunSizes(ctx, workspace)
		if err != nil {
			return err
		}
		k.lists[name] = seen
	}
	runs, _, err := cluster.PruneRuns(ctx, s, workspace, k.lists[name], l, false)
	if err != nil {
		delete(k.lists, name) // some runs may have been removed
		return err
	}
	k.remove(name, func(s history.Size) bool { return slices.Contains(runs, s.Key) })
	return nil
}

// remove requires that the caller holds the lock.
func (k *keptRuns) remove(name string, removed func(history.Size) bool) {
	if seen, ok := k.lists[name]; ok && slices.ContainsFunc(seen, removed) {
		k.lists[name] = slices.DeleteFunc(slices.Clone(seen), removed)
	}
}

// prunes reports whether a submission must remove the runs beyond the limits. If
// the number of runs per job is limited, every submission must remove runs.
// Otherwise, a command must remove runs only for its first submission to each
// cluster. Later submissions may exceed a size limit until the next command
// removes runs.
func (k *keptRuns) prunes(name string, l history.Limits) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.pruned[name] && l.Runs == 0 {
		return false
	}
	if k.pruned == nil {
		k.pruned = map[string]bool{}
	}
	k.pruned[name] = true
	return true
}
