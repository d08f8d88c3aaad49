// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func (p *planning) compare(job *resolve.Job, live *LiveJob, key []byte) *Change {
	if !live.Present && !finished(live) {
		return p.create(job, live, ReasonVanished)
	}
	before := newApplied(live)
	var fields []FieldChange
	if before != nil {
		fields = fieldChanges(job, before)
		setCauses(fields, job, live.Applied)
	}
	c := &Change{
		Address: job.Address, Cluster: job.Cluster, State: live.State,
		Action: NoOp, Job: job, Framework: live.Framework, Fields: fields,
		Secrets: p.secretChanges(job, key, live.SecretVersions),
		Drift:   live.Drift,
	}
	if live.Address != job.Address {
		c.MovedFrom = live.Address
		keepName(c.Fields)
	}
	p.decide(c, live, before)
	if c.Action != Replace && job.Framework != live.Framework {
		kept := *job
		kept.Framework = live.Framework
		c.Job = &kept
	}
	return c
}

// keepName sets the effect of a changed name to [hclspec.EffectNone]. A job with
// a new label keeps its Framework and therefore its name.
func keepName(fields []FieldChange) {
	for i := range fields {
		if fields[i].Path == "name" {
			fields[i].Effect = hclspec.EffectNone
		}
	}
}

// decide sets the action and its reason. The first matching rule applies:
//   - Do not change a job whose state cannot be read.
//   - Replace a job if the user requested a replacement.
//   - If the user requested a rerun, rerun a job that ended or cannot be compared.
//   - Start a job whose start was interrupted.
//   - Do not change a job that cannot be compared.
//   - Call decideFinished for a finished job.
//   - Do not apply a changed declaration to an unfinished job that repeats an
//     earlier run, unless the job has drifted.
//   - Apply the strongest effect of the changed fields.
func (p *planning) decide(c *Change, live *LiveJob, before *applied) {
	compared := before != nil
	changed := contentChange(c, before)
	c.Reason = Reason{Job: c.Address, Live: liveState(live), Changed: changed, From: c.MovedFrom}
	switch {
	case live.Unreadable != nil:
		c.Reason.Code, c.Reason.File = ReasonUnreadable, live.Unreadable.File
		p.find(UnreadableJob.At(p.rangeOf(c.Job),
			"%s cannot be read, so the plan does not change %s. %s", live.Unreadable.File, c.Address, message.Hint{Kind: message.HintRepair, Sentence: true}))
	case p.mustReplace(c.Address):
		p.replace(c, live, ReasonRequested)
	case p.rerun(c.Address) && (finished(live) || !compared):
		p.replace(c, live, ReasonRerun)
	case live.Unstarted && compared && !changed.Any():
		c.Action, c.Reason.Code = Create, ReasonUnstarted
	case live.Unstarted:
		p.replace(c, live, ReasonBeginAgain)
	case !compared:
		c.Reason.Code = ReasonNotComparable
		p.find(RecordMissing.At(p.rangeOf(c.Job),
			"%s exists, but its applied content is unknown, so the plan does not change the job. %s", c.Address, message.Hint{Kind: message.HintReplace, Address: c.Address.String(), Sentence: true}))
	case finished(live):
		p.decideFinished(c, live)
	case live.RepeatOf > 0 && changed.Any() && len(c.Drift) == 0:
		c.Reason.Code, c.Reason.Run, c.Reason.RepeatOf = ReasonRepeats, live.Run, live.RepeatOf
		c.Fields, c.Secrets = nil, nil
	case changed.Any() && (strongest(c.Fields) == hclspec.EffectReplace || changed.Secret):
		p.replace(c, live, ReasonContent)
	case len(c.Fields) > 0 || c.MovedFrom != "" || len(c.Drift) > 0:
		c.Action, c.Reason.Code = Update, updateReason(c, changed)
		c.Impact = rescaleImpact(c.Fields, live)
	default:
		c.Reason.Code = ReasonUpToDate
	}
}

// decideFinished sets the action and the reason for a finished job. The user
// must not have requested a rerun. The job runs again only if it changed and
// its rerun setting is "on_change".
func (p *planning) decideFinished(c *Change, live *LiveJob) {
	c.Outdated = c.Reason.Changed.Any()
	switch {
	case c.Outdated && c.Job.Rerun == "on_change":
		p.replace(c, live, ReasonRerunChanged)
	case c.MovedFrom != "" && live.Present:
		c.Action, c.Reason.Code = Update, updateReason(c, c.Reason.Changed)
	case c.Outdated:
		c.Reason.Code = ReasonOutdated
	case live.Present && changesProtection(c.Fields):
		c.Action, c.Reason.Code = Update, ReasonRemark
	default:
		c.Reason.Code = ReasonFinished
	}
}

// changesProtection reports whether prevent_destroy changed. A finished job
// needs this update too, because the applied value protects the job after its
// declaration is removed.
func changesProtection(fields []FieldChange) bool {
	return slices.ContainsFunc(fields, func(f FieldChange) bool { return f.Path == "prevent_destroy" })
}

// replace changes c to a replacement. It derives the Framework name from the
// current job name; no other job may use that Framework name.
func (p *planning) replace(c *Change, live *LiveJob, reason ReasonCode) {
	c.Action, c.Reason.Code = Replace, reason
	c.Framework, c.Replaced = c.Job.Framework, live.Framework
	c.Outdated = false
	c.Impact = deleteImpact(live, true)
}

// create plans a new job. live is the remaining record of an earlier job, or
// nil.
func (p *planning) create(job *resolve.Job, live *LiveJob, reason ReasonCode) *Change {
	c := &Change{
		Address: job.Address, Cluster: job.Cluster, Framework: job.Framework,
		Action: Create, Reason: Reason{Code: reason, Job: job.Address}, Job: job,
	}
	if live == nil {
		return c
	}
	c.State, c.Reason.Live = live.State, liveState(live)
	if live.Framework != job.Framework {
		c.Replaced = live.Framework // apply deletes the record under the old name
	}
	return c
}

// contentChange reports what changed in the content. A change of the scheduler
// alone is not a declaration change.
func contentChange(c *Change, before *applied) Content {
	var changed Content
	placed := false
	for _, f := range c.Fields {
		if f.Effect != hclspec.EffectNone {
			placed = placed || isHived(f.Path)
			changed.Declaration = changed.Declaration || !isHived(f.Path)
		}
	}
	if placed {
		changed.Scheduler = schedulerChange(c.Job, before)
		changed.Declaration = changed.Declaration || changed.Scheduler == ""
		setClusterCause(c, changed.Scheduler)
	}
	changed.Secret = slices.ContainsFunc(c.Secrets, func(s SecretChange) bool { return s.State == SecretChanged })
	return changed
}
