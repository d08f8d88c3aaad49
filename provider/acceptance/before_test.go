// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// BenchmarkBefore creates, plans and destroys jobs alternately with the provider
// of this commit and another one, so that both run under the same conditions:
//
//	git worktree add --detach /tmp/before COMMIT
//	go build -C /tmp/before -o /tmp/before/bin/terraform-provider-openpai .
//	OPENPAI_ACC_BEFORE=/tmp/before/bin OPENPAI_ACC_JOBS=200 \
//	  go test -tags acc -run '^$' -bench Before -benchtime 5x ./provider/acceptance
//
// It reports the median CPU time (user and system) of the command line including
// the provider, and the ratio of the two providers. It is skipped without
// OPENPAI_ACC_BEFORE.
func BenchmarkBefore(b *testing.B) {
	before := os.Getenv("OPENPAI_ACC_BEFORE")
	if before == "" {
		b.Skip("OPENPAI_ACC_BEFORE must be the directory of another provider")
	}
	for program := range build.programs {
		b.Run(program, func(b *testing.B) {
			times := map[string]map[string][]float64{"now": {}, "before": {}}
			for b.Loop() {
				for _, which := range []string{"before", "now"} {
					for phase, ms := range lifeCost(b, program, map[string]string{"before": before, "now": build.dir}[which]) {
						times[which][phase] = append(times[which][phase], ms)
					}
				}
			}
			b.ReportMetric(0, "ns/op") // not useful: the total of all
			for phase, now := range times["now"] {
				b.ReportMetric(median(now), phase+"-cpu-ms/job")
				b.ReportMetric(median(now)/median(times["before"][phase]), phase+"-x-before")
			}
		})
	}
}

// lifeCost returns the CPU time per job for creating, planning and destroying
// jobs with the provider in a directory, and the total.
func lifeCost(b *testing.B, program, provider string) map[string]float64 {
	b.Helper()
	n := manyJobs(b)
	p := newProject(b, program)
	write(b, filepath.Join(filepath.Dir(p.dir), "cli.rc"), `provider_installation {
  dev_overrides { "openpai/openpai" = "`+filepath.ToSlash(provider)+`" }
  direct {}
}
`)
	p.configure(ownWorkspace("before-"+program), many(n))
	all := map[string]float64{}
	for _, command := range []struct {
		phase string
		args  []string
	}{
		{"create", []string{"apply", "-auto-approve"}},
		{"no-op", []string{"plan", "-detailed-exitcode"}},
		{"destroy", []string{"destroy", "-auto-approve"}},
	} {
		ms := perJob(p.cost(command.args...).cpu, n)
		all[command.phase] = ms
		all["all"] += ms
	}
	b.Logf("%s: create %.2f, no-op %.2f, destroy %.2f ms/job", strings.TrimPrefix(provider, os.TempDir()), all["create"], all["no-op"], all["destroy"])
	return all
}

func median(all []float64) float64 {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}
