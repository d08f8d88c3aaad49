// SPDX-License-Identifier: MPL-2.0

package output

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func previousRun(before []operation.RecordedRun, address hclspec.Address) *operation.RecordedRun {
	for _, r := range slices.Backward(before) {
		if r.Address == address {
			return &r
		}
	}
	return nil
}

// element matches the list index at the end of a path.
var element = regexp.MustCompile(`\[\d+\]$`)

// Differs lists the differences from the previous run of the job. It lists fields
// first, then inputs: data, items, modules and secrets. It marks secrets that cannot
// be compared.
func Differs(before []operation.RecordedRun, r operation.RecordedRun) []string {
	previous := previousRun(before, r.Address)
	if previous == nil {
		return nil
	}
	a, errA := previous.Resolved()
	b, errB := r.Resolved()
	if errA != nil || errB != nil || a == nil || b == nil {
		return nil
	}
	var paths []string
	for _, f := range planner.Differences(a, b) {
		paths = append(paths, element.ReplaceAllString(string(f.Path), ""))
	}
	paths = append(slices.Compact(paths), differentInputs(previous.Run, r.Run, b)...)
	return append(paths, differentSecrets(previous.Run, r.Run)...)
}

// inputKey identifies an input of a run. All downloads of a prerequisite have the
// same name and differ in the URL.
type inputKey struct{ name, url string }

// differentInputs lists inputs that both runs recorded with different versions or
// hashes.
func differentInputs(before, after *history.Run, job *resolve.Job) []string {
	a, b := inputVersions(before, job), inputVersions(after, job)
	var names []string
	for key, version := range b {
		if was, both := a[key]; both && was != version {
			names = append(names, key.name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// differentSecrets lists secrets of both runs whose versions differ or cannot be
// compared.
func differentSecrets(before, after *history.Run) []string {
	var names []string
	for _, name := range before.SecretNames(after) {
		switch before.SecretVersion(name).Compare(after.SecretVersion(name)) {
		case planner.SecretChanged:
			names = append(names, secretFact+name)
		case planner.SecretNotChecked:
			names = append(names, secretFact+name+" (not comparable)")
		}
	}
	return names
}

// inputVersions returns the version, hash or commit of each input. It omits images
// and data whose hash the job declares, because Differs compares fields separately.
func inputVersions(r *history.Run, job *resolve.Job) map[inputKey]string {
	all := map[inputKey]string{}
	for _, d := range r.Data {
		if version := cmp.Or(d.Commit, d.SHA256); version != "" && !declaresHash(job, d) {
			all[inputKey{"data " + d.Prerequisite, d.URL}] = version
		}
	}
	for _, i := range r.Images {
		if i.Digest != "" && !declaresDigest(job, i) {
			all[inputKey{"image " + i.TaskRole, i.URI}] = i.Digest
		}
	}
	items, _ := r.UsedItems()
	for _, i := range items {
		all[inputKey{name: itemName(i)}] = itemValue(i)
	}
	return all
}

func declaresDigest(job *resolve.Job, i history.Image) bool {
	return slices.ContainsFunc(job.TaskRoles, func(role *resolve.TaskRole) bool {
		return role.Name == i.TaskRole && strings.Contains(role.Image.URI, "@")
	})
}

func declaresHash(job *resolve.Job, d history.Data) bool {
	for _, role := range job.TaskRoles {
		for _, step := range role.Steps {
			for _, f := range step.Fetch {
				if step.Address == d.Prerequisite && f.URL == d.URL && f.SHA256 != "" {
					return true
				}
			}
		}
	}
	return false
}
