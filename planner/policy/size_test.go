// SPDX-License-Identifier: MPL-2.0

package policy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// TestJudgmentIsBounded checks the limit on the total size of values. A
// policy exceeds the limit with loops or by reading the whole plan for each
// of many jobs.
func TestJudgmentIsBounded(t *testing.T) {
	t.Parallel()
	p := &planner.Plan{}
	for i := range 100 {
		p.Changes = append(p.Changes, &planner.Change{Address: hclspec.NewAddress("job", fmt.Sprint(i)), Action: planner.Create, Job: &resolve.Job{}})
	}
	for condition, want := range map[string]string{
		"length(plan.changes) > 0":                 "exceed the computation limit",
		"length([for a in range(1000) : a]) > 0":   "exceed the computation limit",
		"length(plan.workspace) == 0":              "",
		"length([for a in range(1000) : a]) == -1": "exceed the computation limit",
	} {
		source := "policy \"p\" {\n  for_each = jobs\n  level = warn\n  message = \"\"\n  condition = " + condition + "\n}\n"
		ws, diags := syntax.Decode(syntax.Input{Files: map[string][]byte{"p.pai.hcl": []byte(source)}})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		j := newJudgment(p, nil)
		j.bytes = 1 << 20
		j.judge(ws.Policies[0])
		got := ""
		if j.diags.HasErrors() {
			got = j.diags.Errs()[0].Error()
		}
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q", condition, got)
		}
	}
}
