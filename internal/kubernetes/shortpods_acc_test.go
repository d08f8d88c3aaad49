// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
)

// shortPods is a node whose Pods run only briefly. The node reports a Pod when the
// containers are prepared and when they have ended, but not in between.
type shortPods struct {
	t         *testing.T
	namespace string
	node      string
	// lines returns the output of the container.
	lines func(pod string) []string
	// stays is the time for which the container runs, including the time in
	// the runtime.
	stays time.Duration
	// cut is the number of lines after which the first stream of each log breaks. 0
	// means never.
	cut int
	// silent disables logs.
	silent bool

	mu   sync.Mutex
	pods map[string]*shortPod
}

// shortPod is a Pod with one container. Its log can be read from start to end.
type shortPod struct {
	written []string // lines with timestamps
	started bool
	opened  int
	stop    chan struct{} // closed to end the Pod
	ended   chan struct{}
}

func newShortPods(t *testing.T, namespace string, lines func(pod string) []string) *shortPods {
	t.Helper()
	s := &shortPods{t: t, namespace: namespace, node: "node-" + namespace, lines: lines, stays: 3 * time.Second, pods: map[string]*shortPod{}}
	serveKubelet(t, s.node, s.serveLog)
	return s
}

func (s *shortPods) client() dynamic.ResourceInterface {
	return server.Dynamic().Resource(schema.GroupVersionResource{Version: "v1", Resource: "pods"}).Namespace(s.namespace)
}

// run runs every new Pod until the context ends.
func (s *shortPods) run(ctx context.Context) {
	events, err := apitest.Watch(ctx, s.client())
	if err != nil {
		s.t.Error(err)
		return
	}
	for e := range events {
		o := e.Object
		uid := string(o.GetUID())
		s.mu.Lock()
		p := s.pods[uid]
		if p == nil {
			p = &shortPod{stop: make(chan struct{}), ended: make(chan struct{})}
			s.pods[uid] = p
			go s.live(ctx, o.GetName(), p)
		}
		if o.GetDeletionTimestamp() != nil {
			select {
			case <-p.stop:
			default:
				close(p.stop)
			}
		}
		s.mu.Unlock()
	}
}

// over reports whether a Pod has ended.
func (s *shortPods) over(name string) bool {
	o, err := s.client().Get(context.Background(), name, metav1.GetOptions{})
	if err != nil {
		return false
	}
	phase, _, _ := unstructured.NestedString(o.Object, "status", "phase")
	return phase == "Succeeded"
}

func (s *shortPods) hasStarted(ctx context.Context, name string) bool {
	p := s.byName(ctx, name)
	s.mu.Lock()
	defer s.mu.Unlock()
	return p != nil && p.started
}

func (s *shortPods) live(ctx context.Context, name string, p *shortPod) {
	bind(s.t, s.namespace, name, s.node)
	s.patch(ctx, name, map[string]any{"phase": "Pending", "containerStatuses": []any{
		map[string]any{"name": "app", "image": "i", "imageID": "", "ready": false, "restartCount": 0, "state": map[string]any{"waiting": map[string]any{"reason": "PodInitializing"}}},
	}})
	time.Sleep(100 * time.Millisecond)
	start := time.Now()
	lines := s.lines(name)
	s.mu.Lock()
	p.started = true
	for _, line := range lines {
		p.written = append(p.written, time.Now().UTC().Format(time.RFC3339Nano)+" "+line+"\n")
	}
	s.mu.Unlock()
	select {
	case <-p.stop:
	case <-time.After(s.stays):
	}
	r := exitspec.Record{Code: 0, Reason: "the task succeeded", Stage: "commands", Started: start, Finished: time.Now()}
	message := exitspec.Message(r, exitspec.Match{}, []byte(strings.Join(lines, "\n")+"\n"), nil)
	s.patch(ctx, name, map[string]any{"phase": "Succeeded", "containerStatuses": []any{
		map[string]any{"name": "app", "image": "i", "imageID": "", "ready": false, "restartCount": 0, "state": map[string]any{"terminated": map[string]any{
			"exitCode": 0, "reason": "Completed", "message": string(message), "startedAt": start.UTC().Format(time.RFC3339), "finishedAt": time.Now().UTC().Format(time.RFC3339)}}},
	}})
	close(p.ended)
	select {
	case <-p.stop: // the kubelet permits the API server to remove the Pod
		zero := int64(0)
		_ = s.client().Delete(ctx, name, metav1.DeleteOptions{GracePeriodSeconds: &zero})
	case <-ctx.Done():
	}
}

func (s *shortPods) patch(ctx context.Context, name string, status map[string]any) {
	text, err := json.Marshal(map[string]any{"status": status})
	if err != nil {
		s.t.Error(err)
		return
	}
	if _, err := s.client().Patch(ctx, name, types.MergePatchType, text, metav1.PatchOptions{}, "status"); err != nil && ctx.Err() == nil {
		s.t.Logf("status of %s: %v", name, err)
	}
}

// serveLog handles the kubelet's path /containerLogs/NAMESPACE/POD/CONTAINER.
func (s *shortPods) serveLog(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(r.URL.Path, "/")
	p := s.byName(r.Context(), parts[len(parts)-2])
	s.mu.Lock()
	if s.silent || p == nil || !p.started {
		s.mu.Unlock()
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `container "app" in pod is waiting to start: PodInitializing`)
		return
	}
	p.opened++
	first := p.opened == 1
	written := p.written
	s.mu.Unlock()
	var since time.Time
	if text := r.URL.Query().Get("sinceTime"); text != "" {
		since, _ = time.Parse(time.RFC3339, text)
	}
	if n, err := strconv.Atoi(r.URL.Query().Get("tailLines")); err == nil {
		written = written[max(0, len(written)-n):]
	}
	for i, line := range written {
		if s.cut > 0 && first && i == s.cut {
			_, _ = fmt.Fprint(w, line[:len(line)/2])
			return
		}
		if at, text, _ := cutTimestamp([]byte(line)); !at.Before(since) {
			if r.URL.Query().Get("timestamps") == "true" {
				text = []byte(line)
			}
			_, _ = w.Write(text)
		}
	}
	w.(http.Flusher).Flush()
	if r.URL.Query().Get("follow") != "true" {
		return
	}
	select {
	case <-p.ended:
	case <-r.Context().Done():
	}
}

func (s *shortPods) byName(ctx context.Context, name string) *shortPod {
	o, err := s.client().Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pods[string(o.GetUID())]
}
