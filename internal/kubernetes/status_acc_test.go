// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/engine"
)

// BenchmarkStatusOfAGangOnAnAPIServer is BenchmarkStatusOfAGang on a real API
// server. The job has been read before, so its record is up to date.
func BenchmarkStatusOfAGangOnAnAPIServer(b *testing.B) {
	namespace := newNamespace(b)
	c, _ := countedBy(b, namespace)
	j := plainJob("vision", "gang")
	j.TaskRoles[0].Instances = gangSize
	if err := c.Create(b.Context(), submission(c, j)); err != nil {
		b.Fatal(err)
	}
	e := &engine.Engine{Client: server.Dynamic(), Namespace: namespace, Compress: true}
	if err := e.Prepare(b.Context(), j.Framework); err != nil {
		b.Fatal(err)
	}
	if err := e.Run(b.Context(), j.Framework); err != nil {
		b.Fatal(err)
	}
	readGang(b, c)
	requests := 0
	for b.Loop() {
		again, proxy := countedBy(b, namespace)
		readGang(b, again)
		requests = len(proxy.Requests())
	}
	b.ReportMetric(float64(requests), "requests")
}
