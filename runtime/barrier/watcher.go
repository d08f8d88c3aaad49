// SPDX-License-Identifier: MPL-2.0

package barrier

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// watcher contains the state of the watch if this task watches the Framework for
// its gang. With the zero value, the task does not watch.
type watcher struct {
	cancel       context.CancelFunc
	heartbeatDue <-chan time.Time // fires when the next heartbeat is due
	count        int
	interval     time.Duration
	// unpublished is true if this task cannot read the ConfigMap. The watcher
	// then writes neither heartbeats nor the table to the ConfigMap.
	unpublished bool
}

// maxHeartbeatInterval is the maximum time between two heartbeats. A watcher
// increases the interval up to this limit.
const maxHeartbeatInterval = 30 * time.Second

func (w *watcher) active() bool { return w.cancel != nil }

func (w *watcher) start(ctx context.Context, m *rendezvous) {
	if w.active() {
		return
	}
	ctx, w.cancel = context.WithCancel(ctx)
	w.interval = m.Interval
	go m.watchFramework(ctx)
	w.sendHeartbeat(ctx, m)
}

func (w *watcher) stop() {
	if w.active() {
		w.cancel()
		w.cancel, w.heartbeatDue = nil, nil
	}
}

// sendHeartbeat writes a heartbeat to the ConfigMap. If the write fails, this
// task continues to watch, and other tasks also start to watch.
func (w *watcher) sendHeartbeat(ctx context.Context, m *rendezvous) {
	if w.unpublished {
		w.heartbeatDue = nil
		return
	}
	w.count++
	s := heartbeat{attempt: m.Attempt, rank: m.Rank, pod: m.PodUID, count: w.count, interval: w.interval}
	w.heartbeatDue = time.After(w.interval)
	w.interval = min(w.interval*3/2, maxHeartbeatInterval)
	m.patchAsync(ctx, map[string]any{"metadata": map[string]any{"annotations": map[string]string{
		annotationHeartbeat: s.String(), annotationMissing: m.missing,
	}}})
}

// publish writes the table to the ConfigMap. It retries after an error: without
// the table, all other tasks would watch the Framework themselves.
func (w *watcher) publish(ctx context.Context, m *rendezvous, t *Table) {
	if w.unpublished {
		return
	}
	body := map[string]any{
		"metadata":   map[string]any{"annotations": map[string]any{contract.AnnotationHostsAttempt: m.Attempt, annotationMissing: nil}},
		"binaryData": map[string][]byte{contract.HostsKey: t.encode()},
	}
	var err error
	for try := range 5 {
		if err = m.patch(ctx, body); err == nil || !sleep(ctx, time.Duration(try+1)*200*time.Millisecond) {
			break
		}
	}
	if err != nil {
		m.Warn(fmt.Sprintf("cannot publish the host table: %v", err))
	}
}

// patchAsync patches the ConfigMap without delaying the rendezvous.
func (m *rendezvous) patchAsync(ctx context.Context, body any) {
	go func() {
		if err := m.patch(ctx, body); err != nil && ctx.Err() == nil {
			m.warnOnce.Do(func() {
				m.Warn(fmt.Sprintf("other tasks are not notified that this task watches the Framework: %v", err))
			})
		}
	}()
}

func (m *rendezvous) patch(ctx context.Context, body any) error {
	var answer struct{}
	return m.API.get(ctx, call{
		method: http.MethodPatch, verb: "patch", what: "ConfigMap " + m.HostsMap,
		path:        m.hostsPath() + "/" + url.PathEscape(m.HostsMap),
		query:       url.Values{"fieldManager": {"openpai-runtime"}},
		contentType: "application/merge-patch+json", body: body,
	}, &answer)
}

func (m *rendezvous) hostsPath() string {
	return "/api/v1/namespaces/" + url.PathEscape(m.Namespace) + "/configmaps"
}

// sleep waits for d. It returns false if the context ends first.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// send sends a value unless the context ends first.
func send[T any](ctx context.Context, to chan<- T, value T) {
	select {
	case to <- value:
	case <-ctx.Done():
	}
}
