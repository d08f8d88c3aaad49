// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkBefore creates, plans and destroys jobs with the providers from two
// commits. Each round reverses the order of the providers, so that both run under
// the same conditions. `make bench-before BEFORE=COMMIT` builds the provider from
// COMMIT and runs the benchmark with 200 jobs. OPENPAI_ACC_BEFORE is the
// directory of the built provider.
//
// The results are the median CPU times (user and system) of the CLI including
// the provider. Results such as "create-provider" are for the provider alone.
// Ratios compare the two providers. The benchmark is skipped without
// OPENPAI_ACC_BEFORE.
func BenchmarkBefore(b *testing.B) {
	before := os.Getenv("OPENPAI_ACC_BEFORE")
	if before == "" {
		b.Skip("OPENPAI_ACC_BEFORE must be the directory of another provider")
	}
	for program := range build.programs {
		b.Run(program, func(b *testing.B) {
			times := map[string]map[string][]float64{"now": {}, "before": {}}
			order := []string{"before", "now"}
			for b.Loop() {
				slices.Reverse(order)
				for _, which := range order {
					for phase, ms := range lifeCost(b, program, map[string]string{"before": before, "now": build.dir}[which]) {
						times[which][phase] = append(times[which][phase], ms)
					}
				}
			}
			b.ReportMetric(0, "ns/op") // the total time is not useful
			for phase, now := range times["now"] {
				b.ReportMetric(median(now), phase+"-cpu-ms/job")
				b.ReportMetric(median(now)/median(times["before"][phase]), phase+"-x-before")
			}
		})
	}
}

// lifeCost creates, plans and destroys jobs with the provider binary in the
// directory provider. It returns the CPU time per job for each phase and in
// total.
func lifeCost(b *testing.B, program, provider string) map[string]float64 {
	b.Helper()
	n := manyJobs(b)
	p := newProject(b, program)
	measured := measuredProvider(b, filepath.Dir(p.dir), provider)
	write(b, filepath.Join(filepath.Dir(p.dir), "cli.rc"), `provider_installation {
  dev_overrides { "openpai/openpai" = "`+filepath.ToSlash(measured)+`" }
  direct {}
}
`)
	p.configure(ownWorkspace(b, "before-"+program), many(n))
	all := map[string]float64{}
	for _, command := range []struct {
		phase string
		args  []string
	}{
		{"create", []string{"apply", "-auto-approve"}},
		{"no-op", []string{"plan", "-detailed-exitcode"}},
		{"destroy", []string{"destroy", "-auto-approve"}},
	} {
		whole := perJob(p.cost(command.args...).cpu, n)
		alone := perJob(providerCPU(b, measured), n)
		all[command.phase], all[command.phase+"-provider"] = whole, alone
		all["all"] += whole
		all["all-provider"] += alone
		b.Logf("%s: %s %.2f ms/job, of that the provider %.2f", strings.TrimPrefix(provider, os.TempDir()), command.phase, whole, alone)
	}
	return all
}

// measuredProvider returns a directory with a program that writes the CPU time
// of each provider run. Terraform and OpenTofu start the provider several
// times per command.
func measuredProvider(b *testing.B, dir, provider string) string {
	b.Helper()
	measured := filepath.Join(dir, "measured")
	if err := os.Mkdir(measured, 0o755); err != nil {
		b.Fatal(err)
	}
	script := "#!/usr/bin/env bash\n'" + provider + "/terraform-provider-openpai' \"$@\"\ncode=$?\ntimes > '" + measured + "'/times-$$\nexit $code\n"
	if err := os.WriteFile(filepath.Join(measured, "terraform-provider-openpai"), []byte(script), 0o755); err != nil {
		b.Fatal(err)
	}
	return measured
}

// providerCPU returns the CPU time of a measured provider since the last call.
func providerCPU(b *testing.B, measured string) time.Duration {
	b.Helper()
	files, err := filepath.Glob(filepath.Join(measured, "times-*"))
	if err != nil || len(files) == 0 {
		b.Fatalf("the provider did not write its CPU time: %v", err)
	}
	var sum time.Duration
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		_, children, _ := strings.Cut(string(text), "\n") // the first line is the CPU time of the shell
		for _, field := range strings.Fields(children) {
			used, err := time.ParseDuration(field)
			if err != nil {
				b.Fatal(err)
			}
			sum += used
		}
		if err := os.Remove(file); err != nil {
			b.Fatal(err)
		}
	}
	return sum
}

func median(all []float64) float64 {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}
