// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/fault"
)

// referenceRequests returns the unique names of the requests that a scene sends
// without faults, in order.
func referenceRequests(t *testing.T, s scene) []string {
	t.Helper()
	namespace := newNamespace(t)
	s.before(t, open(t, namespace, "vision"))
	c, proxy := behind(t, namespace, nil)
	c.options.RequestTimeout = time.Minute // no retries
	if err := s.do(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	var all []string
	seen := newTraffic(namespace)
	for _, r := range proxy.Requests() {
		if name := seen.next(r); name != "" {
			all = append(all, name)
		}
	}
	return all
}

// traffic assigns names to requests, so that two runs can be compared.
type traffic struct {
	namespace, last string
	times           map[string]int
}

func newTraffic(namespace string) *traffic {
	return &traffic{namespace: namespace, times: map[string]int{}}
}

// next returns the name of a request: its kind and the sequence number within that
// kind. It returns "" for requests whose number depends on timing: renewals of the
// Lease, and polling reads.
func (s *traffic) next(r fault.Request) string {
	name := requestName(r, s.namespace)
	if strings.HasPrefix(name, "PATCH leases") || !r.Write() && name == s.last {
		return ""
	}
	s.last = name
	s.times[name]++
	if n := s.times[name]; n > 1 {
		return fmt.Sprintf("%s (%d)", name, n)
	}
	return name
}

var frameworkHash = regexp.MustCompile(`[0-9a-f]{32}`)

func requestName(r fault.Request, namespace string) string {
	path := strings.ReplaceAll(strings.ReplaceAll(r.Path, "/namespaces/"+namespace, ""), namespace, "NAMESPACE")
	return r.Method + " " + frameworkHash.ReplaceAllString(path[strings.LastIndex(path, "/v1/")+len("/v1/"):], "JOB")
}

// behind returns a Cluster that sends its requests through the returned
// proxy.
func behind(t testing.TB, namespace string, choose func(fault.Request) (fault.Kind, bool)) (*Cluster, *fault.Proxy) {
	t.Helper()
	proxy, err := fault.New(server, choose)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(proxy.Close)
	file, err := server.WriteKubeconfig("proxy-"+namespace, proxy.URL, namespace)
	if err != nil {
		t.Fatal(err)
	}
	c := openAt(t, file, namespace, "vision")
	c.options.RequestTimeout = 700 * time.Millisecond
	proxy.Delay = 1100 * time.Millisecond
	return c, proxy
}
