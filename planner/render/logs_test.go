// SPDX-License-Identifier: MPL-2.0

package render

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func TestTheTargetDeterminesWhereLogsAreKept(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		target Target
		want   *KeptLogs
	}{
		"logs are deleted with the Pod":             {Target{}, nil},
		"the nodes, like OpenPAI":                   {Target{Profile: ProfileOpenPAI}, &KeptLogs{"", "/var/log/pai of the node"}},
		"a storage takes precedence over the nodes": {Target{Profile: ProfileOpenPAI, LogStorage: &hclspec.Storage{Name: "logs", Claim: "kept"}}, &KeptLogs{"logs", "the claim kept"}},
		"a directory of the node":                   {Target{LogStorage: &hclspec.Storage{Name: "logs", HostPath: "/logs"}}, &KeptLogs{"logs", "/logs of the node"}},
		"a share":                                   {Target{LogStorage: &hclspec.Storage{Name: "logs", NFS: &hclspec.NFSVolume{Server: "files", Path: "/export"}}}, &KeptLogs{"logs", "files:/export"}},
		"a claim that apply creates":                {Target{LogStorage: &hclspec.Storage{Name: "logs", CSI: &hclspec.CSIVolume{Driver: "d", VolumeHandle: "h"}}}, &KeptLogs{"logs", "the claim ws-logs"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &renderer{job: &resolve.Job{Workspace: "ws"}, target: tt.target, features: tt.target.features()}
			if diff := cmp.Diff(tt.want, r.keptLogs()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
