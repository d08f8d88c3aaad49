package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// planFlags say what is planned.
type planFlags struct {
	targets []string
	rerun   []string
	offline bool // no cluster is looked at
	destroy bool // every job is deleted
}

// rerunAll is what --rerun without a value means.
const rerunAll = "*"

func (f *planFlags) register(cmd *cobra.Command) {
	f.registerTarget(cmd)
	cmd.Flags().StringArrayVar(&f.rerun, "rerun", nil, "run finished jobs again: all of them, or the one with that `ADDRESS` (--rerun=job.mnist); may be repeated")
	cmd.Flags().Lookup("rerun").NoOptDefVal = rerunAll
}

func (f *planFlags) registerTarget(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.targets, "target", nil, "plan only the job with that `ADDRESS`, or the jobs that use that prerequisite or storage; may be repeated")
}

// draft is a plan with what is needed to carry it out.
type draft struct {
	plan *planner.Plan
	// again makes the same plan from what runs now.
	again    func(context.Context) (*draft, error)
	clusters map[string]cluster.Cluster
	live     map[string]*planner.Snapshot
}

// plan compares the jobs with what the clusters have. Offline it opens none.
// The findings of the plan include the warnings of the project. When one of
// them is an error, the draft comes with it: to be shown, not to be applied.
func (p *project) plan(ctx context.Context, flags planFlags) (*draft, error) {
	d := &draft{again: func(ctx context.Context) (*draft, error) { return p.plan(ctx, flags) }}
	if !flags.offline {
		var err error
		if d.clusters, err = p.clusters(); err != nil {
			return nil, err
		}
		if err := p.guard(ctx, d.clusters); err != nil {
			return nil, err
		}
		if d.live, err = p.live(ctx, d.clusters); err != nil {
			return nil, err
		}
	}
	d.plan = planner.New(planner.Options{
		Workspace:   p.workspace(),
		Jobs:        p.jobs,
		Moved:       p.loaded.Workspace.Moved,
		Live:        d.live,
		Render:      p.render,
		SecretValue: p.secretValue,
		Targets:     addresses(flags.targets),
		Rerun:       p.rerun(flags.rerun, d.live),
		Offline:     flags.offline,
		Destroy:     flags.destroy,
		Sources:     p.loaded.Workspace.Sources,
	})
	d.plan.Findings = hclspec.Sort(slices.Concat(p.warnings, d.plan.Findings))
	if d.plan.Findings.HasErrors() {
		return d, p.findings(d.plan.Findings)
	}
	return d, nil
}

func addresses(given []string) []hclspec.Address {
	var all []hclspec.Address
	for _, g := range given {
		all = append(all, address(g))
	}
	return all
}

// rerun returns the jobs that are asked to run again. Without a name these are
// the finished ones.
func (p *project) rerun(given []string, live map[string]*planner.Snapshot) []hclspec.Address {
	var all []hclspec.Address
	for _, g := range given {
		if g != rerunAll {
			all = append(all, address(g))
			continue
		}
		for _, s := range live {
			for _, j := range s.Jobs {
				if j.Workspace == p.workspace() && j.State.Finished() {
					all = append(all, j.Address)
				}
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (p *project) secretValue(s *resolve.Secret) (string, bool) {
	if s.Declared == nil {
		return "", false
	}
	return p.declaredValue(s.Declared)
}
