// SPDX-License-Identifier: MPL-2.0

package barrier

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// server simulates an API server with one Framework and one ConfigMap. The test
// with a real API server is in real_test.go.
type server struct {
	*httptest.Server
	mu        sync.Mutex
	changed   *sync.Cond
	version   int
	framework map[string]any
	hosts     map[string]any
	// deny returns the status code of a denied request, or 0 to permit the request.
	deny func(r *http.Request) int
	// reads counts requests by object kind and token.
	reads map[string]int
}

func newServer(t *testing.T, framework map[string]any) *server {
	s := &server{framework: framework, version: 1, reads: map[string]int{}, hosts: map[string]any{"metadata": map[string]any{"name": "job-hosts"}}}
	s.changed = sync.NewCond(&s.mu)
	s.Server = httptest.NewServer(s)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

// read returns the number of requests that had a given object kind and token.
func (s *server) read(what string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reads[what]
}

func (s *server) update(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
	s.version++
	s.changed.Broadcast()
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	kind := "frameworks"
	if strings.Contains(r.URL.Path, "/configmaps") {
		kind = "configmaps"
	}
	s.mu.Lock()
	s.reads[kind+" "+r.Header.Get("Authorization")]++
	deny := s.deny
	s.mu.Unlock()
	if deny != nil {
		if code := deny(r); code != 0 {
			w.WriteHeader(code)
			_, _ = fmt.Fprintf(w, `{"kind":"Status","message":"because of the test","code":%d}`, code)
			return
		}
	}
	switch {
	case r.Method == http.MethodPatch:
		s.patch(w, r)
	case r.URL.Query().Get("watch") == "1":
		s.watch(w, r, kind)
	default:
		s.mu.Lock()
		defer s.mu.Unlock()
		_, _ = w.Write(s.object(kind))
	}
}

func (s *server) object(kind string) []byte {
	o := s.framework
	if kind == "configmaps" {
		o = s.hosts
	}
	o["metadata"].(map[string]any)["resourceVersion"] = fmt.Sprint(s.version)
	text, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	return text
}

// watch sends the object after every change.
func (s *server) watch(w http.ResponseWriter, r *http.Request, kind string) {
	last := r.URL.Query().Get("resourceVersion")
	w.(http.Flusher).Flush()
	defer context.AfterFunc(r.Context(), func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.changed.Broadcast()
	})()
	for r.Context().Err() == nil {
		s.mu.Lock()
		for fmt.Sprint(s.version) == last && r.Context().Err() == nil {
			s.changed.Wait()
		}
		last = fmt.Sprint(s.version)
		text := s.object(kind)
		s.mu.Unlock()
		if _, err := fmt.Fprintf(w, `{"type":"MODIFIED","object":%s}`+"\n", text); err != nil {
			return
		}
		w.(http.Flusher).Flush()
	}
}

func (s *server) patch(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(r.Body)
	var change map[string]any
	if err != nil || json.Unmarshal(text, &change) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	s.update(func() {
		merge(s.hosts, change)
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = w.Write(s.object("configmaps"))
}

func merge(into, change map[string]any) {
	for key, value := range change {
		switch v := value.(type) {
		case nil:
			delete(into, key)
		case map[string]any:
			below, _ := into[key].(map[string]any)
			if below == nil {
				below = map[string]any{}
			}
			below = maps.Clone(below)
			merge(below, v)
			into[key] = below
		default:
			into[key] = value
		}
	}
}

// job returns a Framework with one role. Only the tasks with an index less
// than ready have an address.
func job(tasks, ready int) map[string]any {
	var statuses []any
	for i := range tasks {
		attempt := map[string]any{}
		if i < ready {
			attempt = map[string]any{"podUID": fmt.Sprint("uid-", i), "podIP": fmt.Sprint("10.0.0.", i), "podHostIP": fmt.Sprint("10.9.0.", i), "podNodeName": "node"}
		}
		statuses = append(statuses, map[string]any{"index": i, "attemptStatus": attempt})
	}
	return map[string]any{
		"metadata": map[string]any{"name": "job"},
		"spec":     map[string]any{"taskRoles": []any{map[string]any{"name": "worker", "taskNumber": tasks}}},
		"status": map[string]any{"attemptStatus": map[string]any{
			"instanceUID": "0_a", "taskRoleStatuses": []any{map[string]any{"name": "worker", "taskStatuses": statuses}},
		}},
	}
}
