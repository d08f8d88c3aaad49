// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/planner"
)

// TestOnlyUnfinishedJobsUseTheQuota checks that usage ignores finished jobs and
// invalid numbers.
func TestOnlyUnfinishedJobsUseTheQuota(t *testing.T) {
	t.Parallel()
	var all []usedFramework
	text := `[
		{"metadata": {"labels": {"virtualCluster": "default"}, "annotations": {"totalGpuNumber": "8"}}, "status": {"state": "AttemptRunning"}},
		{"metadata": {"labels": {"virtualCluster": "default"}, "annotations": {"totalGpuNumber": "2"}}},
		{"metadata": {"labels": {"virtualCluster": "default"}, "annotations": {"totalGpuNumber": "64"}}, "status": {"state": "Completed"}},
		{"metadata": {"labels": {"virtualCluster": "default"}, "annotations": {"totalGpuNumber": "-5"}}},
		{"metadata": {"labels": {"virtualCluster": "vision"}, "annotations": {"totalGpuNumber": "many"}}}
	]`
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]planner.OthersUse{"default": {GPUs: 10}, "vision": {}}, usage(all)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
