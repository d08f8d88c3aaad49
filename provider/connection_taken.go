package provider

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

// taken are the names that some job of a cluster has, as they were listed last.
type taken struct {
	mu    sync.Mutex // held while they are listed, so that one list serves all
	asked int
	names map[string]bool
	until time.Time
}

// holder returns the job that has a name which no job of the workspace was
// seen with; nil when there is none.
func (c *connection) holder(ctx context.Context, framework string) (*planner.LiveJob, error) {
	opened, err := c.Cluster()
	if err != nil {
		return nil, err
	}
	if l, ok := opened.(cluster.NameLister); ok && c.isFree(ctx, l, framework) {
		return nil, nil
	}
	return c.find(ctx, framework)
}

// isFree reports whether no job has a name, as far as lists say. Who may not
// list has to ask for the name itself.
func (c *connection) isFree(ctx context.Context, l cluster.NameLister, framework string) bool {
	t := &c.taken
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.asked++; t.asked <= fewNames {
		return false
	}
	if began := c.now(); !began.Before(t.until) {
		names, err := l.Taken(ctx)
		if err != nil {
			return false
		}
		t.names, t.until = names, c.now().Add(servesFor(c.now().Sub(began)))
	}
	return !t.names[framework]
}
