// SPDX-License-Identifier: MPL-2.0

package planner_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// TestMembersWithTheSameFieldsShareAnEntry checks which members share an entry.
// Members can share an entry if they differ in the same fields.
func TestMembersWithTheSameFieldsShareAnEntry(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		commands []string // of the instances
		want     []string
	}{
		"different values":             {[]string{"a", "b", "c"}, []string{`job.exp["0"] like job.exp["1"] job.exp["2"]`}},
		"equal values":                 {[]string{"a", "b", "a", "c"}, []string{`job.exp["0"] job.exp["2"] like job.exp["1"] job.exp["3"]`}},
		"too few to fold":              {[]string{"a", "b"}, []string{`job.exp["0"]`, `job.exp["1"]`}},
		"one with more changed fields": {[]string{"a", "b", "c", "d\ne\nf\ng"}, []string{`job.exp["0"] like job.exp["1"] job.exp["2"]`, `job.exp["3"]`}},
		"all with the same difference": {[]string{"a", "a", "a"}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var before, after []*resolve.Job
			for i, c := range tt.commands {
				before = append(before, instance(fmt.Sprint(i)))
				after = append(after, instance(fmt.Sprint(i), withCommands(strings.Split(c, "\n")...), withInstances(3)))
			}
			var live []*planner.LiveJob
			for _, job := range before {
				live = append(live, newLive(job))
			}
			p := planner.New(planner.Options{Workspace: "ws", Jobs: after, Live: has(live...)})
			var got []string
			for _, g := range p.Groups() {
				for _, one := range g.Particulars() {
					got = append(got, describeParticular(one))
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func describeParticular(p planner.Particular) string {
	var names []string
	for _, m := range p.Members {
		names = append(names, string(m.Change.Address))
	}
	if len(p.Alike) > 0 {
		names = append(names, "like")
	}
	for _, m := range p.Alike {
		names = append(names, string(m.Change.Address))
	}
	return strings.Join(names, " ")
}
