// SPDX-License-Identifier: MPL-2.0

package hclspec_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestEqualDiagnosticsKeepTheirInstances(t *testing.T) {
	t.Parallel()
	var diags hcl.Diagnostics
	for _, path := range []hclspec.Path{`job.exp["0"].task_role["w"]`, `job.exp["1"].name`, "job.plain.name", `module.m["a"].job.exp["2"].name`} {
		d := hclspec.UnknownArgument.At(hcl.Range{}, "No argument.")
		diags = append(diags, hclspec.Concerning(hcl.Diagnostics{d}, path, "")...)
	}
	got := hclspec.Sort(diags)
	want := []hclspec.Address{`job.exp["0"]`, `job.exp["1"]`, `module.m["a"].job.exp["2"]`}
	if len(got) != 1 {
		t.Fatalf("got %d diagnostics", len(got))
	}
	if diff := cmp.Diff(want, hclspec.Instances(got[0])); diff != "" {
		t.Errorf("instances (-want +got):\n%s", diff)
	}
}

func TestAnInstanceIsRecognizedInADiagnostic(t *testing.T) {
	t.Parallel()
	d := hclspec.UnknownArgument.At(hcl.Range{}, "Job %q has no such argument.", "exp-0")
	d = hclspec.Concerning(hcl.Diagnostics{d}, `job.exp["0"].name`, "exp-0")[0]
	if text, named := hclspec.NamesInstance(d); !named || text != `Job "" has no such argument.` {
		t.Errorf("got %q, %v", text, named)
	}
}
