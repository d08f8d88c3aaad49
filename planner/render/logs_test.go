package render

import (
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestLogPlace(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		target        Target
		storage, root string
	}{
		"logs go with the Pod":    {Target{}, "", ""},
		"the nodes, as OpenPAI":   {Target{Profile: ProfileOpenPAI}, "", "/var/log/pai of the node"},
		"a storage before nodes":  {Target{Profile: ProfileOpenPAI, LogStorage: &hclspec.Storage{Name: "logs", Claim: "kept"}}, "logs", "the claim kept"},
		"a directory of the node": {Target{LogStorage: &hclspec.Storage{Name: "logs", HostPath: "/logs"}}, "logs", "/logs of the node"},
		"a share":                 {Target{LogStorage: &hclspec.Storage{Name: "logs", NFS: &hclspec.NFSVolume{Server: "files", Path: "/export"}}}, "logs", "files:/export"},
		"a claim that is created": {Target{LogStorage: &hclspec.Storage{Name: "logs", CSI: &hclspec.CSIVolume{Driver: "d", VolumeHandle: "h"}}}, "logs", "the claim ws-logs"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if storage, root := tt.target.LogPlace("ws"); storage != tt.storage || root != tt.root {
				t.Errorf("%q, %q; want %q, %q", storage, root, tt.storage, tt.root)
			}
		})
	}
}
