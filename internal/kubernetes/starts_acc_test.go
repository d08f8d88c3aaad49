// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
)

// starts watches the Frameworks of a namespace and records every Framework that was
// ever permitted to run.
type starts struct {
	mu      sync.Mutex
	started map[string]bool   // UIDs
	seen    map[string]string // last observed version, or "" if deleted; keys are UIDs
}

// watchStarts starts the watch.
func watchStarts(t *testing.T, namespace string) *starts {
	t.Helper()
	events, err := apitest.Watch(t.Context(), server.Dynamic().Resource(apitest.Frameworks).Namespace(namespace))
	if err != nil {
		t.Fatal(err)
	}
	s := &starts{started: map[string]bool{}, seen: map[string]string{}}
	go func() {
		for e := range events {
			s.note(e.Type, e.Object)
		}
	}()
	return s
}

func (s *starts) note(event watch.EventType, o *unstructured.Unstructured) {
	s.mu.Lock()
	defer s.mu.Unlock()
	uid := string(o.GetUID())
	if kind, _, _ := unstructured.NestedString(o.Object, "spec", "executionType"); framework.ExecutionType(kind) == framework.ExecutionStart {
		s.started[uid] = true
	}
	s.seen[uid] = o.GetResourceVersion()
	if event == watch.Deleted {
		s.seen[uid] = ""
	}
}

// mustBeAtMost waits until the watch has received all changes, and requires
// at most n started Frameworks.
func (s *starts) mustBeAtMost(t *testing.T, n int, namespace string) {
	t.Helper()
	for range 200 {
		if s.upToDate(t, namespace) {
			s.mu.Lock()
			defer s.mu.Unlock()
			if len(s.started) > n {
				t.Errorf("%d Frameworks were started, want %d: %v", len(s.started), n, slices.Sorted(maps.Keys(s.started)))
			}
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("the watch does not receive all changes")
}

func (s *starts) upToDate(t *testing.T, namespace string) bool {
	t.Helper()
	all, err := server.Dynamic().Resource(apitest.Frameworks).Namespace(namespace).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	live := map[string]string{}
	for _, o := range all.Items {
		live[string(o.GetUID())] = o.GetResourceVersion()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := maps.Clone(s.seen)
	maps.DeleteFunc(now, func(_, version string) bool { return version == "" })
	return maps.Equal(now, live)
}
