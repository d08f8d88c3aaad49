// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// CheckWorkspace rejects a saved plan if the files belong to a different
// workspace.
func (s *Saved) CheckWorkspace(workspace string) error {
	if workspace != s.Workspace {
		return refuse(hcl.Diagnostics{SavedPlanWorkspace.At(hcl.Range{},
			"The plan was saved for the workspace %q, but the workspace in this directory is %q. Nothing was applied.", s.Workspace, workspace)})
	}
	return nil
}

// CheckVariables rejects a saved plan if environ lacks a sensitive variable that
// was set when the plan was saved. environ assigns variables as "name=value".
func (s *Saved) CheckVariables(environ []string) error {
	var diags hcl.Diagnostics
	for _, name := range s.Arguments.Assigned {
		if !slices.ContainsFunc(environ, func(v string) bool { return strings.HasPrefix(v, name+"=") }) {
			diags = append(diags, SavedPlanSecret.At(hcl.Range{},
				"The sensitive variable %q had a value when the plan was saved, but PAI_VAR_%s is not set now. Nothing was applied. Set this environment variable to the same value.", name, name))
		}
	}
	return refuse(diags)
}

// ApplySaved applies a saved plan. The parameter now is the current plan for the same
// files and clusters. ApplySaved applies the current plan if it has the same effect as
// the saved plan. A saved plan can be applied only once. If an earlier apply of the
// saved plan was killed, ApplySaved resumes it.
func (o *Operation) ApplySaved(ctx context.Context, s *Saved, now *Plan, inputs map[string]string, at time.Time, a ApplyOptions) error {
	if err := o.judge(now); err != nil {
		return err
	}
	unlock, err := o.Lock(ctx, now.Clusters)
	if err != nil {
		return err
	}
	defer unlock()
	kept := s.clusters(now.Clusters)
	begun, err := s.history(ctx, kept)
	if err != nil {
		return err
	}
	if err := refuse(o.missingSecretsOf(now, s.uncheckedReplacements(now))); err != nil {
		return err
	}
	secrets, err := s.changedHashes(ctx, now, begun)
	if err != nil {
		return err
	}
	if err := refuse(s.check(now, inputs, begun, secrets)); err != nil {
		return err
	}
	if !begun {
		if err := o.checkRuns(ctx, s, now); err != nil {
			return err
		}
	}
	if err := refuse(o.missingSecrets(now)); err != nil {
		return err
	}
	if err := now.checkCurrent(ctx, true); err != nil {
		return err
	}
	entry := cluster.AppliedPlan{Begun: at.UTC(), Expires: s.Expires}
	if err := s.record(ctx, kept, entry); err != nil {
		return err
	}
	if err := o.execute(ctx, now, a, false); err != nil {
		return err
	}
	entry.Finished = true
	return s.record(ctx, kept, entry)
}

// history looks up the plan in the history of each cluster. begun reports
// whether an apply of the plan has started on any cluster. history rejects a
// plan that was completely applied, or that was saved before the history was
// removed.
func (s *Saved) history(ctx context.Context, kept map[string]cluster.PlanHistory) (begun bool, err error) {
	finished := len(kept) > 0
	var when time.Time
	for name, c := range kept {
		plans, err := c.AppliedPlans(ctx, s.Workspace)
		if err != nil {
			return false, fmt.Errorf("read the list of applied plans of cluster %s: %w", name, err)
		}
		p, known := plans.Plans[s.ID]
		if plans.Incarnation != s.Incarnations[name] {
			return false, refuse(hcl.Diagnostics{forgotten(name)})
		}
		begun = begun || known
		finished = finished && p.Finished
		if known {
			when = p.Begun
		}
	}
	if finished {
		return true, refuse(hcl.Diagnostics{SavedPlanApplied.At(hcl.Range{},
			"This plan was already applied at %s; a plan can be applied only once. Nothing was applied again. Save a new plan.", when.Format(time.RFC3339))})
	}
	return begun, nil
}

func (s *Saved) record(ctx context.Context, kept map[string]cluster.PlanHistory, p cluster.AppliedPlan) error {
	for name, c := range kept {
		if err := c.KeepPlan(ctx, s.Workspace, s.ID, p); err != nil {
			return fmt.Errorf("record the apply of the plan on cluster %s: %w", name, err)
		}
	}
	return nil
}
