// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// planFlags are the flags that choose what to plan.
type planFlags struct {
	jobs    []string
	targets []string
	rerun   []string
	offline bool // do not contact any cluster
	destroy bool // delete every job
}

// rerunAll is the value of --rerun without an argument.
const rerunAll = "*"

func (f *planFlags) register(cmd *cobra.Command) {
	f.registerTarget(cmd)
	cmd.Flags().StringArrayVar(&f.rerun, "rerun", nil, "run finished jobs again: all selected jobs, or the job with this `ADDRESS` (--rerun=job.mnist); repeatable")
	cmd.Flags().Lookup("rerun").NoOptDefVal = rerunAll
}

func (f *planFlags) registerTarget(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.jobs, "job", nil, "only the job with this `ADDRESS` or label, or the jobs that use this prerequisite or storage; repeatable")
	cmd.Flags().StringArrayVar(&f.targets, "target", nil, "alias for --job `ADDRESS`")
}

// chosen returns the values of --job and --target as the user wrote them.
func (f *planFlags) chosen() []string { return append(slices.Clone(f.jobs), f.targets...) }

func (f *planFlags) request(p *project) operation.Request {
	r := operation.Request{
		Jobs: p.jobs, Warnings: p.warnings, Targets: addresses(f.chosen()), Offline: f.offline, Destroy: f.destroy,
		Earlier: p.earlier,
	}
	for _, input := range f.rerun {
		if input == rerunAll {
			r.RerunAll = true
			continue
		}
		r.Rerun = append(r.Rerun, address(input))
	}
	return r
}

func addresses(input []string) []hclspec.Address {
	var all []hclspec.Address
	for _, g := range input {
		all = append(all, address(g))
	}
	return all
}

func newOperation(loaded *workspace.Loaded, i invocation) *operation.Operation {
	return operation.New(operation.Options{
		Workspace: loaded.Workspace, Named: loaded.Named, Directory: loaded.Dir, Declarer: planner.DeclaredByCommandLine, Secret: loaded.SecretValue, DownloadSize: loaded.DownloadSize, Policies: slices.Concat(loaded.Workspace.Policies, loaded.Policies.All),
		Origin: func() history.Origin { return i.origin(loaded) },
	})
}

// plan compares the jobs with the clusters. Its diagnostics include the warnings of
// the project. If a diagnostic is an error, plan also returns an error. The
// returned plan is then for display only.
func (p *project) plan(ctx context.Context, flags planFlags) (*operation.Plan, error) {
	return p.planRequest(ctx, flags.request(p))
}

// planRequest is like plan, but takes a request instead of flags.
func (p *project) planRequest(ctx context.Context, r operation.Request) (*operation.Plan, error) {
	plan, err := p.operation.Plan(ctx, r)
	if err != nil {
		return nil, p.refused(err)
	}
	if plan.Diagnostics.HasErrors() {
		return plan, p.diagnosticsError(plan.Diagnostics)
	}
	return plan, nil
}

// apply applies a plan.
func (p *project) apply(ctx context.Context, s *Streams, plan *operation.Plan, o operation.ApplyOptions) error {
	o.Progress = &progress{streams: s}
	return p.refused(p.operation.Apply(ctx, plan, o))
}

// refused adds source lines to the diagnostics in err.
func (p *project) refused(err error) error {
	var refused *operation.Refused
	if errors.As(err, &refused) {
		return p.diagnosticsError(refused.Diagnostics)
	}
	return err
}

// showPlan prints the warnings before the plan.
func showPlan(s *Streams, p *project, plan *planner.Plan) error {
	if s.json != nil {
		s.json.plan(plan)
		return nil
	}
	p.show(s, plan.Diagnostics)
	return view.Text(s.out, plan, s.planText(p.detail, p.path))
}
