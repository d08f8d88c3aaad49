package cli

import (
	"context"
	"fmt"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes"
	"github.com/openpai/terraform-provider-openpai/internal/local"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
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

// clusters opens every cluster of the project: the declared ones, also those
// that no job names any more, and the local one always. Nothing is asked yet.
func (p *project) clusters() (map[string]cluster.Cluster, error) {
	if diags := kubernetes.CheckNames(p.loaded.Workspace, p.loaded.Named, p.jobs); diags.HasErrors() {
		return nil, p.findings(diags)
	}
	return openClusters(p.loaded)
}

func openClusters(loaded *workspace.Loaded) (map[string]cluster.Cluster, error) {
	c, err := openLocal(loaded.Dir)
	if err != nil {
		return nil, err
	}
	opened := map[string]cluster.Cluster{localCluster: c}
	for _, declared := range loaded.Workspace.Clusters {
		c, err := kubernetes.OpenIn(loaded.Workspace, declared)
		if err != nil {
			return nil, err
		}
		opened[declared.Name] = c
	}
	return opened, nil
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

// guarded is a cluster that may be unsafe to write to.
type guarded interface {
	Guard(ctx context.Context, sources hclspec.SourceMap) (hcl.Diagnostics, error)
}

// guard refuses clusters where what is applied would not last. Only those that
// jobs name are asked.
func (p *project) guard(ctx context.Context, clusters map[string]cluster.Cluster) error {
	var diags hcl.Diagnostics
	asked := map[string]bool{}
	for _, job := range p.jobs {
		c, ok := clusters[job.Cluster].(guarded)
		if !ok || asked[job.Cluster] {
			continue
		}
		asked[job.Cluster] = true
		found, err := c.Guard(ctx, p.loaded.Workspace.Sources)
		if err != nil {
			return fmt.Errorf("look at cluster %s: %w", job.Cluster, err)
		}
		diags = append(diags, found...)
	}
	if diags.HasErrors() {
		return p.findings(hclspec.Sort(diags))
	}
	return nil
}
