package kubernetes

import (
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/render"
)

// OpenIn opens a declared cluster for the workspace that declares it.
func OpenIn(ws *hclspec.Workspace, c *hclspec.Cluster) (*Cluster, error) {
	return Open(c, Options{
		Workspace: ws.Name,
		Target:    render.ClusterTarget(ws, c.Name),
	})
}
