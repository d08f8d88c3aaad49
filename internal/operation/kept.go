package operation

import (
	"context"
	"slices"
	"sync"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/history"
)

// keptRuns lists the history of each cluster once for the many resources of one
// connection. Other processes may have changed the history since: who uses a list
// says what it must hold, and numbers are compared when they are written.
type keptRuns struct {
	mu     sync.Mutex
	lists  map[string][]history.Size // by cluster; never changed in place
	pruned map[string]bool
}

// list returns the documents on a cluster. It reads them where the last list does
// not serve.
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

// add notes a document that this process wrote.
func (k *keptRuns) add(name string, r *history.Run) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if seen, ok := k.lists[name]; ok {
		k.lists[name] = append(slices.Clip(seen), history.Size{Key: r.Key(), Address: r.Address})
	}
}

// drop notes that this process removed the documents of a Framework.
func (k *keptRuns) drop(name, framework string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if seen, ok := k.lists[name]; ok {
		k.lists[name] = slices.DeleteFunc(slices.Clone(seen), func(s history.Size) bool { return s.Framework == framework })
	}
}

// prunes reports whether a submission looks for what is beyond the limits: each one
// where runs are counted for each job, else the first one, as a size may be exceeded
// until the next command.
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
