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

// Gang is the gang as one of its tasks sees it.
type Gang struct {
	API       *API
	Namespace string
	Framework string
	// Attempt is the instance UID of the attempt of the Framework: a table of
	// another attempt does not count.
	Attempt string
	Role    string
	Index   int
	// Rank is the place of this task in the gang, 0 for the first of the first
	// role. The lower it is, the sooner it watches when nobody does.
	Rank   int
	PodUID string

	// HostsMap is the name of the ConfigMap that the table is published in.
	HostsMap string
	// Interval lies between two signs of the watcher at first.
	Interval time.Duration
	Timeout  time.Duration
	Warn     func(text string)
}

// The exit codes of the specification that a meeting can fail with.
const (
	codeTransient = exitspec.CodeBarrierTransient
	codeTimeout   = exitspec.CodeGangTimeout
	codePermanent = exitspec.CodeBarrierPermanent
)

// meeting is one wait.
type meeting struct {
	*Gang
	notices chan notice
	views   chan view
	failed  chan error
	hitches chan hitch

	seen    sign   // the last one of others
	missing string // what the watcher says is missing
	// trouble is the error of the last request, by what was asked for; nil
	// when it succeeded.
	trouble map[string]error

	unsigned sync.Once // a sign that could not be given was warned about
}

// hitch is a request that failed and may succeed later.
type hitch struct {
	of  string // ofHosts or ofFramework
	err error
}

const (
	ofHosts     = "hosts"
	ofFramework = "framework"
)

// notice is news of the ConfigMap.
type notice struct {
	object *hostsObject
	// lost says that the ConfigMap cannot be read: this task has to watch the
	// Framework itself.
	lost error
}

// Meet returns the table once every task of the gang has an address. It fails
// with a *runtime.BarrierError when that never will be, or not in time.
func (g *Gang) Meet(ctx context.Context) (*Table, error) {
	ctx, cancel := context.WithTimeout(ctx, g.Timeout)
	defer cancel()
	m := &meeting{Gang: g, notices: make(chan notice), views: make(chan view), failed: make(chan error), hitches: make(chan hitch), trouble: map[string]error{}}
	go m.follow(ctx)
	turn := time.NewTimer(m.patience(g.Interval))
	defer turn.Stop()
	var w watcher
	defer func() { w.stop() }()
	for {
		select {
		case n := <-m.notices:
			if table := m.heed(n, &w, turn); table != nil {
				return table, nil
			}
		case <-turn.C:
			w.begin(ctx, m)
		case <-w.sign:
			w.renew(ctx, m)
		case v := <-m.views:
			if table := m.judge(ctx, v, &w); table != nil {
				return table, nil
			}
		case h := <-m.hitches:
			m.trouble[h.of] = h.err
		case err := <-m.failed:
			return nil, err
		case <-ctx.Done():
			return nil, m.late(ctx, w.active())
		}
	}
}

// patience is the time without a sign after which this task watches. Ranks are
// spread, so that they do not all begin at once.
func (g *Gang) patience(interval time.Duration) time.Duration {
	if g.Rank == 0 {
		return 0
	}
	return 3*interval + time.Duration(min(g.Rank, 64))*interval/8
}

// heed takes notice of the ConfigMap. A watcher of lower rank relieves this
// one; every sign of life puts off taking over.
func (m *meeting) heed(n notice, w *watcher, turn *time.Timer) *Table {
	if n.lost != nil {
		m.Warn(fmt.Sprintf("this task watches the Framework itself, because the table of hosts cannot be had: %v", n.lost))
		w.alone = true
		turn.Reset(0)
		return nil
	}
	m.trouble[ofHosts] = nil
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
	s, ok := parseSign(n.object.Metadata.Annotations[annotationSign])
	if !ok || s.attempt != m.Attempt || s.pod == m.PodUID || s == m.seen {
		return nil
	}
	m.seen, m.missing = s, n.object.Metadata.Annotations[annotationMissing]
	if w.active() && s.rank < m.Rank {
		w.stop()
	}
	if !w.active() {
		turn.Reset(m.patienceAfter(s))
	}
	return nil
}

// patienceAfter is how long a sign holds.
func (m *meeting) patienceAfter(s sign) time.Duration {
	if m.Rank == 0 {
		return time.Millisecond // the first task always watches
	}
	return m.patience(max(s.next, m.Interval))
}

// judge takes note of a look at the Framework and publishes a full table.
func (m *meeting) judge(ctx context.Context, v view, w *watcher) *Table {
	if !w.active() {
		return nil
	}
	m.trouble[ofFramework], m.missing = nil, ""
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

// shown is the number of missing tasks that are named.
const shown = 20

// summary names what is missing in one sentence.
func summary(v view) string {
	names, more := v.missing, ""
	if len(names) > shown {
		more = fmt.Sprintf(" and %d more", len(names)-shown)
		names = names[:shown]
	}
	return fmt.Sprintf("%d of %d tasks are missing: %s%s", len(v.missing), v.total, strings.Join(names, ", "), more)
}

// late is the end of the wait by time, or by a stop.
func (m *meeting) late(ctx context.Context, watching bool) error {
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return ctx.Err()
	}
	trouble := m.trouble[ofHosts]
	if watching {
		trouble = m.trouble[ofFramework]
	}
	if trouble != nil {
		return &runtime.BarrierError{Code: codeTransient, Reason: fmt.Sprintf("the API server could not be reached within %s: %v", m.Timeout, trouble)}
	}
	reason := fmt.Sprintf("not all tasks of the job were ready within %s", m.Timeout)
	if m.missing != "" {
		reason += "; " + m.missing
	}
	return &runtime.BarrierError{Code: codeTimeout, Reason: reason}
}
