// SPDX-License-Identifier: MPL-2.0

package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// htmlUnfolded is the number of groups above which a page folds all groups.
const htmlUnfolded = 5

// htmlGroup is a set of changes with one cause.
type htmlGroup struct {
	Title string // description of the cause, or "" for a group without a cause
	Class string // CSS class for the action of the first part
	// Words are the search terms of the group.
	Words      string
	Unfolded   bool
	Parts      []htmlPart
	Difference []htmlLine
	Particular []htmlParticular
	Drift      []string
	// Runs is the text graph of one job.
	Runs, RunsTitle string
	Secrets         []string
	Sends           string
}

// htmlPart contains the jobs of a group that have the same kind of change.
type htmlPart struct {
	Class, Symbol, Jobs, Count, Action, Reason, Impact string
	// Long is true if the list of jobs does not fit on a line.
	Long bool
}

// htmlLine is one line of a difference, or several adjacent lines with the
// same class. Joining such lines reduces the number of elements, so that the
// page opens faster.
type htmlLine struct{ Class, Text string }

// htmlParticular is a difference that only some of the jobs have.
type htmlParticular struct {
	Title      string
	Difference []htmlLine
	// Alike contains the differences of the other instances that differ in
	// the same fields. The page shows these differences below AlikeTitle.
	Alike      []htmlParticular
	AlikeTitle string
}

func newHTMLParticular(g planner.Group, p planner.Particular) htmlParticular {
	out := htmlParticular{Title: particularTitle(g, p.Members), Difference: htmlDifference(p.Fields, p.Members[0].Change.Action)}
	if len(p.Alike) > 0 {
		out.AlikeTitle = "The same fields differ in " + allJobs(addresses(p.Alike)) + ", with other values."
	}
	for _, m := range p.Alike {
		out.Alike = append(out.Alike, htmlParticular{
			Title: clean(m.Change.Address.String()) + ":", Difference: htmlDifference(m.Particular, m.Change.Action),
		})
	}
	return out
}

func htmlGroups(groups []planner.Group, phrase message.Phrase) []htmlGroup {
	all := make([]htmlGroup, len(groups))
	for i, g := range groups {
		all[i] = newHTMLGroup(g, phrase)
		all[i].Unfolded = len(groups) <= htmlUnfolded
	}
	return all
}

func newHTMLGroup(g planner.Group, phrase message.Phrase) htmlGroup {
	parts := g.Parts()
	out := htmlGroup{Class: string(parts[0].Action), Words: htmlWords(g), Difference: htmlDifference(g.Shared, parts[0].Action)}
	if g.Cause != "" {
		out.Title = clean(causeTitle(g))
	}
	for _, p := range parts {
		out.Parts = append(out.Parts, newHTMLPart(p, showsImpacts(g, parts), phrase))
	}
	for _, p := range g.Particulars() {
		out.Particular = append(out.Particular, newHTMLParticular(g, p))
	}
	for _, m := range g.Members {
		out.member(m.Change, len(g.Members) > 1)
	}
	out.runs(g)
	out.Sends = sends(g)
	return out
}

func (g *htmlGroup) member(c *planner.Change, several bool) {
	of := ""
	if several {
		of = clean(c.Address.String()) + ": "
	}
	if c.Reason.Code != planner.ReasonUnsupervised {
		for _, d := range c.Drift {
			g.Drift = append(g.Drift, of+DriftText(d))
		}
	}
	if len(c.Secrets) > 0 {
		g.Secrets = append(g.Secrets, of+secretStates(c))
	}
}

// runs adds the text graph of the group's first job.
func (g *htmlGroup) runs(of planner.Group) {
	first := of.Members[0].Change
	if first.Job == nil {
		return
	}
	t := text{o: TextOptions{Detail: true}}
	t.graph(0, first.Job)
	g.Runs, g.RunsTitle = strings.TrimRight(t.out.String(), "\n"), "What runs"
	if len(of.Members) > 1 {
		g.RunsTitle += " in " + clean(first.Address.String())
	}
}

func newHTMLPart(p planner.Part, impact bool, phrase message.Phrase) htmlPart {
	out := htmlPart{
		Class: string(p.Action), Symbol: symbols[p.Action], Jobs: allJobs(addresses(p.Members)), Reason: clean(partReason(p, phrase)),
		Action: fmt.Sprintf("%s on cluster %s", p.Action, clean(p.Cluster)),
	}
	if p.Action == planner.NoOp {
		out.Action = "not changed on cluster " + clean(p.Cluster)
	}
	if p.Outdated {
		out.Class = "outdated"
	}
	if len(p.Members) > 1 {
		out.Count = quantity.Count(len(p.Members), "job")
		out.Long = len(out.Jobs) > maxInline
	}
	if impact {
		out.Impact = clean(Impact(p.Impact))
	}
	return out
}

// htmlWords returns the search terms of a group, without quotes, so that
// exp[3] finds job.exp["3"].
func htmlWords(g planner.Group) string {
	words := []string{strings.ToLower(clean(string(g.Cause)))}
	for _, m := range g.Members {
		for _, word := range []string{m.Change.Address.String(), string(m.Change.Action), m.Change.Cluster} {
			if word = strings.ToLower(clean(word)); !slices.Contains(words, word) {
				words = append(words, word)
			}
		}
	}
	return strings.TrimSpace(strings.ReplaceAll(strings.Join(words, " "), `"`, ""))
}

// lineClasses maps the symbols of a difference to CSS classes.
var lineClasses = map[string]string{"+": "added", "-": "removed", "~": "changed"}

func htmlDifference(fields []planner.FieldChange, action planner.Action) []htmlLine {
	var all []htmlLine
	add := func(symbol, text string) {
		if last := len(all) - 1; last >= 0 && all[last].Class == lineClasses[symbol] {
			all[last].Text += "\n" + text
			return
		}
		all = append(all, htmlLine{lineClasses[symbol], text})
	}
	for _, g := range grouped(fields) {
		add(g.symbol, g.symbol+" "+clean(string(g.path))+g.inline+consequence(action, g.effect))
		for _, l := range g.lines {
			add(l.symbol, l.symbol+"   "+l.text)
		}
	}
	return all
}
