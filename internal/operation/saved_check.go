// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// whyUnequal explains why plans differ although neither the files nor the
// jobs have changed.
const whyUnequal = "Someone changed the saved plan after it was written, or apply runs with a different user, environment or kubeconfig."

// check compares a saved plan with the current plan. secrets describes
// changed unversioned secrets. If begun is set, check accepts the changes of
// a killed apply of the plan.
func (s *Saved) check(now *Plan, inputs map[string]string, begun bool, secrets []string) hcl.Diagnostics {
	var diags hcl.Diagnostics
	keys := s.changedKeys(now)
	if changed := append(texts(secrets), s.changedSecrets(now, begun)...); len(changed) > 0 && len(keys) == 0 {
		return append(diags, SavedPlanSecret.At(hcl.Range{}, "%s. Nothing was applied. Save a new plan.", sentences(changed)))
	}
	files := texts(append(s.changedInputs(inputs), keys...))
	var liveChanges []message.Text
	if !begun {
		liveChanges = append(s.changedLive(now), texts(s.moreEndedTasks(now))...)
	}
	jobs := s.changedJobs(now, begun, len(liveChanges) > 0)
	switch {
	case len(files) > 0, len(liveChanges) > 0, len(jobs) > 0 && !s.sameLive(now):
		return append(diags, SavedPlanStale.At(hcl.Range{}, "%s. Nothing was applied. Review the new plan and save it.", sentences(slices.Concat(files, liveChanges, jobs))))
	case len(jobs) > 0:
		return append(diags, SavedPlanTampered.At(hcl.Range{},
			"The files and jobs have not changed, but a new plan differs from the saved plan: %s. %s Nothing was applied. Save a new plan.", sentences(jobs), whyUnequal))
	case !begun && s.sameLive(now) && !planner.SameSummary(s.plan, now.Plan):
		return append(diags, SavedPlanTampered.At(hcl.Range{},
			"The files and jobs have not changed, but a new plan has different resources or images. %s Nothing was applied. Save a new plan.", whyUnequal))
	}
	return diags
}

// moreEndedTasks reports jobs in which apply would end more running tasks than
// the saved plan shows.
func (s *Saved) moreEndedTasks(now *Plan) []string {
	var jobs []hclspec.Address
	shown, ending := 0, 0
	s.pairs(now, func(before, after *planner.Change) {
		if before != nil && after != nil && before.Action == after.Action && after.Impact.Tasks > before.Impact.Tasks {
			jobs = append(jobs, after.Address)
			shown, ending = shown+before.Impact.Tasks, ending+after.Impact.Tasks
		}
	})
	if jobs == nil {
		return nil
	}
	return []string{fmt.Sprintf("%s of %s would end now, but the plan shows %d", quantity.Count(ending, "running task"), jobList(jobs), shown)}
}

// changedKeys reports the clusters on which all jobs were destroyed after the
// plan was saved. The key for secret versions then changes, and the versions
// cannot be compared.
func (s *Saved) changedKeys(now *Plan) []string {
	keys := now.savedKeys()
	var changed []string
	for _, name := range slices.Sorted(maps.Keys(s.Keys)) {
		if keys[name] != s.Keys[name] {
			changed = append(changed, name)
		}
	}
	switch len(changed) {
	case 0:
		return nil
	case 1:
		return []string{"the jobs on cluster " + changed[0] + " were destroyed"}
	}
	return []string{"the jobs on clusters " + strings.Join(changed, ", ") + " were destroyed"}
}

func (s *Saved) changedSecrets(now *Plan, begun bool) []message.Text {
	var all differences
	s.pairs(now, func(before, after *planner.Change) {
		if before == nil || after == nil || begun && after.Action == planner.NoOp {
			return
		}
		for _, name := range planner.SecretsChanged(before, after) {
			secret := strings.ReplaceAll(fmt.Sprintf("The secret %q", name), "%", "%%") + " of %s has a new value"
			all.add(before.Address, sentence{one: secret, many: secret})
		}
	})
	return all.list()
}

// changedInputs lists new files, changed files, and files that are no longer
// read.
func (s *Saved) changedInputs(inputs map[string]string) []string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(s.Inputs)) {
		switch sum, there := inputs[name]; {
		case !there:
			all = append(all, name+" is no longer read")
		case sum != s.Inputs[name]:
			all = append(all, name+" has changed")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(inputs)) {
		if _, there := s.Inputs[name]; !there {
			all = append(all, name+" is new")
		}
	}
	return all
}

// pairs calls f for each job with the changes in the saved and the current
// plan. A change is nil if the plan does not contain the job.
func (s *Saved) pairs(now *Plan, f func(before, after *planner.Change)) {
	type job struct{ address, cluster string }
	key := func(c *planner.Change) job { return job{string(c.Address), c.Cluster} }
	after := map[job]*planner.Change{}
	for _, c := range now.Changes {
		after[key(c)] = c
	}
	for _, c := range s.plan.Changes {
		f(c, after[key(c)])
		delete(after, key(c))
	}
	for _, c := range now.Changes {
		if after[key(c)] != nil {
			f(nil, c)
		}
	}
}

// changedJobs reports the jobs for which the two plans have different effects.
// If known is true, the caller already reports progress, and changedJobs omits
// changes that differ only in progress.
func (s *Saved) changedJobs(now *Plan, begun, known bool) []message.Text {
	var all differences
	s.pairs(now, func(before, after *planner.Change) {
		switch {
		case before != nil && after != nil && planner.SameDecision(before, after):
		case begun && continues(before, after), known && differByProgress(before, after):
		case before == nil:
			all.add(after.Address, about("is", "are", " not in the plan, but would now be "+words(after.Action)))
		case after == nil:
			all.add(before.Address, about("was", "were", " to be "+words(before.Action)+" but would not be in a new plan"))
		case before.Action != after.Action:
			all.add(before.Address, about("was", "were", " to be "+words(before.Action)+", but would now be "+words(after.Action)))
		default:
			all.add(before.Address, otherwise(before, after))
		}
	})
	return all.list()
}

// continues reports whether the change after completes a change that a killed
// apply started.
func continues(before, after *planner.Change) bool {
	switch {
	case before == nil:
		return false
	case after == nil:
		return before.Action == planner.Delete
	case !planner.SameJob(before, after):
		return false
	case after.Action == planner.NoOp, after.Reason.Code == planner.ReasonUnsupervised:
		return before.Action != planner.Delete // the job was submitted, possibly without a supervisor
	}
	return before.Action == planner.Replace && after.Action == planner.Create || before.Action == after.Action && before.Action != planner.NoOp
}

func words(a planner.Action) string {
	switch a {
	case planner.Create:
		return "created"
	case planner.Update:
		return "changed in place"
	case planner.Replace:
		return "replaced"
	case planner.Delete:
		return "deleted"
	}
	return "left alone"
}

func (s *Saved) sameLive(now *Plan) bool { return slices.Equal(s.Live, now.savedJobs()) }
