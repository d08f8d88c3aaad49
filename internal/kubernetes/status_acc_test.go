// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/engine"
)

// BenchmarkStatusOfAGang reads the status of a job with 1,000 tasks that run, with
// the stages of a sample.
func BenchmarkStatusOfAGang(b *testing.B) {
	namespace := newNamespace(b)
	c, _ := countedBy(b, namespace)
	j := plainJob("vision", "gang")
	j.TaskRoles[0].Instances = 1000
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
	requests := 0
	for b.Loop() {
		again, proxy := countedBy(b, namespace)
		st, err := again.Status(b.Context(), j.Framework)
		if err != nil {
			b.Fatal(err)
		}
		again.AddStages(b.Context(), st)
		requests = len(proxy.Requests())
	}
	b.ReportMetric(float64(requests), "requests")
}
