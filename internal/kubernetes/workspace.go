package kubernetes

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/protocol"
	"github.com/openpai/terraform-provider-openpai/internal/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// OpenIn opens a declared cluster for the workspace that declares it.
func OpenIn(ws *hclspec.Workspace, c *hclspec.Cluster) (*Cluster, error) {
	return Open(c, Options{
		Workspace: ws.Name,
		Target:    render.ClusterTarget(ws, c.Name),
		Config:    func(job *resolve.Job) string { return ProtocolText(ws, job) },
	})
}

// ProtocolText returns a job as protocol text with secrets masked, for the
// annotation that OpenPAI's services read; "" when the protocol has no words
// for it. The job itself does not need the text.
func ProtocolText(ws *hclspec.Workspace, job *resolve.Job) string {
	if job.Declared == nil {
		return ""
	}
	text, diags := protocol.Write(job.Declared, protocol.WriteOptions{Workspace: ws})
	if diags.HasErrors() {
		return ""
	}
	return string(text)
}

// CheckNames finds what must be written for jobs on Kubernetes: the name of the
// workspace (named tells whether it is) and the user of each cluster. Two
// machines would take each other's jobs for their own otherwise.
func CheckNames(ws *hclspec.Workspace, named bool, jobs []*resolve.Job) hcl.Diagnostics {
	var diags hcl.Diagnostics
	checked := map[string]bool{}
	for _, job := range jobs {
		c := ws.Cluster(job.Cluster)
		if c == nil || checked[c.Name] {
			continue
		}
		checked[c.Name] = true
		if !named && len(checked) == 1 {
			diags = append(diags, hclspec.UnnamedWorkspace.At(ws.Sources.Range(c.Path),
				"%s runs on the cluster %q, and the configuration names no workspace. Add: openpai { workspace = %q }", job.Address, c.Name, ws.Name))
		}
		if c.User == "" {
			diags = append(diags, hclspec.ClusterWithoutUser.At(ws.Sources.Range(c.Path),
				"%s runs on the cluster %q, whose block names no user. Add, for example: user = %q", job.Address, c.Name, job.User))
		}
	}
	return hclspec.Sort(diags)
}
