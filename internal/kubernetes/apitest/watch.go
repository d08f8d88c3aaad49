// SPDX-License-Identifier: MPL-2.0

//go:build acc

package apitest

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"
)

// Event is a change of an object.
type Event struct {
	Type   watch.EventType // Added, Modified or Deleted
	Object *unstructured.Unstructured
}

// Watch sends the events of all objects of a resource, starting with the objects that
// exist. The channel is closed when the context ends. An API server on a busy machine
// closes watches whose client reads too slowly; Watch resumes them without losing an
// event.
func Watch(ctx context.Context, client dynamic.ResourceInterface) (<-chan Event, error) {
	existing, err := client.List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, fmt.Errorf("list the objects to watch: %w", err)
	}
	w, err := watchtools.NewRetryWatcherWithContext(ctx, existing.GetResourceVersion(), &cache.ListWatch{WatchFuncWithContext: client.Watch})
	if err != nil {
		return nil, fmt.Errorf("watch objects: %w", err)
	}
	events := make(chan Event)
	go func() {
		defer close(events)
		defer w.Stop()
		for i := range existing.Items {
			if !send(ctx, events, Event{watch.Added, &existing.Items[i]}) {
				return
			}
		}
		for e := range w.ResultChan() {
			if o, ok := e.Object.(*unstructured.Unstructured); ok && !send(ctx, events, Event{e.Type, o}) {
				return
			}
		}
	}()
	return events, nil
}

func send(ctx context.Context, events chan<- Event, e Event) bool {
	select {
	case events <- e:
		return true
	case <-ctx.Done():
		return false
	}
}
