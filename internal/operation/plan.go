// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/policy"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Live reads the state of the clusters. Every call reads the clusters again.
type Live func(context.Context) (map[string]*planner.Snapshot, error)

// Request is the input of a plan.
type Request struct {
	// Jobs contains all declared jobs after they were resolved; see
	// planner.Options.
	Jobs []*resolve.Job
	// Workspace declares the jobs; nil means the workspace of the operation.
	Workspace *hclspec.Workspace
	// Warnings are earlier warnings to include in the plan.
	Warnings hcl.Diagnostics
	// Live reads the state to compare with. If Live is nil, the plan reads
	// every cluster.
	Live Live
	// Assumed is the state to compare with if the clusters cannot be reached.
	// If Assumed is set, the plan does not call Live. A plan with an assumed
	// state cannot be applied. Planning with an assumed state does not open
	// or guard clusters, and skips the creation checks that need clusters.
	Assumed map[string]*planner.Snapshot
	// Earlier finds the inputs that caused changes. If Earlier is nil, the
	// plan does not look for these inputs.
	Earlier Earlier
	// SecretValue returns the value of a secret if it is known. If SecretValue
	// is nil, the plan reads the declared secrets. In both cases, the plan
	// reads the values of Kubernetes Secrets from their clusters.
	SecretValue func(*resolve.Secret) (string, bool)
	// SecretUnknown reports whether the source of a secret is still unknown. If
	// SecretUnknown is nil, all sources are known.
	SecretUnknown func(*hclspec.Secret) bool

	// New is set if the caller has a separate state that does not contain the
	// jobs. The plan then fails with an [ExistsError] if a job already
	// exists.
	New bool
	// Targets limits the plan; see planner.Options.
	Targets []hclspec.Address
	// Rerun lists finished jobs to run again. RerunAll reruns all finished
	// jobs, limited to Targets if there are any.
	Rerun    []hclspec.Address
	RerunAll bool
	// RepeatOf maps jobs to the runs that they repeat. The new run receives
	// the variables and items of the run that it repeats.
	RepeatOf map[hclspec.Address]*history.Run
	// Replace lists existing jobs that the caller replaces regardless of their
	// state.
	Replace []hclspec.Address
	// EndsWork is set if the caller ends an unfinished job before it creates
	// the planned jobs. No planned job may have the name of the unfinished
	// job. Problems that prevent the creation are then errors.
	EndsWork bool
	// Preliminary is set if other resources may create claims before the apply. A
	// missing claim is then an error only if unfinished work would be lost.
	Preliminary bool
	// Offline is set if the plan does not use any cluster.
	Offline bool
	// Destroy is set if the plan deletes every job.
	Destroy bool
}

// asks reports whether the plan reads the clusters.
func (r Request) asks() bool { return !r.Offline && r.Assumed == nil }

// checksCreations reports whether the plan checks for problems that prevent
// jobs from being created. A plan with an assumed state checks only the secret
// values that the caller reads.
func (r Request) checksCreations() bool { return r.asks() || r.Assumed != nil && !r.Destroy }

// Plan is a plan with the data needed to apply it.
type Plan struct {
	*planner.Plan
	// Clusters are the clusters that were read, and Live is their state. Both are
	// nil for an offline plan.
	Clusters map[string]cluster.Cluster
	Live     map[string]*planner.Snapshot
	read     Live
	sources  hclspec.SourceMap
	repeatOf map[hclspec.Address]*history.Run
	values   *valueReader

	operation *Operation
	// missingClaims lists the missing claims that the plan already reported.
	missingClaims []missingClaim
}

// Plan compares jobs with the state of the clusters. It renders and checks the
// manifests. The diagnostics of the plan can include errors. If diagnostics prevent
// Plan from creating a plan, it returns them as a [Refused].
func (o *Operation) Plan(ctx context.Context, r Request) (*Plan, error) {
	if r.Workspace == nil {
		r.Workspace = o.options.Workspace
	}
	p := &Plan{operation: o, sources: r.Workspace.Sources, Live: r.Assumed, repeatOf: r.RepeatOf}
	if r.asks() {
		if err := o.readLive(ctx, r, p); err != nil {
			return nil, err
		}
	}
	targets, err := o.renderTargets(r, p.Clusters)
	if err != nil {
		return nil, err
	}
	p.values = o.newValueReader(r, p.Clusters)
	p.Plan = planner.New(planner.Options{
		Workspace:      o.options.Workspace.Name,
		Jobs:           r.Jobs,
		Moved:          r.Workspace.Moved,
		Live:           p.Live,
		RenderTargets:  targets,
		Renderer:       o.renderings.objects,
		WithoutObjects: o.options.WithoutObjects,
		SecretValue:    p.values.forPlanner(ctx),
		Targets:        r.Targets,
		Rerun:          o.rerun(r, p.Live),
		RepeatOf:       runNumbers(r.RepeatOf),
		Replace:        r.Replace,
		Declarer:       o.options.Declarer,
		Offline:        r.Offline,
		Destroy:        r.Destroy,
		Downloads:      o.downloads(p.Clusters),
		Clusters:       r.Workspace.Clusters,
		Sources:        r.Workspace.Sources,
	})
	if p.values.failed != nil {
		return nil, p.values.failed
	}
	o.learnSizes(ctx, p)
	o.attribute(ctx, r, p)
	p.Diagnostics = slices.Concat(r.Warnings, p.Diagnostics, p.values.notCompared(p), o.checkRendered(p.Plan, targets))
	var diags hcl.Diagnostics
	if r.checksCreations() && !p.Diagnostics.HasErrors() {
		if diags, err = o.checkCreations(ctx, p, r); err != nil {
			return nil, err
		}
		p.Diagnostics = append(p.Diagnostics, diags...)
	}
	p.Policies, diags = policy.Judge(p.Plan, o.options.Policies, p.sources)
	p.Diagnostics = hclspec.Sort(append(p.Diagnostics, diags...))
	if r.New {
		return p, p.checkNew()
	}
	return p, nil
}

