// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"cmp"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
)

// Group is a set of changes that have the same cause or the same difference.
// Any other change forms its own group.
type Group struct {
	// Cause is the declaration, or the inputs, whose change affects all members. It
	// is "" if the members have the same difference but no common cause. If the
	// members use different instances of a for_each, Cause is the declaration of
	// the instances.
	Cause     hclspec.Address
	CauseKind CauseKind
	// Shared lists the changed fields that all members share. The path of a field
	// from a shared declaration is relative to the task role. Any other path is
	// relative to the job. If the cause has several instances, the paths have no
	// instance key.
	Shared  []FieldChange
	Members []Member // members in the order of the plan
}

// Member is a change in a group.
type Member struct {
	Change *Change
	// Particular lists the changed fields of this member that are not in
	// [Group.Shared]. For a new job, Particular lists the differences from
	// the first member.
	Particular []FieldChange
}

// CauseKind describes how a cause changed.
type CauseKind string

// The kinds of causes.
const (
	CauseChanged CauseKind = "changed"
	CauseAdded   CauseKind = "added"   // the members now use the object
	CauseRemoved CauseKind = "removed" // the members no longer use the object
)

// Groups returns the changes in the plan, grouped by cause. The groups are in
// the order of their first members, and each change is in exactly one group. A
// change with several causes is in the group of its most frequent cause.
func (p *Plan) Groups() []Group {
	g := grouping{rest: slices.Clone(p.Changes)}
	for g.byCause() {
	}
	g.byKey(instances, overlapInPart)
	g.byKey(alike, differ)
	g.byKey(sameDifference, overlap)
	g.byKey(instances, overlap)
	for _, c := range g.rest {
		g.groups = append(g.groups, newGroup("", []*Change{c}))
	}
	order := map[*Change]int{}
	for i, c := range p.Changes {
		order[c] = i
	}
	slices.SortFunc(g.groups, func(a, b Group) int {
		return cmp.Compare(order[a.Members[0].Change], order[b.Members[0].Change])
	})
	return g.groups
}

type grouping struct {
	rest   []*Change // changes that are not in a group yet
	groups []Group
}

// byCause forms a group of the remaining changes that have the most frequent
// cause. It returns false if no two changes share a cause.
func (g *grouping) byCause() bool {
	members := map[hclspec.Address][]*Change{}
	var best hclspec.Address
	for _, c := range g.rest {
		for _, cause := range causes(c) {
			members[cause] = append(members[cause], c)
		}
	}
	for _, c := range g.rest {
		for _, cause := range causes(c) {
			if len(members[cause]) > len(members[best]) {
				best = cause
			}
		}
	}
	if len(members[best]) < 2 {
		return false
	}
	g.form(best, members[best])
	return true
}

// byKey groups the remaining changes by key. A group must have at least two
// changes and satisfy the condition. byKey ignores changes with the key "".
func (g *grouping) byKey(key func(*Change) string, condition func([]*Change) bool) {
	members := map[string][]*Change{}
	var keys []string
	for _, c := range g.rest {
		k := key(c)
		if k != "" && members[k] == nil {
			keys = append(keys, k)
		}
		members[k] = append(members[k], c)
	}
	for _, k := range keys {
		if same := members[k]; len(same) > 1 && condition(same) {
			g.form("", same)
		}
	}
}

// overlap reports whether all changes share a changed field, or have no
// changed fields.
func overlap(changes []*Change) bool {
	return len(changes[0].Fields) == 0 || len(shared("", changes)) > 0
}

// overlapInPart reports whether changes share some, but not all, changed fields.
func overlapInPart(changes []*Change) bool { return differ(changes) && overlap(changes) }

// differ reports whether the changed fields or their values differ.
func differ(changes []*Change) bool {
	first := signatures("", changes[0].Fields)
	return slices.ContainsFunc(changes[1:], func(c *Change) bool { return !slices.Equal(signatures("", c.Fields), first) })
}

func (g *grouping) form(cause hclspec.Address, members []*Change) {
	g.groups = append(g.groups, newGroup(cause, members))
	g.rest = slices.DeleteFunc(g.rest, func(c *Change) bool { return slices.Contains(members, c) })
}

