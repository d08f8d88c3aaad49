// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"sync"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// fewNames is the maximum number of names that are read one by one. For more names, the
// cache lists all names.
const fewNames = 8

// names caches the names that jobs on a cluster use.
type names struct {
	mu    sync.Mutex // held while the names are listed, so that one list serves all callers
	asked int
	known map[string]bool
	until time.Time
}

// holder returns the job that uses the name, or nil. No job in the cached
// snapshot may use the name.
func (c *Cache) holder(ctx context.Context, framework string) (*planner.LiveJob, error) {
	opened, err := c.operation.Cluster(c.cluster)
	if err != nil {
		return nil, err
	}
	if l, ok := opened.(cluster.NameLister); ok && c.isUnused(ctx, l, framework) {
		return nil, nil
	}
	return c.find(ctx, framework)
}

// isUnused reports whether the list of used names shows that no job uses a name. It
// does not list names before it has been called fewNames times. Until then, and if
// the user may not list names, it returns false. If isUnused returns false, the
// caller must look up the single name.
func (c *Cache) isUnused(ctx context.Context, l cluster.NameLister, framework string) bool {
	t := &c.names
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.asked++; t.asked <= fewNames {
		return false
	}
	if began := c.now(); !began.Before(t.until) {
		names, err := l.UsedNames(ctx)
		if err != nil {
			return false
		}
		t.known, t.until = names, c.now().Add(servesFor(c.now().Sub(began)))
	}
	return !t.known[framework]
}
