// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/engine"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// TestStatusesOnAnAPIServerTakeFewRequests runs TestStatusesOfManyJobsTakeFewRequests
// against a real API server. Two of the jobs have waiting Pods.
func TestStatusesOnAnAPIServerTakeFewRequests(t *testing.T) {
	namespace := newNamespace(t)
	c := open(t, namespace, "vision")
	jobs := manyJobs("vision", 6)
	mustApply(t, c, planner.Options{Jobs: jobs})
	e := &engine.Engine{Client: server.Dynamic(), Namespace: namespace}
	for i, j := range jobs[:4] {
		if err := e.Prepare(t.Context(), j.Framework); err != nil {
			t.Fatal(err)
		}
		if i < 2 {
			notSchedule(t, namespace, framework.PodName(j.Framework, "worker", 0))
		} else if err := e.Run(t.Context(), j.Framework); err != nil {
			t.Fatal(err)
		}
	}
	for _, j := range jobs {
		statusOf(t, c, j) // updates the record
	}
	again, proxy := behind(t, namespace, nil)
	together := readTogether(t, again, "vision")
	if n := len(proxy.Requests()); n > maxListRequests {
		t.Errorf("%d requests, want at most %d: %v", n, maxListRequests, proxy.Requests())
	}
	waiting := 0
	for _, j := range jobs {
		if diff := cmp.Diff(statusOf(t, again, j), together[j.Framework]); diff != "" {
			t.Errorf("%s (-single +together)\n%s", j.Address, diff)
		}
		if waitingOf(together[j.Framework]) != "" {
			waiting++
		}
	}
	if waiting != 2 {
		t.Errorf("%d jobs wait, want 2", waiting)
	}
}

// BenchmarkStatusOfAGangOnAnAPIServer runs BenchmarkStatusOfAGang against a real
// API server. The status has been read once before, so the job's record is up to
// date.
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
