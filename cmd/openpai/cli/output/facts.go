// SPDX-License-Identifier: MPL-2.0

package output

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// FactDifferences lists the differences between two runs, except job fields.
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
			all = append(all, document.Fact{Name: name, Before: a[name], After: b[name], NotComparable: notComparable(before.Run, after.Run, name)})
		}
	}
	return all
}

// notComparable reports whether a fact is a secret whose versions cannot be
// compared.
func notComparable(before, after *history.Run, fact string) bool {
	name, ok := strings.CutPrefix(fact, secretFact)
	return ok && slices.Contains(before.SecretNames(after), name) &&
		before.SecretVersion(name).Compare(after.SecretVersion(name)) == planner.SecretNotChecked
}

// unlike reports whether two measurements differ significantly. It ignores
// small differences, because measurements always vary between runs. The
// difference must exceed both least and 20% of the larger measurement.
func unlike(a, b, least float64) bool {
	const fifth = 0.2
	return a > 0 && b > 0 && math.Abs(a-b) > max(fifth*max(a, b), least)
}

// Facts prints differences, one per line.
func Facts(out io.Writer, all []document.Fact) {
	var rows [][]string
	for _, d := range all {
		if d.NotComparable {
			rows = append(rows, []string{"? " + d.Name, "not comparable: the versions have different keys"})
			continue
		}
		rows = append(rows, []string{"~ " + d.Name, orNone(d.Before) + " -> " + orNone(d.After)})
	}
	Table(out, rows)
}

// secretFact is the prefix of the names of facts that describe secrets.
const secretFact = "secret "

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
		put(itemName(i), itemValue(i))
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
		put(secretFact+name, "version "+version)
	}
	put("commit", commit(r.Git))
	put("openpai", r.Versions.OpenPAI)
	put("runtime", r.Versions.Runtime)
	put("engine", r.Versions.Engine)
	return all
}

func itemName(i history.Item) string {
	if i.IsModule() {
		return i.Address
	}
	return "item " + i.Address
}

// itemValue returns the locked version, commit and hash of an item or module. For a
// module, it adds the source, which contains the branch or tag. The address of an item
// already contains its source, the marketplace.
func itemValue(i history.Item) string {
	var parts []string
	if i.IsModule() {
		parts = append(parts, i.Source)
	}
	for _, part := range []string{i.Version, i.Commit, i.Hash} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}

func at(digest string) string {
	if digest == "" {
		return ""
	}
	return "@" + digest
}

func digest(d history.Data) string {
	content := "sha256:" + d.SHA256
	switch {
	case d.Commit != "":
		content = "commit " + d.Commit
	case d.SHA256 == "":
		return "not locked"
	}
	if d.Bytes > 0 {
		return fmt.Sprintf("%s, %d bytes", content, d.Bytes)
	}
	return content
}
