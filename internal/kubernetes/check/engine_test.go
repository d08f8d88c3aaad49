// SPDX-License-Identifier: MPL-2.0

package check

import (
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

func TestAnUnprocessedFrameworkShowsThatTheEngineIsDown(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	for name, tt := range map[string]struct {
		kind   framework.ExecutionType
		age    time.Duration
		status *framework.Status
		want   cluster.Result
	}{
		"for a minute": {framework.ExecutionStart, time.Minute, nil, cluster.ResultMissing},
		"for a moment": {framework.ExecutionStart, 5 * time.Second, nil, cluster.ResultUnknown},
		"the Framework is not permitted to start": {framework.ExecutionCreate, time.Minute, nil, cluster.ResultUnknown},
		"the engine has processed it":             {framework.ExecutionStart, time.Minute, &framework.Status{}, cluster.ResultUnknown},
		"the engine was requested to stop it":     {framework.ExecutionStop, time.Minute, &framework.Status{}, cluster.ResultUnknown},
	} {
		created := now.Add(-tt.age)
		fw := &framework.Framework{Metadata: framework.ObjectMeta{Name: "f", CreationTimestamp: &created}, Spec: framework.Spec{ExecutionType: tt.kind}, Status: tt.status}
		got := evaluateUnseen(cluster.CheckResult{Result: cluster.ResultUnknown}, []*framework.Framework{fw}, now)
		if got.Result != tt.want || (got.Result == cluster.ResultMissing) != (!got.Advice.Empty()) {
			t.Errorf("%s: %+v, want %s", name, got, tt.want)
		}
	}
}
