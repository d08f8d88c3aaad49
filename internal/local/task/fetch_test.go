// SPDX-License-Identifier: MPL-2.0

package task

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

func TestPlaceFetches(t *testing.T) {
	t.Parallel()
	spec := &runspec.Spec{Steps: []runspec.Step{{Address: "prerequisite.data.x", Fetch: []runspec.Fetch{
		{URL: "data/a.csv"}, {URL: "/srv/b.csv"}, {URL: "https://example.org/c.csv"}, {URL: "file:///srv/d.csv"},
	}}}}
	placed, err := PlaceFetches(spec, "/home/ada/lab")
	if err != nil {
		t.Fatal(err)
	}
	want := []runspec.Fetch{
		{URL: "/home/ada/lab/data/a.csv"}, {URL: "/srv/b.csv"}, {URL: "https://example.org/c.csv"}, {URL: "file:///srv/d.csv"},
	}
	if diff := cmp.Diff(want, placed.Steps[0].Fetch); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if spec.Steps[0].Fetch[0].URL != "data/a.csv" {
		t.Error("the input specification has changed")
	}
	spec.Steps[0].Fetch[0].URL = "../../etc/passwd"
	if _, err := PlaceFetches(spec, "/home/ada/lab"); err == nil {
		t.Error("a path out of the workspace was accepted")
	}
}
