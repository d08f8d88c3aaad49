package planner

import (
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// compare plans a declared job that the cluster knows.
func (p *planning) compare(job *resolve.Job, live *LiveJob, key []byte) *Change {
	if !live.Present && !finished(live) {
		return p.create(job, live, "gone, last seen "+lastSeen(live))
	}
	before := newApplied(live)
	var fields []FieldChange
	if before != nil {
		fields = fieldChanges(job, before)
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
	p.decide(c, live, before != nil)
	if c.Action != Replace && job.Framework != live.Framework {
		kept := *job
		kept.Framework = live.Framework
		c.Job = &kept
	}
	return c
}

// keepName takes the effect from a changed name: a job that was moved to
// another label keeps its Framework, and so the name on the cluster.
func keepName(fields []FieldChange) {
	for i := range fields {
		if fields[i].Path == "name" {
			fields[i].Effect = hclspec.EffectNone
		}
	}
}

// decide fills in the action and its reason. Rules, first match wins:
// a job asked to run again is replaced when it finished; a job whose start was
// interrupted is finished; a finished job stays; a job that cannot be compared
// stays; any other follows the strongest effect of what changed.
func (p *planning) decide(c *Change, live *LiveJob, compared bool) {
	content := contentChange(c)
	switch {
	case p.rerun(c.Address) && (finished(live) || !compared):
		p.replace(c, live, "runs again as asked")
	case live.Unstarted && compared && content == "":
		c.Action, c.Reason = Create, "an interrupted apply is finished"
	case live.Unstarted:
		p.replace(c, live, "an interrupted apply is begun again")
	case !compared:
		c.Reason = state(live) + ", cannot be compared"
		p.find(hclspec.RecordMissing.At(p.rangeOf(c.Job),
			"%s exists, but what was applied is not known, so it is left as it is. Use --rerun %s to replace it.", c.Address, c.Address))
	case finished(live):
		p.decideFinished(c, live, content)
	case content != "" && (strongest(c.Fields) == hclspec.EffectReplace || secretChanged(c)):
		p.replace(c, live, content)
	case len(c.Fields) > 0 || c.MovedFrom != "" || len(c.Drift) > 0:
		c.Action, c.Reason = Update, updateReason(c)
		c.Impact = rescaled(c, live)
	default:
		c.Reason = state(live) + upToDate(live)
	}
}

// decideFinished plans a job that ended. It never runs again by itself.
func (p *planning) decideFinished(c *Change, live *LiveJob, content string) {
	c.Outdated = content != ""
	switch {
	case c.Outdated && c.Job.Rerun == "on_change":
		p.replace(c, live, outcome(live)+", and "+content+` (rerun = "on_change")`)
	case c.MovedFrom != "" && live.Present:
		c.Action, c.Reason = Update, updateReason(c)
	default:
		c.Reason = finishedReason(c, live, content)
	}
}

// replace makes the change a replacement. The job gets the Framework of its
// present name, which another job may not hold.
func (p *planning) replace(c *Change, live *LiveJob, reason string) {
	c.Action, c.Reason = Replace, reason
	c.Framework, c.Replaced = c.Job.Framework, live.Framework
	c.Outdated = false
	c.Impact = lost(live, true)
}

// create plans the creation of a job. live is the record that is left of an
// earlier one, or nil.
func (p *planning) create(job *resolve.Job, live *LiveJob, reason string) *Change {
	c := &Change{
		Address: job.Address, Cluster: job.Cluster, Framework: job.Framework,
		Action: Create, Reason: reason, Job: job,
	}
	if live == nil {
		return c
	}
	c.State = live.State
	if live.Framework != job.Framework {
		c.Replaced = live.Framework // its record would be left behind
	}
	return c
}

// contentChange says what differs in the content of a job, or "".
func contentChange(c *Change) string {
	changed := slices.ContainsFunc(c.Fields, func(f FieldChange) bool { return f.Effect != hclspec.EffectNone })
	switch {
	case changed && secretChanged(c):
		return "the declaration and a secret changed"
	case changed:
		return "the declaration changed"
	case secretChanged(c):
		return "a secret changed"
	}
	return ""
}

func secretChanged(c *Change) bool {
	return slices.ContainsFunc(c.Secrets, func(s SecretChange) bool { return s.State == SecretChanged })
}
