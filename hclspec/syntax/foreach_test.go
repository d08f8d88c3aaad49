// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestInstancesAreReferredToOneByOne(t *testing.T) {
	t.Parallel()
	role := func(prerequisites string) string {
		return `
prerequisite "data" "part" {
  for_each = toset(["a", "b.1"])
}
job "j" {
  task_role "w" {
    image         = "busybox"
    commands      = ["true"]
    prerequisites = ` + prerequisites + `
    resources {
      gpu       = 0
      cpu       = 1
      memory_mb = 1
    }
  }
}`
	}
	a, b := `prerequisite.data.part["a"]`, `prerequisite.data.part["b.1"]`
	cases := map[string]struct {
		src  string
		want []hclspec.Reference
	}{
		"one":                      {`[prerequisite.data.part["a"]]`, []hclspec.Reference{{Target: a}}},
		"all":                      {`values(prerequisite.data.part)`, []hclspec.Reference{{Target: a}, {Target: b}}},
		"objects that are made":    {`[for k, p in prerequisite.data.part : { use = p, with = { dir = k } }]`, []hclspec.Reference{{Target: a, With: map[string]any{"dir": "a"}}, {Target: b, With: map[string]any{"dir": "b.1"}}}},
		"objects with only use":    {`[for p in prerequisite.data.part : { use = p }]`, []hclspec.Reference{{Target: a}, {Target: b}}},
		"all at once is a mistake": {`[prerequisite.data.part]`, nil},
	}
	for sentence, c := range cases {
		ws, diags := Decode(Input{Files: map[string][]byte{"a.pai.hcl": []byte(role(c.src))}})
		if c.want == nil {
			if !strings.Contains(listing(diags), "for_each as a whole") {
				t.Errorf("%s: %s", sentence, listing(diags))
			}
			continue
		}
		got := ws.Jobs[0].TaskRoles[0].Prerequisites
		for i := range got {
			got[i].Path = ""
		}
		if diff := cmp.Diff(c.want, got); diff != "" || len(diags) > 0 {
			t.Errorf("%s: %s\n%s", sentence, listing(diags), diff)
		}
	}
}
