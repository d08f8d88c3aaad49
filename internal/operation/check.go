// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"cmp"
	"context"
	"fmt"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// renderTargets describes the clusters of the jobs for the renderer. For a
// cluster that was read, it uses the namespace that the cluster reports, because
// the kubeconfig may set the namespace.
func (o *Operation) renderTargets(r Request, read map[string]cluster.Cluster) (map[string]render.Target, error) {
	targets := map[string]render.Target{}
	for _, job := range r.Jobs {
		if _, known := targets[job.Cluster]; known {
			continue
		}
		t := render.ClusterTarget(r.Workspace, job.Cluster)
		if read[job.Cluster] != nil {
			if err := o.setNamespace(job.Cluster, &t); err != nil {
				return nil, err
			}
		}
		targets[job.Cluster] = t
	}
	return targets, nil
}

func (o *Operation) setNamespace(name string, t *render.Target) error {
	namespace, err := o.Namespace(name)
	t.Namespace = cmp.Or(namespace, t.Namespace)
	return err
}

// checkRendered returns the diagnostics for jobs that the plan creates or
// replaces on the local cluster.
func (o *Operation) checkRendered(p *planner.Plan, targets map[string]render.Target) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, c := range p.Changes {
		if t := targets[c.Cluster]; t.Local && (c.Action == planner.Create || c.Action == planner.Replace) {
			diags = append(diags, local.Warnings(c.Job, t.Sources)...)
			diags = append(diags, local.CheckFiles(c.Job, o.options.Directory, t.Sources)...)
		}
	}
	return diags
}

// anyImage is the placeholder for a runtime image that is chosen at plan time.
const anyImage = "openpai-runtime"

// Validate runs the job checks that do not require a cluster.
func (o *Operation) Validate(jobs []*resolve.Job) hcl.Diagnostics {
	ws := o.options.Workspace
	var diags hcl.Diagnostics
	for _, job := range jobs {
		t := render.ClusterTarget(ws, job.Cluster)
		t.RuntimeImage = cmp.Or(t.RuntimeImage, anyImage)
		_, found := render.Objects(job, t)
		diags = append(diags, found...)
		if t.Local {
			diags = append(diags, local.CheckFiles(job, o.options.Directory, t.Sources)...)
		}
	}
	full := planner.New(planner.Options{Workspace: ws.Name, Jobs: jobs, Moved: ws.Moved, Clusters: ws.Clusters, Sources: ws.Sources, Offline: true})
	return hclspec.Sort(append(diags, full.Diagnostics...))
}

// CheckCluster checks whether a cluster can run the jobs. The results have a fixed
// order. They are nil for a cluster without checks.
func (o *Operation) CheckCluster(ctx context.Context, name string, jobs []*resolve.Job) ([]cluster.CheckResult, error) {
	opened, err := o.Cluster(name)
	if err != nil {
		return nil, err
	}
	c, ok := opened.(cluster.Checker)
	if !ok {
		return nil, nil
	}
	found, err := c.Check(ctx, o.options.Workspace, jobs)
	if err != nil {
		return nil, fmt.Errorf("check the cluster %s: %w", name, err)
	}
	return found, nil
}
