// SPDX-License-Identifier: MPL-2.0

package view_test

import (
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

func TestGPUHoursShowWhetherRetriesAreCounted(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		sums []planner.Sum
		want string
	}{
		"retries without limit": {
			sums: []planner.Sum{{Cluster: "a", GPUSeconds: 3600}},
			want: "Created and replaced jobs use at most 1 GPU-hours per attempt, not including retries.",
		},
		"limited retries": {
			sums: []planner.Sum{{Cluster: "a", GPUSeconds: 3600, RetriedGPUSeconds: 7200}, {Cluster: "b"}},
			want: "Created and replaced jobs use at most 2 GPU-hours, including all retries.",
		},
		"retries without limit on one cluster": {
			sums: []planner.Sum{{Cluster: "a", GPUSeconds: 3600, RetriedGPUSeconds: 7200}, {Cluster: "b", GPUSeconds: 3600}},
			want: "Created and replaced jobs use at most 2 GPU-hours per attempt, not including retries.",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i := range tt.sums {
				tt.sums[i].After = planner.Usage{Tasks: 1, GPUs: 1}
			}
			p := &planner.Plan{Sums: tt.sums, Changes: []*planner.Change{{Address: "job.a", Action: planner.Create, Reason: planner.Reason{Code: planner.ReasonAbsent}, Job: trainJob()}}}
			if shown := text(t, p, view.TextOptions{}); !strings.Contains(shown, tt.want) {
				t.Errorf("no %q in:\n%s", tt.want, shown)
			}
		})
	}
}
