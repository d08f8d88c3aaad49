// SPDX-License-Identifier: MPL-2.0

package output

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/planner"
)

func TestInUse(t *testing.T) {
	usage := planner.Usage{Tasks: 2, CPUs: 6, MemoryMB: 8192, GPUs: 4}
	tests := map[string]struct {
		in   []planner.InUse
		want string
	}{
		"nothing runs":           {},
		"neither GPUs nor price": {in: []planner.InUse{{Cluster: "local", Usage: planner.Usage{Tasks: 1, CPUs: 1}}}},
		"GPUs and their price": {
			in:   []planner.InUse{{Cluster: "gpu", VirtualCluster: "default", Usage: usage, PricePerHour: 10}},
			want: "\nIn use by running jobs\n  cluster gpu, virtual cluster default: 2 tasks, 4 GPUs, 6 CPUs, 8 GiB, price 10 per hour\n",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			InUse(&out, tt.in)
			if diff := cmp.Diff(tt.want, out.String()); diff != "" {
				t.Errorf("in use (-want +got):\n%s", diff)
			}
		})
	}
}
