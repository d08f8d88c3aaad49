// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"slices"
	"sync"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/history"
)

// keptRuns caches the list of runs of each cluster for all resources of one
// connection. Other processes may change the history: a caller states what the
// list must contain, and numbers are compared when they are written.
type keptRuns struct {
	mu     sync.Mutex
	lists  map[string][]history.Size // by cluster; never modified in place
	pruned map[string]bool
}

// list returns the runs on a cluster. It reads them if the cached list is not
// sufficient.
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

// add adds a run that this process wrote to the cached list.
func (k *keptRuns) add(name string, r *history.Run) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if seen, ok := k.lists[name]; ok {
		k.lists[name] = append(slices.Clip(seen), history.Size{Key: r.Key(), Address: r.Address})
	}
}

// drop removes the runs of a Framework that this process removed.
func (k *keptRuns) drop(name, framework string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if seen, ok := k.lists[name]; ok {
		k.lists[name] = slices.DeleteFunc(slices.Clone(seen), func(s history.Size) bool { return s.Framework == framework })
	}
}

// prunes reports whether a submission removes runs beyond the limits: every
// submission if there is a limit per job, else only the first, because a size
// limit may be exceeded until the next command.
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
