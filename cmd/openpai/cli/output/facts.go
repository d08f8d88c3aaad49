// SPDX-License-Identifier: MPL-2.0

package output

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
)

// FactDifferences lists the differences between two runs other than the fields of their
// jobs.
func FactDifferences(before, after operation.RecordedRun) []document.Fact {
	a, b := facts(before.Run), facts(after.Run)
	a["outcome"], b["outcome"] = runState(before), runState(after)
	if unlike(before.CPUSeconds, after.CPUSeconds, 1) {
		a["CPU time"], b["CPU time"] = cpuTime(before.Run), cpuTime(after.Run)
	}
	if unlike(float64(before.PeakMemoryBytes), float64(after.PeakMemoryBytes), 16<<20) {
		a["peak memory"], b["peak memory"] = peakMemory(before.Run), peakMemory(after.Run)
	}
	all := []document.Fact{}
	names := slices.Sorted(maps.Keys(a))
	for name := range b {
		if _, both := a[name]; !both {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if a[name] != b[name] {
			all = append(all, document.Fact{Name: name, Before: a[name], After: b[name]})
		}
	}
	return all
}

// unlike reports whether two measurements differ by more than 20% of the larger one and
// by more than least. Measurements of two runs always differ slightly.
func unlike(a, b, least float64) bool {
	const fifth = 0.2
	return a > 0 && b > 0 && math.Abs(a-b) > max(fifth*max(a, b), least)
}

// Facts prints differences, one per line.
func Facts(out io.Writer, all []document.Fact) {
	var rows [][]string
	for _, d := range all {
		rows = append(rows, []string{"~ " + d.Name, orNone(d.Before) + " -> " + orNone(d.After)})
	}
	Table(out, rows)
}

// facts returns the inputs and results of a run by name.
func facts(r *history.Run) map[string]string {
	all := map[string]string{}
	put := func(name, value string) {
		if value != "" {
			all[name] = value
		}
	}
	for _, v := range r.Variables {
		value := string(v.Value)
		if v.Sensitive {
			value = "(sensitive)"
		}
		put("variable "+v.Name, value)
	}
	for _, i := range r.Items {
		put("item "+i.Address, i.Version+" "+i.Hash)
	}
	for _, i := range r.Images {
		put("image "+i.TaskRole, i.URI+at(i.Digest))
	}
	for _, d := range r.Data {
		put("data "+d.Prerequisite+" "+d.URL, digest(d))
	}
	for name, value := range r.Metrics {
		put("metric "+name, strconv.FormatFloat(value, 'g', -1, 64))
	}
	for name, version := range r.Secrets {
		put("secret "+name, "version "+version)
	}
	put("commit", commit(r.Git))
	put("openpai", r.Versions.OpenPAI)
	put("runtime", r.Versions.Runtime)
	put("engine", r.Versions.Engine)
	return all
}

func at(digest string) string {
	if digest == "" {
		return ""
	}
	return "@" + digest
}

func digest(d history.Data) string {
	switch {
	case d.SHA256 == "":
		return "not locked"
	case d.Bytes > 0:
		return fmt.Sprintf("sha256:%s, %d bytes", d.SHA256, d.Bytes)
	}
	return "sha256:" + d.SHA256
}
