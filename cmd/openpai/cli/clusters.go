package cli

import (
	"context"
	"fmt"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// localCluster is the name of the embedded cluster in resolved jobs.
const localCluster = "local"

// openLocal opens the embedded cluster of a workspace directory. It creates
// nothing.
func openLocal(dir string) (cluster.Cluster, error) {
	c, err := local.Open(dir, local.Options{})
	if err != nil {
		return nil, fmt.Errorf("open the local cluster of %s: %w", dir, err)
	}
	return c, nil
}

// clusters opens every cluster that jobs of the project name, and the local
// one always, since it may still run jobs that were removed.
func (p *project) clusters() (map[string]cluster.Cluster, error) {
	var diags hcl.Diagnostics
	for _, job := range p.jobs {
		if job.Cluster != localCluster {
			at := p.loaded.Workspace.Sources.Range(job.Declared.Path.Attr("cluster"))
			diags = append(diags, hclspec.ClusterNotSupported.At(at,
				"%s runs on the Kubernetes cluster %q. This version plans and applies jobs of the local cluster only; validate and export work.", job.Address, job.Cluster))
		}
	}
	if len(diags) > 0 {
		return nil, p.findings(diags)
	}
	c, err := openLocal(p.loaded.Dir)
	if err != nil {
		return nil, err
	}
	return map[string]cluster.Cluster{localCluster: c}, nil
}

// live reads the state of every cluster.
func (p *project) live(ctx context.Context, clusters map[string]cluster.Cluster) (map[string]*planner.Snapshot, error) {
	names := map[string][]string{}
	for _, job := range p.jobs {
		names[job.Cluster] = append(names[job.Cluster], job.Framework)
	}
	live := map[string]*planner.Snapshot{}
	for name, c := range clusters {
		snapshot, err := c.Read(ctx, p.workspace(), names[name])
		if err != nil {
			return nil, fmt.Errorf("read the jobs of cluster %s: %w", name, err)
		}
		live[name] = snapshot
	}
	return live, nil
}
