package barrier

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// watcher is this task while it watches the Framework for all. The zero value
// does not watch.
type watcher struct {
	cancel context.CancelFunc
	sign   <-chan time.Time // when the next sign is due
	count  int
	next   time.Duration
	// alone: there is no ConfigMap to sign or to publish in.
	alone bool
}

// slowestSign bounds the growing time between two signs.
const slowestSign = 30 * time.Second

func (w *watcher) active() bool { return w.cancel != nil }

func (w *watcher) begin(ctx context.Context, m *meeting) {
	if w.active() {
		return
	}
	ctx, w.cancel = context.WithCancel(ctx)
	w.next = m.Interval
	go m.watchFramework(ctx)
	w.renew(ctx, m)
}

func (w *watcher) stop() {
	if w.active() {
		w.cancel()
		w.cancel, w.sign = nil, nil
	}
}

// renew signs the ConfigMap. That it cannot is no reason to stop: at worst
// others watch too.
func (w *watcher) renew(ctx context.Context, m *meeting) {
	if w.alone {
		w.sign = nil
		return
	}
	w.count++
	s := sign{attempt: m.Attempt, rank: m.Rank, pod: m.PodUID, count: w.count, next: w.next}
	w.sign = time.After(w.next)
	w.next = min(w.next*3/2, slowestSign)
	m.patchLater(ctx, map[string]any{"metadata": map[string]any{"annotations": map[string]string{
		annotationSign: s.String(), annotationMissing: m.missing,
	}}})
}

// publish puts the table where all others see it. They need it, so it is tried
// some times; without it they find out themselves, later.
func (w *watcher) publish(ctx context.Context, m *meeting, t *Table) {
	if w.alone {
		return
	}
	body := map[string]any{
		"metadata":   map[string]any{"annotations": map[string]any{contract.AnnotationHostsAttempt: m.Attempt, annotationMissing: nil}},
		"binaryData": map[string][]byte{contract.HostsKey: t.encode()},
	}
	var err error
	for try := range 5 {
		if err = m.patch(ctx, body); err == nil || !pause(ctx, time.Duration(try+1)*200*time.Millisecond) {
			break
		}
	}
	if err != nil {
		m.Warn(fmt.Sprintf("the table of hosts could not be published: %v", err))
	}
}

// patchLater does not hold up the meeting.
func (m *meeting) patchLater(ctx context.Context, body any) {
	go func() {
		if err := m.patch(ctx, body); err != nil && ctx.Err() == nil {
			m.unsigned.Do(func() { m.Warn(fmt.Sprintf("other tasks do not see that this one watches the Framework: %v", err)) })
		}
	}()
}

func (m *meeting) patch(ctx context.Context, body any) error {
	var answer struct{}
	return m.API.get(ctx, call{
		method: http.MethodPatch, verb: "patch", what: "ConfigMap " + m.HostsMap,
		path:        m.hostsPath() + "/" + url.PathEscape(m.HostsMap),
		query:       url.Values{"fieldManager": {"openpai-runtime"}},
		contentType: "application/merge-patch+json", body: body,
	}, &answer)
}

func (m *meeting) hostsPath() string {
	return "/api/v1/namespaces/" + url.PathEscape(m.Namespace) + "/configmaps"
}

// pause returns false when the context ends first.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// report sends a value unless nobody waits for it any more.
func report[T any](ctx context.Context, to chan<- T, value T) {
	select {
	case to <- value:
	case <-ctx.Done():
	}
}
