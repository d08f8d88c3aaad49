// SPDX-License-Identifier: MPL-2.0

package barrier

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/runtime"
)

// Gang contains the data that a task needs to wait for the other tasks of its
// gang.
type Gang struct {
	API       *API
	Namespace string
	Framework string
	// Attempt is the instance UID of the Framework attempt. The task ignores tables
	// of other attempts.
	Attempt string
	Role    string
	Index   int
	// Rank is the position of this task in the gang. The first task of the first
	// role has rank 0. If there is no watcher, a task with a higher rank waits
	// longer before it becomes the watcher.
	Rank   int
	PodUID string

	// HostsMap is the name of the ConfigMap to which the watcher publishes
	// the table.
	HostsMap string
	// Interval is the initial time between two heartbeats of the watcher.
	Interval time.Duration
	Timeout  time.Duration
	Warn     func(text string)
}

// Exit codes for a failed rendezvous; package exitspec describes them.
const (
	codeTransient = exitspec.CodeBarrierTransient
	codeTimeout   = exitspec.CodeGangTimeout
	codePermanent = exitspec.CodeBarrierPermanent
)

// rendezvous contains the state of one call to Wait, which waits for all
// tasks of the gang.
type rendezvous struct {
	*Gang
	updates       chan hostsUpdate
	snapshots     chan snapshot
	failed        chan error
	requestErrors chan requestError

	lastHeartbeat heartbeat // the last heartbeat of another task
	missing       string    // missing tasks reported by the watcher
	// lastError contains, for each kind of object, the error from the last request,
	// or nil if that request succeeded.
	lastError map[string]error

	warnOnce sync.Once // allows only one warning about failed heartbeats
}

// requestError is a transient error from a request. A retry may succeed.
type requestError struct {
	of  string // ofHosts or ofFramework
	err error
}

const (
	ofHosts     = "hosts"
	ofFramework = "framework"
)

// hostsUpdate is a new state of the ConfigMap.
type hostsUpdate struct {
	object *hostsObject
	// err is set if the ConfigMap cannot be read. This task must then watch the
	// Framework itself.
	err error
}

// Wait waits until every task of the gang has an address, and returns the table. It
// fails with a *runtime.BarrierError if the wait cannot succeed or exceeds
// g.Timeout.
func (g *Gang) Wait(ctx context.Context) (*Table, error) {
	ctx, cancel := context.WithTimeout(ctx, g.Timeout)
	defer cancel()
	m := &rendezvous{Gang: g, updates: make(chan hostsUpdate), snapshots: make(chan snapshot), failed: make(chan error), requestErrors: make(chan requestError), lastError: map[string]error{}}
	go m.watchHosts(ctx)
	turn := time.NewTimer(m.takeoverDelay(g.Interval))
	defer turn.Stop()
	var w watcher
	defer func() { w.stop() }()
	for {
		select {
		case n := <-m.updates:
			if table := m.handleUpdate(n, &w, turn); table != nil {
				return table, nil
			}
		case <-turn.C:
			w.start(ctx, m)
		case <-w.heartbeatDue:
			w.sendHeartbeat(ctx, m)
		case v := <-m.snapshots:
			if table := m.handleSnapshot(ctx, v, &w); table != nil {
				return table, nil
			}
		case h := <-m.requestErrors:
			m.lastError[h.of] = h.err
		case err := <-m.failed:
			return nil, err
		case <-ctx.Done():
			return nil, m.waitError(ctx, w.active())
		}
	}
}

// takeoverDelay returns the time without heartbeats after which this task watches
// the Framework. The time depends on the rank, so that tasks do not start at the
// same time.
func (g *Gang) takeoverDelay(interval time.Duration) time.Duration {
	if g.Rank == 0 {
		return 0
	}
	return 3*interval + time.Duration(min(g.Rank, 64))*interval/8
}

// handleUpdate processes a new state of the ConfigMap. A watcher stops watching
// after the heartbeat of a watcher with a lower rank. If this task is not a
// watcher, every new heartbeat postpones the task's takeover.
func (m *rendezvous) handleUpdate(n hostsUpdate, w *watcher, turn *time.Timer) *Table {
	if n.err != nil {
		m.Warn(fmt.Sprintf("this task watches the Framework itself, because it cannot read the host table: %v", n.err))
		w.unpublished = true
		turn.Reset(0)
		return nil
	}
	m.lastError[ofHosts] = nil
	table, err := n.object.table(m.Attempt)
	if err != nil {
		m.Warn(err.Error())
		return nil
	}
	if table != nil {
		if self, ok := table.find(m.Role, m.Index); ok && self.PodUID == m.PodUID {
			return table
		}
	}
	s, ok := parseHeartbeat(n.object.Metadata.Annotations[annotationHeartbeat])
	if !ok || s.attempt != m.Attempt || s.pod == m.PodUID || s == m.lastHeartbeat {
		return nil
	}
	m.lastHeartbeat, m.missing = s, n.object.Metadata.Annotations[annotationMissing]
	if w.active() && s.rank < m.Rank {
		w.stop()
	}
	if !w.active() {
		turn.Reset(m.takeoverDelayAfter(s))
	}
	return nil
}

// takeoverDelayAfter returns the time between a heartbeat and the takeover by this
// task.
func (m *rendezvous) takeoverDelayAfter(s heartbeat) time.Duration {
	if m.Rank == 0 {
		return time.Millisecond // the first task starts to watch immediately
	}
	return m.takeoverDelay(max(s.interval, m.Interval))
}

// handleSnapshot publishes and returns the table if all tasks are present.
// Otherwise, it records the missing tasks.
func (m *rendezvous) handleSnapshot(ctx context.Context, v snapshot, w *watcher) *Table {
	if !w.active() {
		return nil
	}
	m.lastError[ofFramework], m.missing = nil, ""
	if len(v.missing) == 0 {
		if self, ok := v.table.find(m.Role, m.Index); ok && self.PodUID == m.PodUID {
			w.publish(ctx, m, v.table)
			return v.table
		}
		v.missing = []string{fmt.Sprintf("%s[%d] (the Framework does not show its new Pod yet)", m.Role, m.Index)}
	}
	m.missing = summary(v)
	return nil
}

// maxNamed is the maximum number of missing tasks that a message lists.
const maxNamed = 20

func summary(v snapshot) string {
	names, rest := v.missing, ""
	if len(names) > maxNamed {
		rest = fmt.Sprintf(" and %d more", len(names)-maxNamed)
		names = names[:maxNamed]
	}
	return fmt.Sprintf("%d of %d tasks are missing: %s%s", len(v.missing), v.total, strings.Join(names, ", "), rest)
}

// waitError returns the error after a timeout or a cancellation.
func (m *rendezvous) waitError(ctx context.Context, watching bool) error {
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return ctx.Err()
	}
	lastErr := m.lastError[ofHosts]
	if watching {
		lastErr = m.lastError[ofFramework]
	}
	if lastErr != nil {
		return &runtime.BarrierError{Code: codeTransient, Reason: fmt.Sprintf("cannot reach the API server within %s: %v", m.Timeout, lastErr)}
	}
	reason := fmt.Sprintf("not all tasks of the job were ready within %s", m.Timeout)
	if m.missing != "" {
		reason += "; " + m.missing
	}
	return &runtime.BarrierError{Code: codeTimeout, Reason: reason}
}
