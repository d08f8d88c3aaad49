// SPDX-License-Identifier: MPL-2.0

package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// maxInline is the maximum length of a job list on the line of the action.
const maxInline = 60

// group prints changes with the same cause. A shared difference appears once.
func (t *text) group(g planner.Group) {
	if g.Cause != "" {
		t.sentence(0, t.bold, causeTitle(g))
	}
	parts := g.Parts()
	for _, p := range parts {
		t.part(p, showsImpacts(g, parts))
	}
	t.differences(2, g.Shared, parts[0].Action)
	if parts[0].Action == planner.Create {
		t.created(g)
	} else {
		t.particular(g)
	}
	t.groupSecrets(g)
	t.groupObjects(g)
}

// part prints the jobs with the same kind of change. The parameter impact is
// false if the title of the group already contains the impact.
func (t *text) part(p planner.Part, impact bool) {
	jobs := partJobs(p)
	if p.Action == planner.NoOp && !p.Outdated {
		t.sentence(2, plainly, jobs+": nothing to do, "+partReason(p, t.o.Phrase))
		t.blank()
		return
	}
	symbol := symbols[p.Action]
	title, count := jobs, ""
	if len(p.Members) > 1 {
		count = fmt.Sprintf(" (%s)", quantity.Count(len(p.Members), "job"))
	}
	if len(jobs) > maxInline {
		title, count = quantity.Count(len(p.Members), "job"), ""
	}
	action := fmt.Sprintf("%s on cluster %s", p.Action, clean(p.Cluster))
	if p.Action == planner.NoOp {
		action = "not changed on cluster " + clean(p.Cluster)
	}
	t.line(0, t.marked(symbol, fmt.Sprintf("%3s %s", symbol, t.bold(title)))+count+": "+action)
	if title != jobs {
		t.sentence(2, t.bold, jobs)
	}
	t.sentence(2, t.dim, partReason(p, t.o.Phrase))
	if impact && !p.Impact.None() {
		t.sentence(2, t.warning, "! "+Impact(p.Impact))
	}
	t.blank()
}

// particular prints the differences that only some members have. Equal
// differences appear only once.
func (t *text) particular(g planner.Group) {
	for _, p := range g.Particulars() {
		t.sentence(2, t.bold, particularTitle(g, slices.Concat(p.Members, p.Alike)))
		t.groups(3, particularGroups(p), p.Members[0].Change.Action)
		if rest := withoutValues(p); rest != "" {
			t.sentence(2, t.dim, rest)
			t.blank()
		}
	}
	for _, m := range g.Members {
		if len(m.Change.Drift) > 0 && m.Change.Reason.Code != planner.ReasonUnsupervised {
			t.line(2, t.bold(clean(m.Change.Address.String())))
			t.drift(m.Change)
		}
	}
}

// particularTitle returns the title of a difference that only some jobs have.
// For new jobs, the difference is relative to the first member.
func particularTitle(g planner.Group, members []planner.Member) string {
	jobs := Jobs(addresses(members))
	switch first := g.Members[0].Change; {
	case first.Action == planner.Create:
		return jobs + quantity.Plural(len(members), " differs", " differ") + " from " + clean(first.Address.String()) + ":"
	case len(g.Shared) == 0:
		return jobs + ":"
	}
	return jobs + " also:"
}

// created prints the first job and the fields in which the other jobs differ
// from it.
func (t *text) created(g planner.Group) {
	first := g.Members[0].Change
	t.line(2, t.bold(clean(first.Address.String()))+":")
	t.graph(3, first.Job)
	var differ []string
	for _, m := range g.Members {
		for _, f := range grouped(m.Particular) {
			if path := clean(string(planner.WithoutInstance(f.path))); path != "name" && !slices.Contains(differ, path) {
				differ = append(differ, path)
			}
		}
	}
	if len(differ) > 0 {
		t.sentence(2, t.dim, "The other jobs differ in "+strings.Join(differ, ", ")+".")
	} else {
		t.line(2, t.dim("The other jobs differ only in their names."))
	}
	t.blank()
}

// groupSecrets prints the states of secrets. Equal states of several members
// appear only once.
func (t *text) groupSecrets(g planner.Group) {
	same := map[string][]planner.Member{}
	var order []string
	for _, m := range g.Members {
		if len(m.Change.Secrets) == 0 {
			continue
		}
		states := secretStates(m.Change)
		if same[states] == nil {
			order = append(order, states)
		}
		same[states] = append(same[states], m)
	}
	for _, states := range order {
		of := ""
		if len(same[states]) < len(g.Members) {
			of = " of " + Jobs(addresses(same[states]))
		}
		t.sentence(2, plainly, "secrets"+of+": "+states)
	}
	if len(order) > 0 {
		t.blank()
	}
}

func (t *text) groupObjects(g planner.Group) {
	if sent := sends(g); sent != "" {
		t.line(2, sent)
		t.blank()
	}
}

// sends returns the number and size of the objects that apply sends, or "".
func sends(g planner.Group) string {
	count, total := 0, 0
	for _, m := range g.Members {
		for _, o := range m.Change.Objects {
			count++
			total += o.Bytes
		}
	}
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("sends %s, %s", quantity.Count(count, "object"), quantity.Bytes(total))
}
