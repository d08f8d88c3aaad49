// SPDX-License-Identifier: MPL-2.0

package api

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/pager"
)

// The benchmarks in this file compare this package with client-go. The results are in
// contributing/dependencies.md.

const (
	burst    = 100                   // concurrent requests of BenchmarkBurst
	capacity = 20                    // maximum number of concurrent requests
	takes    = 10 * time.Millisecond // duration of one request
)

// busyServer responds with 429 to requests above its capacity, like an API
// server.
func busyServer(b *testing.B) (server *httptest.Server, rejected *atomic.Int64) {
	b.Helper()
	var running atomic.Int64
	rejected = &atomic.Int64{}
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		defer running.Add(-1)
		if running.Add(1) > capacity {
			rejected.Add(1)
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		time.Sleep(takes)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, "{}")
	}))
	b.Cleanup(server.Close)
	return server, rejected
}

// concurrently sends bursts of parallel requests, and reports the rejected
// requests per burst.
func concurrently(b *testing.B, rejected *atomic.Int64, send func(context.Context) error) {
	b.Helper()
	for b.Loop() {
		var all sync.WaitGroup
		for range burst {
			all.Go(func() {
				if err := send(b.Context()); err != nil {
					b.Error(err)
				}
			})
		}
		all.Wait()
	}
	b.ReportMetric(float64(rejected.Load())/float64(b.N), "rejected")
}

// BenchmarkBurst measures the duration of 100 concurrent reads from a busy
// server.
func BenchmarkBurst(b *testing.B) {
	b.Run("this package", func(b *testing.B) {
		server, rejected := busyServer(b)
		host, err := url.Parse(server.URL)
		if err != nil {
			b.Fatal(err)
		}
		c := New(server.Client(), host, "default", DefaultTimeouts)
		concurrently(b, rejected, func(ctx context.Context) error { return c.Get(ctx, Leases, "x", nil) })
	})
	for name, rate := range map[string]struct {
		qps   float32
		burst int
	}{
		"client-go":                   {0, 0},
		"client-go as in kubectl":     {50, 300},
		"client-go with 20 requests":  {50, capacity},
		"client-go without its limit": {-1, 0},
	} {
		b.Run(name, func(b *testing.B) {
			server, rejected := busyServer(b)
			c, err := rest.UnversionedRESTClientFor(dynamic.ConfigFor(&rest.Config{Host: server.URL, QPS: rate.qps, Burst: rate.burst}))
			if err != nil {
				b.Fatal(err)
			}
			concurrently(b, rejected, func(ctx context.Context) error {
				return c.Get().AbsPath(Leases.Path("default", "x")).Do(ctx).Error()
			})
		})
	}
}

// record contains the parts of a ConfigMap that this program reads.
type record struct {
	Header
	Data map[string]string `json:"data"`
}

// listServer lists 1,000 ConfigMaps of 4 kB each in two pages.
func listServer(b *testing.B) *httptest.Server {
	b.Helper()
	var items []string
	for i := range 500 {
		items = append(items, fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"job-%d","labels":{"a":"b"},"resourceVersion":"1"},"data":{"record":%q}}`, i, strings.Repeat("0123456789abcdef", 256)))
	}
	page := func(next string) string {
		return fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMapList","metadata":{"resourceVersion":"1","continue":%q},"items":[%s]}`, next, strings.Join(items, ","))
	}
	first, second := page("next"), page("")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Query().Get("continue") == "" {
			fmt.Fprint(w, first)
			return
		}
		fmt.Fprint(w, second)
	}))
	b.Cleanup(server.Close)
	return server
}

// BenchmarkList measures the time to list 1,000 records in two pages.
func BenchmarkList(b *testing.B) {
	b.Run("this package", func(b *testing.B) {
		server := listServer(b)
		host, err := url.Parse(server.URL)
		if err != nil {
			b.Fatal(err)
		}
		c := New(server.Client(), host, "default", DefaultTimeouts)
		for b.Loop() {
			all, err := List[record](b.Context(), c, ConfigMaps, nil, "", 0)
			if err != nil || len(all) != 1000 {
				b.Fatalf("%d records: %v", len(all), err)
			}
		}
	})
	b.Run("client-go", func(b *testing.B) {
		c, err := dynamic.NewForConfig(&rest.Config{Host: listServer(b).URL, QPS: -1})
		if err != nil {
			b.Fatal(err)
		}
		maps := c.Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Namespace("default")
		pages := pager.New(func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) { return maps.List(ctx, o) })
		for b.Loop() {
			var all []record
			err := pages.EachListItem(b.Context(), metav1.ListOptions{}, func(o runtime.Object) error {
				var r record
				err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.(*unstructured.Unstructured).Object, &r)
				all = append(all, r)
				return err
			})
			if err != nil || len(all) != 1000 {
				b.Fatalf("%d records: %v", len(all), err)
			}
		}
	})
}
