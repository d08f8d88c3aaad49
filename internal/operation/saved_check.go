// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// check compares a saved plan with the current plan. secrets are the secrets
// without a version that have changed. begun reports that an apply of the plan
// was killed: its changes are then expected.
func (s *Saved) check(now *Plan, inputs map[string][]byte, begun bool, secrets []string) hcl.Diagnostics {
	var diags hcl.Diagnostics
	keys := s.changedKeys(now)
	if changed := append(secrets, s.changedSecrets(now, begun)...); len(changed) > 0 && len(keys) == 0 {
		return append(diags, SavedPlanSecret.At(hcl.Range{}, "%s. Nothing was applied. Save a new plan.", sentences(changed)))
	}
	files := append(s.changedInputs(inputs), keys...)
	jobs := s.changedJobs(now, begun)
	var liveChanges []string
	if !begun {
		liveChanges = append(s.changedLive(now), s.moreEndedTasks(now)...)
	}
	switch {
	case len(files) > 0, len(liveChanges) > 0, len(jobs) > 0 && !s.sameLive(now):
		return append(diags, SavedPlanStale.At(hcl.Range{}, "%s. Nothing was applied. Review the new plan and save it.", sentences(slices.Concat(files, liveChanges, jobs))))
	case len(jobs) > 0:
		return append(diags, SavedPlanTampered.At(hcl.Range{},
			"The same files and jobs lead to another plan than the one in the file: %s. Nothing was applied. Save a new plan.", sentences(jobs)))
	case !begun && s.sameLive(now) && !planner.SameSummary(s.plan, now.Plan):
		return append(diags, SavedPlanTampered.At(hcl.Range{},
			"The same files and jobs use other resources or images than the plan in the file. Nothing was applied. Save a new plan."))
	}
	return diags
}

// moreEndedTasks lists the jobs of which more running tasks would end now than the
// plan shows. Fewer are permitted.
func (s *Saved) moreEndedTasks(now *Plan) []string {
	var all []string
	s.pairs(now, func(before, after *planner.Change) {
		if before != nil && after != nil && before.Action == after.Action && after.Impact.Tasks > before.Impact.Tasks {
			all = append(all, fmt.Sprintf("%s of %s would end now, and the plan shows %d", quantity.Count(after.Impact.Tasks, "running task"), after.Address, before.Impact.Tasks))
		}
	})
	return all
}

// changedKeys lists the clusters whose key for secret versions is different now,
// because all jobs were destroyed in the meantime. Versions can then not be
// compared.
func (s *Saved) changedKeys(now *Plan) []string {
	keys := now.savedKeys()
	var all []string
	for _, name := range slices.Sorted(maps.Keys(s.Keys)) {
		if keys[name] != s.Keys[name] {
			all = append(all, "the jobs on cluster "+name+" were destroyed")
		}
	}
	return all
}

// maxReasons is the maximum number of differences that are listed.
const maxReasons = 10

func sentences(all []string) string {
	text := strings.Join(all[:min(len(all), maxReasons)], "; ")
	if more := len(all) - maxReasons; more > 0 {
		text += "; and " + quantity.Count(more, "more difference")
	}
	return text
}

func (s *Saved) changedSecrets(now *Plan, begun bool) []string {
	var all []string
	s.pairs(now, func(before, after *planner.Change) {
		if before == nil || after == nil || begun && after.Action == planner.NoOp {
			return
		}
		for _, name := range planner.SecretsChanged(before, after) {
			all = append(all, fmt.Sprintf("The secret %q of %s has another value now", name, before.Address))
		}
	})
	return all
}

// changedInputs lists the files that differ.
func (s *Saved) changedInputs(inputs map[string][]byte) []string {
	now := sums(inputs)
	var all []string
	for _, name := range slices.Sorted(maps.Keys(s.Inputs)) {
		switch sum, there := now[name]; {
		case !there:
			all = append(all, name+" is no longer read")
		case sum != s.Inputs[name]:
			all = append(all, name+" has changed")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if s.Inputs[name] == "" {
			all = append(all, name+" is new")
		}
	}
	return all
}

// pairs calls f with the changes of each job in both plans; a change is nil if
// its plan does not contain the job.
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

// changedJobs lists the jobs for which the two plans have different effects.
func (s *Saved) changedJobs(now *Plan, begun bool) []string {
	var all []string
	s.pairs(now, func(before, after *planner.Change) {
		switch {
		case before != nil && after != nil && planner.SameDecision(before, after):
		case begun && continues(before, after):
		case before == nil:
			all = append(all, fmt.Sprintf("%s is %s now and was not in the plan", after.Address, words(after.Action)))
		case after == nil:
			all = append(all, fmt.Sprintf("%s was to be %s and is not in a plan now", before.Address, words(before.Action)))
		case before.Action != after.Action:
			all = append(all, fmt.Sprintf("%s was to be %s, and would be %s now", before.Address, words(before.Action), words(after.Action)))
		default:
			all = append(all, fmt.Sprintf("%s would still be %s, with other differences or for another reason", before.Address, words(before.Action)))
		}
	})
	return all
}

// continues reports whether a killed apply did what a plan describes for a job,
// completely or in part.
func continues(before, after *planner.Change) bool {
	switch {
	case before == nil:
		return false
	case after == nil:
		return before.Action == planner.Delete
	case !planner.SameJob(before, after):
		return false
	case after.Action == planner.NoOp, after.Reason.Code == planner.ReasonUnsupervised:
		return before.Action != planner.Delete // submitted, possibly without a supervisor
	}
	return before.Action == planner.Replace && after.Action == planner.Create || before.Action == after.Action && before.Action != planner.NoOp
}

// words describes what happens to a job.
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

// sameLive reports whether the live jobs are unchanged.
func (s *Saved) sameLive(now *Plan) bool { return slices.Equal(s.Live, now.savedJobs()) }

// changedLive lists the jobs that have another run now, and the jobs that the
// plan ends and that have progressed.
func (s *Saved) changedLive(now *Plan) []string {
	after := map[place]SavedJob{}
	for _, j := range now.savedJobs() {
		after[place{j.Cluster, j.Framework}] = j
	}
	changes := now.changes()
	var all []string
	for _, before := range s.Live {
		at := place{before.Cluster, before.Framework}
		c, j := changes[at], after[at]
		switch {
		case c == nil || c.Action == planner.NoOp:
		case before.UID != j.UID || before.Hash != j.Hash:
			all = append(all, fmt.Sprintf("%s is no longer the job that was planned", c.Address))
		case before.State != j.State && (c.Action == planner.Delete || c.Action == planner.Replace):
			all = append(all, fmt.Sprintf("%s was %s and is %s now", c.Address, before.State, j.State))
		}
	}
	return all
}
