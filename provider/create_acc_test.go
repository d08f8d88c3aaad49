// SPDX-License-Identifier: MPL-2.0

//go:build acc

package provider

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
)

// createdJobs is the number of jobs that [BenchmarkCreate] creates.
const createdJobs = 200

// BenchmarkCreate plans and creates jobs on a real API server, like an apply.
// It reports the memory allocations per created job.
func BenchmarkCreate(b *testing.B) {
	server, err := apitest.Start(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(server.Stop)
	run := 0
	for b.Loop() {
		run++
		tf := startWith(b, tree{"kubernetes": tree{
			"kubeconfig": server.Kubeconfig, "namespace": "default", "user": "alice", "workspace": fmt.Sprintf("team-%d", run), "runtime_image": "registry.example.org/runtime:1",
		}})
		var jobs []*instance
		var plans []*planned
		for n := range createdJobs {
			i := tf.resource("openpai_job")
			jobs = append(jobs, i)
			plans = append(plans, i.planBeside(job([]string{"sleep 1000"}, tree{"name": fmt.Sprintf("many-%d-%d", run, n), "environment": tree{"MODE": "test"}})))
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for n, i := range jobs {
			if text := i.applyPlanned(plans[n]); text != "" {
				b.Fatal(text)
			}
		}
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.Mallocs-before.Mallocs)/createdJobs, "allocs/job")
		b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/createdJobs, "B/job")
	}
}
