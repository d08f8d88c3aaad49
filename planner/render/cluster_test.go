// SPDX-License-Identifier: MPL-2.0

package render

import (
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestALogStorageIsNamedOrAddressed(t *testing.T) {
	t.Parallel()
	c := &hclspec.Cluster{Name: "c"}
	ws := &hclspec.Workspace{Clusters: []*hclspec.Cluster{c}, Storages: []*hclspec.Storage{{Name: "nfs"}, {Name: "1st"}}}
	for written, want := range map[string]string{"nfs": "nfs", "storage.nfs": "nfs", `storage["1st"]`: "1st", "storage.gone": ""} {
		c.LogStorage = written
		got := ""
		if s := ClusterTarget(ws, "c").LogStorage; s != nil {
			got = s.Name
		}
		if got != want {
			t.Errorf("%s: %q, want %q", written, got, want)
		}
	}
}