// readLive reads the live state. If the request has targets and the clusters
// of the targets are sufficient, it reads only these clusters.
func (o *Operation) readLive(ctx context.Context, r Request, p *Plan) (err error) {
	names, limited := o.asked(r)
	if err := o.readClusters(ctx, r, p, names); err != nil {
		return err
	}
	if limited && r.Destroy && !p.finds(r.Targets) {
		return o.readClusters(ctx, r, p, o.clusterNames())
	}
	return nil
}

// readClusters opens, guards and reads clusters.
func (o *Operation) readClusters(ctx context.Context, r Request, p *Plan, names []string) (err error) {
	jobs := slices.DeleteFunc(slices.Clone(r.Jobs), func(j *resolve.Job) bool { return !slices.Contains(names, j.Cluster) })
	if err := refuse(o.checkNames(jobs)); err != nil {
		return err
	}
	if p.Clusters, err = o.open(names); err != nil {
		return err
	}
	diags, err := o.guard(ctx, jobs)
	if err != nil {
		return err
	}
	if err := refuse(diags); err != nil {
		return err
	}
	if p.read = r.Live; p.read == nil {
		p.read = o.readAll(jobs, p.Clusters)
	}
	p.Live, err = p.read(ctx)
	return err
}

// asked returns the names of the clusters that a plan for r reads. If each target
// includes declared jobs, the plan reads only the clusters of these jobs, and
// limited is true. The plan then does not read the previous cluster of a moved
// job.
func (o *Operation) asked(r Request) (names []string, limited bool) {
	if len(r.Targets) == 0 || r.Live != nil {
		return o.clusterNames(), false
	}
	for _, target := range r.Targets {
		found := false
		for _, job := range r.Jobs {
			if planner.TargetedBy(job, target) {
				names, found = append(names, job.Cluster), true
			}
		}
		if !found || r.Destroy && target.IsPattern() {
			return o.clusterNames(), false
		}
	}
	slices.Sort(names)
	return slices.Compact(names), true
}

// finds reports whether every target matches a live job of the workspace.
func (p *Plan) finds(targets []hclspec.Address) bool {
	for _, target := range targets {
		found := false
		for _, s := range p.Live {
			found = found || slices.ContainsFunc(s.Jobs, func(j *planner.LiveJob) bool {
				return j.Workspace == p.operation.options.Workspace.Name && j.Address.Matches(target)
			})
		}
		if !found {
			return false
		}
	}
	return true
}

func (o *Operation) readAll(jobs []*resolve.Job, clusters map[string]cluster.Cluster) Live {
	names := map[string][]string{}
	for _, job := range jobs {
		names[job.Cluster] = append(names[job.Cluster], job.Framework)
	}
	return func(ctx context.Context) (map[string]*planner.Snapshot, error) {
		live := map[string]*planner.Snapshot{}
		for name, c := range clusters {
			snapshot, err := c.Read(ctx, o.options.Workspace.Name, names[name])
			if err != nil {
				return nil, fmt.Errorf("read the jobs of cluster %s: %w", name, err)
			}
			if err := o.readOthers(ctx, name, c, snapshot); err != nil {
				return nil, err
			}
			live[name] = snapshot
		}
		return live, nil
	}
}

// readOthers reads the usage of other workspaces in the virtual clusters that
// have a quota.
func (o *Operation) readOthers(ctx context.Context, name string, c cluster.Cluster, into *planner.Snapshot) (err error) {
	declared := o.options.Workspace.Cluster(name)
	reader, ok := c.(cluster.UsageReader)
	if !ok || declared == nil {
		return nil
	}
	var limited []string
	for _, vc := range declared.VirtualClusters {
		if len(vc.Quota) > 0 {
			limited = append(limited, vc.Name)
		}
	}
	if limited == nil {
		return nil
	}
	if into.Others, err = reader.OthersUse(ctx, o.options.Workspace.Name, limited); err != nil {
		return fmt.Errorf("read the jobs of cluster %s: %w", name, err)
	}
	return nil
}

// rerun lists the jobs to run again, sorted by address.
func (o *Operation) rerun(r Request, live map[string]*planner.Snapshot) []hclspec.Address {
	all := slices.Clone(r.Rerun)
	if r.RerunAll {
		for _, s := range live {
			for _, j := range s.Jobs {
				if j.Workspace == o.options.Workspace.Name && j.State.Finished() {
					all = append(all, j.Address)
				}
			}
		}
	}
	slices.SortFunc(all, hclspec.CompareNatural)
	return slices.Compact(all)
}
