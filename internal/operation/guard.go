// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"fmt"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// guard rejects clusters on which another program would delete an applied job. It
// checks only clusters that jobs use.
func (o *Operation) guard(ctx context.Context, jobs []*resolve.Job) (hcl.Diagnostics, error) {
	var diags hcl.Diagnostics
	seen := map[string]bool{}
	for _, job := range jobs {
		if seen[job.Cluster] {
			continue
		}
		seen[job.Cluster] = true
		found, err := o.guardCluster(ctx, job.Cluster)
		if err != nil {
			return nil, fmt.Errorf("check the cluster %s: %w", job.Cluster, err)
		}
		diags = append(diags, found...)
	}
	return diags, nil
}

func (o *Operation) guardCluster(ctx context.Context, name string) (hcl.Diagnostics, error) {
	c, err := o.Cluster(name)
	if err != nil {
		return nil, err
	}
	guarded, ok := c.(cluster.Guarded)
	if !ok {
		return nil, nil
	}
	o.guarding.Lock()
	defer o.guarding.Unlock()
	if diags, known := o.guarded[name]; known {
		return diags, nil
	}
	diags, err := guarded.Guard(ctx, o.options.Workspace.Sources)
	if err != nil {
		return nil, err
	}
	o.guarded[name] = diags
	return diags, nil
}

// checkNames requires, for jobs on Kubernetes, a workspace name and a user
// for each cluster. Without these names, two machines could change each
// other's jobs.
func (o *Operation) checkNames(jobs []*resolve.Job) hcl.Diagnostics {
	ws := o.options.Workspace
	var diags hcl.Diagnostics
	checked := map[string]bool{}
	for _, job := range jobs {
		c := ws.Cluster(job.Cluster)
		if c == nil || checked[c.Name] {
			continue
		}
		checked[c.Name] = true
		if !o.options.Named && len(checked) == 1 {
			diags = append(diags, hclspec.UnnamedWorkspace.At(ws.Sources.Range(c.Path),
				"%s runs on the cluster %q, but the configuration does not set a workspace. Add: openpai { workspace = %q }", job.Address, c.Name, ws.Name))
		}
		if c.User == "" {
			diags = append(diags, hclspec.ClusterWithoutUser.At(ws.Sources.Range(c.Path),
				"%s runs on the cluster %q, whose block does not set a user. Add, for example: user = %q", job.Address, c.Name, job.User))
		}
	}
	return diags
}