// causes lists causes without duplicates, in the order of the changed fields.
func causes(c *Change) []hclspec.Address {
	var all []hclspec.Address
	for _, f := range c.Fields {
		if declaration := f.Cause.Declaration(); declaration != "" && !slices.Contains(all, declaration) {
			all = append(all, declaration)
		}
	}
	return all
}

// onlyInstance returns the instance of the cause if the changes contain
// exactly one. Otherwise, it returns cause.
func onlyInstance(cause hclspec.Address, changes []*Change) hclspec.Address {
	var only hclspec.Address
	for _, c := range changes {
		for _, f := range c.Fields {
			switch {
			case f.Cause.Declaration() != cause:
			case only != "" && only != f.Cause:
				return cause
			default:
				only = f.Cause
			}
		}
	}
	return cmp.Or(only, cause)
}

// sameDifference returns a key: the kind, the changed fields with their values,
// and the changed secrets. Changes to unrelated jobs can have the same key.
// sameDifference returns "" for a new job, and for a change that is not plain.
func sameDifference(c *Change) string {
	if c.Action == Create || !plain(c) {
		return ""
	}
	return sameKind(c) + "\n" + strings.Join(signatures("", c.Fields), "\n") + "\n" + changedSecrets(c)
}

// instances returns a key: the for_each declaration and the kind of the change.
// It returns "" unless the job is a for_each instance and its change is plain.
func instances(c *Change) string {
	of := c.Address.Declaration()
	if of == c.Address || !plain(c) {
		return ""
	}
	return string(of) + "\n" + sameKind(c)
}

// alike returns a key: the for_each declaration, the kind of the change and the
// changed fields, without their values.
func alike(c *Change) string {
	if of := instances(c); of != "" && len(c.Fields) > 0 {
		return of + "\n" + shape(c.Fields)
	}
	return ""
}

// plain reports whether a change has no move and no drift. A missing
// supervisor is not considered drift.
func plain(c *Change) bool {
	return c.MovedFrom == "" && (len(c.Drift) == 0 || onlySupervisorGone(c.Drift))
}

// sameKind returns a key: the action, the reason, the kind of the impact, the
// Outdated flag, and whether fields differ.
func sameKind(c *Change) string {
	reason := c.Reason
	reason.Job = ""
	return string(plainjson.MustMarshal([]any{c.Action, reason, c.Impact.Code, c.Outdated, len(c.Fields) > 0}))
}

func changedSecrets(c *Change) string {
	var names []string
	for _, s := range c.Secrets {
		if s.State == SecretChanged {
			names = append(names, s.Name)
		}
	}
	return strings.Join(names, "\n")
}

func newGroup(cause hclspec.Address, changes []*Change) Group {
	if cause != "" {
		cause = onlyInstance(cause, changes)
	}
	g := Group{Cause: cause, Shared: changes[0].Fields}
	if len(changes) > 1 {
		g.Shared = shared(cause, changes)
	}
	known := signatures("", g.Shared)
	for _, c := range changes {
		m := Member{Change: c}
		switch {
		case c.Action == Create && c != changes[0]:
			m.Particular = fieldChanges(c.Job, newApplied(&LiveJob{Applied: changes[0].Job}))
		case len(changes) > 1:
			m.Particular = slices.DeleteFunc(slices.Clone(c.Fields), func(f FieldChange) bool { return slices.Contains(known, signature(cause, f)) })
		}
		g.Members = append(g.Members, m)
	}
	switch {
	case isInput(cause):
		g.CauseKind = CauseChanged
	case cause != "":
		g.CauseKind = causeKind(cause, changes)
	}
	return g
}

// causeKind returns how a cause changed. If a job starts or stops using a
// prerequisite, the change adds or removes the plugin field of the prerequisite.
func causeKind(cause hclspec.Address, changes []*Change) CauseKind {
	added, removed := 0, 0
	for _, c := range changes {
		for _, f := range c.Fields {
			if f.Cause != cause && f.Cause.Declaration() != cause || !strings.HasSuffix(string(f.Path), `"].plugin`) {
				continue
			}
			if f.Before == nil && f.BeforeKnown {
				added++
			} else if f.After == nil && f.AfterKnown {
				removed++
			}
			break
		}
	}
	switch len(changes) {
	case added:
		return CauseAdded
	case removed:
		return CauseRemoved
	}
	return CauseChanged
}
