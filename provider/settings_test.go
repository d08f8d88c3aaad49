// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/history"
)

func TestTheOriginOfRunsOnKubernetesHasTheRuntimeImage(t *testing.T) {
	t.Parallel()
	s := &settings{Version: "1.2.3", Cluster: &hclspec.Cluster{Name: kubernetesName, Runtime: hclspec.ClusterRuntime{Image: "example.org/runtime:1"}}}
	want := history.Origin{Command: "terraform", OpenPAI: "1.2.3", Runtimes: map[string]string{kubernetesName: "example.org/runtime:1"}}
	if diff := cmp.Diff(want, s.origin()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
