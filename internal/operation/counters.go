// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"sync"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/history"
)

// historyOf is a RunStore shared by the resources of one connection. It writes pending
// counter edits together. If the cluster compares revisions on write, historyOf reuses
// the counters that it last wrote instead of reading them.
type historyOf struct {
	cluster.RunStore

	exchange sync.Mutex        // held while counters are read and written
	last     *history.Counters // as this process last wrote them, or nil if they must be read

	queue   sync.Mutex // guards waiting
	waiting []*counterEdit
}

// counterEdit is the edit of one caller. If edit fails, it must not change anything.
type counterEdit struct {
	edit func(*history.Counters) (bool, error)
	done bool
	err  error
}

func (o *Operation) history(clusterName, workspace string, store cluster.RunStore) cluster.RunStore {
	o.numbering.Lock()
	defer o.numbering.Unlock()
	key := [2]string{clusterName, workspace}
	if o.histories[key] == nil {
		o.histories[key] = &historyOf{RunStore: store}
	}
	return o.histories[key]
}

// EditCounters implements cluster.CounterEditor. The first caller writes the
// edits of all waiting callers. If the write fails, each caller retries with
// its own context.
func (h *historyOf) EditCounters(ctx context.Context, workspace string, edit func(*history.Counters) (bool, error)) error {
	own := &counterEdit{edit: edit}
	h.join(own)
	h.exchange.Lock()
	defer h.exchange.Unlock()
	if own.done {
		return own.err
	}
	all := h.take()
	if err := h.write(ctx, workspace, all); err != nil {
		for _, e := range all {
			if e != own {
				h.join(e)
			}
		}
		return err
	}
	for _, e := range all {
		e.done = true
	}
	return own.err
}

func (h *historyOf) join(e *counterEdit) {
	h.queue.Lock()
	defer h.queue.Unlock()
	h.waiting = append(h.waiting, e)
}

func (h *historyOf) take() []*counterEdit {
	h.queue.Lock()
	defer h.queue.Unlock()
	all := h.waiting
	h.waiting = nil
	return all
}

// write applies edits to the counters on the cluster, based on the cached
// counters. If the edits change nothing, the cause may be outdated cached
// counters. In that case, write reads the counters from the cluster and applies
// the edits again.
func (h *historyOf) write(ctx context.Context, workspace string, all []*counterEdit) error {
	for {
		remembered := h.last != nil
		changed := false
		err := cluster.EditCounters(ctx, remembering{h.RunStore, h}, workspace, func(c *history.Counters) (bool, error) {
			changed = false
			for _, e := range all {
				did, err := e.edit(c)
				e.err = err
				changed = changed || did && err == nil
			}
			return changed, nil
		})
		if err != nil || changed || !remembered {
			return err
		}
		h.last = nil
	}
}

// remembering is a RunStore that caches counters.
type remembering struct {
	cluster.RunStore
	of *historyOf
}

// Counters implements cluster.RunStore. It returns the cached counters without
// copying them. EditCounters may modify the returned counters, because it then
// calls SaveCounters, which replaces the cache.
func (r remembering) Counters(ctx context.Context, workspace string) (*history.Counters, error) {
	if last := r.of.last; last != nil {
		return last, nil
	}
	return r.RunStore.Counters(ctx, workspace)
}

// SaveCounters implements cluster.RunStore.
func (r remembering) SaveCounters(ctx context.Context, workspace string, c *history.Counters) error {
	r.of.last = nil
	if err := r.RunStore.SaveCounters(ctx, workspace, c); err != nil {
		return err
	}
	if c.Revision != "" {
		r.of.last = c
	}
	return nil
}
