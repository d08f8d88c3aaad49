// SPDX-License-Identifier: MPL-2.0

package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// detailBlocks returns the difference and graph of each group.
func detailBlocks(groups []planner.Group) []*piece {
	var all []*piece
	for _, g := range groups {
		c := g.Members[0].Change
		if c.Action == planner.NoOp && !c.Outdated {
			continue
		}
		urgent := slices.ContainsFunc(g.Parts(), destructive)
		jobs := len(g.Members)
		for _, text := range []string{differenceBlock(g), runBlock(g)} {
			if text != "" {
				all = append(all, &piece{text: text, covers: jobs, urgent: urgent})
				jobs = 0 // count the jobs once
			}
		}
	}
	return all
}

func differenceBlock(g planner.Group) string {
	var b strings.Builder
	first := g.Members[0].Change
	differs := ": what differs"
	if first.Action == planner.Create {
		differs += " from " + first.Address.String()
	}
	fold(&b, detailTitle(g)+differs, "diff", differenceText(g))
	return b.String()
}

func runBlock(g planner.Group) string {
	var b strings.Builder
	first := g.Members[0].Change
	var graph text
	if first.Job != nil && (first.Action == planner.Create || first.Action == planner.Replace) {
		graph.graph(0, first.Job)
	}
	what := ": what runs"
	if len(g.Members) > 1 {
		what = ": what runs in " + first.Address.String()
	}
	fold(&b, detailTitle(g)+what, "text", strings.TrimRight(graph.out.String(), "\n")+"\n")
	for _, m := range g.Members {
		secrets(&b, m.Change)
	}
	return b.String()
}

// detailTitle returns the cause of a group, or the jobs of a group without a
// cause.
func detailTitle(g planner.Group) string {
	switch jobs := Jobs(addresses(g.Members)); {
	case g.Cause != "":
		return fmt.Sprintf("%s %s", g.Cause, g.CauseKind)
	case len(jobs) <= maxInline:
		return jobs
	}
	return quantity.Count(len(g.Members), "job")
}

// differenceText returns a difference in diff syntax, which Markdown viewers
// highlight. Differences that only some jobs have are at the end.
func differenceText(g planner.Group) string {
	t := &text{}
	t.markdownDiff(grouped(g.Shared), g.Members[0].Change.Action)
	for _, p := range g.Particulars() {
		t.line(0, "  "+Jobs(addresses(slices.Concat(p.Members, p.Alike)))+":")
		t.markdownDiff(particularGroups(p), p.Members[0].Change.Action)
		if rest := withoutValues(p); rest != "" {
			t.line(0, "  "+rest)
		}
	}
	return t.out.String()
}

func (t *text) markdownDiff(groups []group, action planner.Action) {
	for _, g := range groups {
		t.line(0, g.symbol+" "+clean(string(g.path))+g.inline+consequence(action, g.effect))
		for _, l := range g.lines {
			t.line(0, l.symbol+"   "+l.text)
		}
	}
}

// maxMermaid is the maximum number of characters in a graph. Mermaid's own
// limit of 50,000 characters allows graphs that are not readable.
const maxMermaid = 20_000

// graphBlock draws the first job of each group if apply creates or replaces
// that job. It returns "" if no job has prerequisites, and a note if the
// graph is too large.
func graphBlock(groups []planner.Group, phrase message.Phrase) string {
	var jobs []*resolve.Job
	steps := false
	for _, g := range groups {
		c := g.Members[0].Change
		if c.Job == nil || c.Action != planner.Create && c.Action != planner.Replace {
			continue
		}
		jobs = append(jobs, c.Job)
		for _, role := range c.Job.TaskRoles {
			steps = steps || len(role.Steps) > 0
		}
	}
	if !steps {
		return ""
	}
	graph := Mermaid(jobs)
	if len(graph) > maxMermaid {
		return fmt.Sprintf("\nThe graph is omitted: it is too large to be readable. `%s` draws it.\n", phrase(message.CommandGraph))
	}
	var b strings.Builder
	fold(&b, "Graph", "mermaid", graph)
	return b.String()
}
