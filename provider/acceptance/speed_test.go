// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"fmt"
	"os/exec"
	"testing"
	"time"
)

// These are the times for one Framework as a kubernetes_manifest, a resource
// of hashicorp/kubernetes. They were measured on two cores with the same API
// server.
const (
	manifestCreated   = 390 * time.Millisecond
	manifestRefreshed = 200 * time.Millisecond
)

// ownWorkspace returns a provider block for a workspace and user with the
// given name.
func ownWorkspace(t testing.TB, name string) string {
	return fmt.Sprintf(`provider "openpai" {
  kubernetes {
    kubeconfig    = %q
    namespace     = "default"
    user          = %q
    workspace     = %q
    runtime_image = "registry.example.org/runtime:1"
  }
}`, apiServer(t).Kubeconfig, name, name)
}

// manyData declares n resources of a type that is built into Terraform.
func manyData(n int, input string) string {
	return fmt.Sprintf("resource \"terraform_data\" \"many\" {\n  count = %d\n  input = %s\n}\n", n, input)
}

// cost is the wall-clock and CPU time of a command, including the provider.
type cost struct{ wall, cpu time.Duration }

func (c cost) minus(o cost) cost { return cost{c.wall - o.wall, c.cpu - o.cpu} }

func (p *project) cost(args ...string) cost {
	p.t.Helper()
	cmd := exec.Command(p.program, append(args, "-no-color", "-input=false")...)
	cmd.Dir, cmd.Env = p.dir, p.env
	began := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("%s: %v\n%s", args[0], err, out)
	}
	return cost{time.Since(began), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
}

// plannedCost contains the costs of planning one resource and of planning n
// resources.
type plannedCost struct{ one, all cost }

// noOp applies configurations with one and n resources. The returned function
// measures the cost of planning them.
func noOp(b *testing.B, program, provider string, n int, resources func(n int) string) func() plannedCost {
	b.Helper()
	one, all := newProject(b, program), newProject(b, program)
	one.configure(ownWorkspace(b, provider+"-one"), resources(1))
	all.configure(ownWorkspace(b, provider), resources(n))
	for _, p := range []*project{one, all} {
		p.apply()
		b.Cleanup(func() { p.must("destroy", "-auto-approve", "-input=false") })
	}
	plan := func(p *project) cost { return p.cost("plan", "-detailed-exitcode") }
	return func() plannedCost { return plannedCost{plan(one), plan(all)} }
}

// BenchmarkNoOpPlan plans unchanged jobs and, for comparison, the same number
// of built-in terraform_data resources. The input of a built-in resource is the
// declaration of a job or a single string. For each input, it reports two
// ratios of jobs to built-in resources: the total CPU time, and the CPU time
// per additional resource.
func BenchmarkNoOpPlan(b *testing.B) {
	for program := range build.programs {
		b.Run(program, func(b *testing.B) {
			n := max(manyJobs(b), 2)
			jobs := noOp(b, program, "noop-"+program, n, many)
			same := noOp(b, program, "same-"+program, n, func(n int) string { return manyData(n, "{"+manyDeclared+"}") })
			text := noOp(b, program, "text-"+program, n, func(n int) string { return manyData(n, `"many-${count.index}"`) })
			var job, declared, short plannedCost
			for b.Loop() {
				job, declared, short = jobs(), same(), text()
			}
			b.ReportMetric(0, "ns/op") // the total time is not useful
			each := job.all.minus(job.one)
			b.ReportMetric(perJob(job.all.wall, n), "ms/job")
			b.ReportMetric(perJob(each.cpu, n-1), "cpu-ms/job")
			b.ReportMetric(float64(manifestRefreshed)/float64(job.all.wall)*float64(n), "x-faster-than-manifest")
			for name, data := range map[string]plannedCost{"declaration": declared, "text": short} {
				b.ReportMetric(ratio(job.all, data.all), "x-"+name)
				b.ReportMetric(ratio(each, data.all.minus(data.one)), "x-"+name+"-slope")
			}
		})
	}
}

// BenchmarkCreate creates jobs on the API server.
func BenchmarkCreate(b *testing.B) {
	for program := range build.programs {
		b.Run(program, func(b *testing.B) {
			n := manyJobs(b)
			var all cost
			times := 0
			for b.Loop() {
				p := newProject(b, program)
				p.configure(ownWorkspace(b, "create-"+program), many(n))
				c := p.cost("apply", "-auto-approve")
				all, times = cost{all.wall + c.wall, all.cpu + c.cpu}, times+n
				b.StopTimer()
				p.must("destroy", "-auto-approve", "-input=false")
				b.StartTimer()
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(perJob(all.wall, times), "ms/job")
			b.ReportMetric(perJob(all.cpu, times), "cpu-ms/job")
			b.ReportMetric(float64(manifestCreated)/float64(all.wall)*float64(times), "x-faster-than-manifest")
		})
	}
}

func perJob(d time.Duration, n int) float64 {
	return float64(d) / float64(time.Millisecond) / float64(n)
}

func ratio(a, b cost) float64 { return float64(a.cpu) / float64(b.cpu) }
