// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
)

func TestADroppedZeroIsAValue(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		sent, live    map[string]any
		kind          planner.DriftKind
		before, after any
	}{
		"a zero was changed":                {nil, map[string]any{"maxRetryCount": float64(3)}, planner.DriftChanged, float64(0), float64(3)},
		"a value was set to zero":           {map[string]any{"maxRetryCount": float64(3)}, nil, planner.DriftChanged, float64(3), float64(0)},
		"a false was changed":               {nil, map[string]any{"fancyRetryPolicy": true}, planner.DriftChanged, false, true},
		"an absent value differs from zero": {nil, map[string]any{"runAsUser": float64(5)}, planner.DriftForeign, nil, float64(5)},
		"an added string":                   {nil, map[string]any{"dnsPolicy": "Default"}, planner.DriftForeign, nil, "Default"},
		"a removed list":                    {map[string]any{"args": []any{"a"}}, nil, planner.DriftMissing, []any{"a"}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			spec := func(policy map[string]any) map[string]any { return map[string]any{"retryPolicy": policy} }
			all := cluster.DriftOf("", "spec", spec(tt.sent), spec(tt.live))
			if len(all) != 1 {
				t.Fatalf("%v", all)
			}
			got := withZero(all[0])
			if diff := cmp.Diff([]any{tt.kind, tt.before, tt.after}, []any{got.Kind, got.Before, got.After}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
