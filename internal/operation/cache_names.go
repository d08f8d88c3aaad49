package operation

import (
	"context"
	"sync"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// fewNames is the number of names up to which each is asked for; all names are
// listed for more.
const fewNames = 8

// names are the names that some job of a cluster has, as they were listed last.
type names struct {
	mu    sync.Mutex // held while they are listed, so that one list serves all
	asked int
	known map[string]bool
	until time.Time
}

// holder returns the job that has a name which no job of the workspace was
// seen with; nil when there is none.
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

// isUnused reports whether no job has a name, as far as lists say. Who may not
// list has to ask for the name itself.
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
