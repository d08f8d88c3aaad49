// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"fmt"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func TestANameWithoutATypeIsAJob(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]hclspec.Address{
		"mnist":          "job.mnist",
		"job.mnist":      "job.mnist",
		"3dunet":         `job["3dunet"]`,
		"ex*":            "job.ex*",
		`exp["a"]`:       `job.exp["a"]`,
		`exp["?"]`:       `job.exp["?"]`,
		`exp["0.1"]`:     `job.exp["0.1"]`,
		`job["3dunet"]`:  `job["3dunet"]`,
		`job.exp["0.1"]`: `job.exp["0.1"]`,
		"storage.team":   "storage.team",
		"module.m.job.x": "module.m.job.x",
	} {
		if got := address(input); got != want {
			t.Errorf("%s is %s, want %s", input, got, want)
		}
	}
}

func TestAnUnknownJobGetsSuggestions(t *testing.T) {
	t.Parallel()
	var few, many []operation.Job
	for i := range 200 {
		many = append(many, operation.Job{Address: hclspec.Address(fmt.Sprintf("job.sweep%d", i))})
	}
	few = many[:3]
	grid := []operation.Job{
		{Address: `job.exp["lr-1"]`, Applied: &resolve.Job{Name: "exp-lr-1"}},
		{Address: `job.exp["lr-2"]`, Applied: &resolve.Job{Name: "exp-lr-2"}},
	}
	for name, tt := range map[string]struct {
		jobs        []operation.Job
		input, want string
	}{
		"none":                  {nil, "a", `Job "a" does not exist. The workspace has no applied jobs.`},
		"none, a declared one":  {nil, "job.tran", `Job "job.tran" does not exist. The workspace has no applied jobs. Did you mean "train"?`},
		"declared":              {few, "train", `Job "train" has not been applied. Apply it first.`},
		"a few":                 {few, "job.sweep9", `Job "job.sweep9" does not exist. Existing jobs: sweep0, sweep1, sweep2. Did you mean "sweep0" or "sweep1" or "sweep2"?`},
		"many, one close":       {many, "job.swep7", `Job "job.swep7" does not exist. Existing jobs: sweep0, sweep1, sweep2, sweep3, sweep4, sweep5, sweep6, sweep7, and 192 more jobs. Did you mean "sweep7"?`},
		"many, none close":      {many, "evaluate", `Job "evaluate" does not exist. Existing jobs: sweep0, sweep1, sweep2, sweep3, sweep4, sweep5, sweep6, sweep7, and 192 more jobs.`},
		"a for_each":            {grid, "job.exq", `Job "job.exq" does not exist. Existing jobs: exp["lr-1"], exp["lr-2"]. Did you mean "exp"?`},
		"an instance":           {grid, `exp["lr-3"]`, `Job exp["lr-3"] does not exist. Existing jobs: exp["lr-1"], exp["lr-2"]. Did you mean exp["lr-1"] or exp["lr-2"]?`},
		"a name on the cluster": {grid, "exp-lr-2", `Job "exp-lr-2" does not exist. Existing jobs: exp["lr-1"], exp["lr-2"]. Did you mean exp["lr-2"]?`},
		"a pattern without any": {few, "eval*", `No job matches "eval*". Existing jobs: sweep0, sweep1, sweep2.`},
		"a misspelled pattern":  {few, "swep*", `No job matches "swep*". Existing jobs: sweep0, sweep1, sweep2. Did you mean "sweep0" or "sweep1" or "sweep2"?`},
		"a pattern of one":      {few, "job.swep?", `No job matches "job.swep?". Existing jobs: sweep0, sweep1, sweep2. Did you mean "sweep0" or "sweep1" or "sweep2"?`},
		"a declared pattern":    {few, "tra*", `Job "train" has not been applied. Apply it first.`},
	} {
		if got := unknownJob(tt.input, tt.jobs, []hclspec.Address{"job.train"}); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, tt.want)
		}
	}
}
