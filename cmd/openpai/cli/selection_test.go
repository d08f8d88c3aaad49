package cli

import (
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestAddress(t *testing.T) {
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
