// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"cmp"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// deletions plans the deletion of applied jobs that are not declared, except
// jobs that repeat a run.
func (p *planning) deletions() {
	var all []*Change
	for _, cluster := range slices.Sorted(maps.Keys(p.o.Live)) { // determines the order of diagnostics
		for _, live := range byAddress(p.o.Live[cluster].Jobs) {
			switch {
			case !p.owned(live) || p.claimed[live] || live.unknown() || !p.deletable(live):
			case live.Elsewhere(p.o.Declarer):
				p.plan.Elsewhere = append(p.plan.Elsewhere, live.Address)
			case p.repeats(live):
				all = append(all, keepRepeat(cluster, live))
			default:
				all = append(all, p.remove(cluster, live))
			}
		}
	}
	slices.SortFunc(all, func(a, b *Change) int {
		return cmp.Or(hclspec.CompareNatural(a.Address, b.Address), cmp.Compare(a.Cluster, b.Cluster))
	})
	p.plan.Changes = append(p.plan.Changes, all...)
	slices.SortFunc(p.plan.Elsewhere, hclspec.CompareNatural)
}

// repeats reports whether an undeclared job is an unfinished repetition of a run.
// Its content comes from the record of the repeated run, not from the files.
func (p *planning) repeats(live *LiveJob) bool {
	return live.RepeatOf > 0 && !p.o.Destroy && live.Present && !live.State.Finished() && p.declaration(live.Address) == nil
}

func keepRepeat(cluster string, live *LiveJob) *Change {
	return &Change{
		Address: live.Address, Cluster: cluster, Framework: live.Framework, Action: NoOp, State: live.State,
		Reason: Reason{Code: ReasonRepeats, Job: live.Address, Live: liveState(live), Run: live.Run, RepeatOf: live.RepeatOf},
	}
}

// byAddress sorts jobs by address, in natural order.
func byAddress(jobs []*LiveJob) []*LiveJob {
	return slices.SortedStableFunc(slices.Values(jobs), func(a, b *LiveJob) int { return hclspec.CompareNatural(a.Address, b.Address) })
}

// deletable reports whether a job is or uses a target of the plan. Without
// targets, it returns true.
func (p *planning) deletable(live *LiveJob) bool {
	return len(p.o.Targets) == 0 || slices.ContainsFunc(p.o.Targets, func(t hclspec.Address) bool {
		return live.Address.Matches(t) || p.usedByTarget(t, live)
	})
}

// unknown reports whether the owner of the job is unknown.
func (live *LiveJob) unknown() bool { return live.Unreadable != nil && live.Unreadable.Unknown }

func (p *planning) remove(cluster string, live *LiveJob) *Change {
	c := &Change{
		Address: live.Address, Cluster: cluster, Framework: live.Framework, Replaced: live.Framework,
		Action: Delete, State: live.State, Reason: p.deleteReason(live), Impact: deleteImpact(live, false),
	}
	if job := p.declaration(live.Address); job != nil && job.PreventDestroy {
		p.find(DestroyPrevented.At(p.rangeOf(job),
			"The plan deletes %s (%s), but the job sets prevent_destroy. Remove prevent_destroy first.", c.Address, c.Reason))
	} else if job == nil && preventsDestroy(live) {
		p.find(DestroyPrevented.At(hcl.Range{},
			"The plan deletes %s (%s), but the job was applied with prevent_destroy. Declare the job again without prevent_destroy, and run apply. Then remove the declaration.", c.Address, c.Reason))
	}
	return c
}

func (p *planning) deleteReason(live *LiveJob) Reason {
	r := Reason{Code: ReasonNotDeclared, Job: live.Address, Live: liveState(live)}
	if p.o.Destroy {
		r.Code = ReasonDestroy
	} else if job := p.declaration(live.Address); job != nil {
		r.Code, r.Cluster = ReasonOtherCluster, job.Cluster
	}
	return r
}

// preventsDestroy reports whether the applied job sets prevent_destroy. If
// only hashes are recorded, it checks whether the field has a hash, because
// fields with a zero value have no hash.
func preventsDestroy(live *LiveJob) bool {
	if live.Applied != nil {
		return live.Applied.PreventDestroy
	}
	return live.Fields["prevent_destroy"] != ""
}
