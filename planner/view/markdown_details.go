package view

import (
	"fmt"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// detailBlocks are, for each group, what differs and what runs.
func detailBlocks(groups []planner.Group) []*piece {
	var all []*piece
	for _, g := range groups {
		c := g.Members[0].Change
		if c.Action == planner.NoOp && !c.Outdated {
			continue
		}
		if text := groupDetails(g); text != "" {
			urgent := false
			for _, p := range g.Parts() {
				urgent = urgent || destructive(p)
			}
			all = append(all, &piece{text: text, jobs: len(g.Members), urgent: urgent})
		}
	}
	return all
}

func groupDetails(g planner.Group) string {
	var b strings.Builder
	title, first := detailTitle(g), g.Members[0].Change
	differs := ": what differs"
	if first.Action == planner.Create {
		differs += " from " + first.Address.String()
	}
	fold(&b, title+differs, "diff", differenceText(g))
	var graph text
	if first.Job != nil && (first.Action == planner.Create || first.Action == planner.Replace) {
		graph.graph(0, first.Job)
	}
	what := ": what runs"
	if len(g.Members) > 1 {
		what = ": what runs in " + first.Address.String()
	}
	fold(&b, title+what, "text", strings.TrimRight(graph.out.String(), "\n")+"\n")
	for _, m := range g.Members {
		secrets(&b, m.Change)
	}
	return b.String()
}

// detailTitle is the cause of a group, or its jobs.
func detailTitle(g planner.Group) string {
	switch jobs := Jobs(addresses(g.Members)); {
	case g.Cause != "":
		return fmt.Sprintf("%s %s", g.Cause, g.CauseKind)
	case len(jobs) <= maxInline:
		return jobs
	}
	return quantity.Count(len(g.Members), "job")
}

// differenceText is the difference of a group as the diff language of Markdown
// colors it, then what is particular to some of the jobs.
func differenceText(g planner.Group) string {
	t := &text{}
	t.markdownDiff(g.Shared, g.Members[0].Change.Action)
	if len(g.Members) > 1 {
		byDifference(g.Members, func(members []planner.Member) {
			if len(members[0].Particular) > 0 {
				t.line(0, "  "+Jobs(addresses(members))+":")
				t.markdownDiff(members[0].Particular, members[0].Change.Action)
			}
		})
	}
	return t.out.String()
}

func (t *text) markdownDiff(fields []planner.FieldChange, action planner.Action) {
	for _, g := range grouped(fields) {
		t.line(0, g.symbol+" "+clean(string(g.path))+g.inline+consequence(action, g.effect))
		for _, l := range g.lines {
			t.line(0, l.symbol+"   "+l.text)
		}
	}
}
