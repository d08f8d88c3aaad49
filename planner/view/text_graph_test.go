// SPDX-License-Identifier: MPL-2.0

package view_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

func TestAPlacementWithoutEffectHasALine(t *testing.T) {
	t.Parallel()
	declared := &hclspec.Job{Hived: &hclspec.Hived{JobPriorityClass: "prod"}}
	for name, c := range map[string]struct {
		job  *resolve.Job
		want bool
	}{
		"HiveD does not place the job": {&resolve.Job{Declared: declared}, true},
		"HiveD places it":              {&resolve.Job{Declared: declared, Hived: &resolve.Hived{Priority: 100}}, false},
		"no placement is declared":     {&resolve.Job{Declared: &hclspec.Job{}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var b bytes.Buffer
			if err := view.Graph(&b, []*resolve.Job{c.job}, view.TextOptions{}); err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(b.String(), "hived: ignored"); got != c.want {
				t.Errorf("the line is present: %v, want %v\n%s", got, c.want, b.String())
			}
		})
	}
}
