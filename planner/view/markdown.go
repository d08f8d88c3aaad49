// SPDX-License-Identifier: MPL-2.0

package view

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// MarkdownLimit is the default maximum size of a Markdown plan, in characters.
// GitHub limits comments to 65,536 characters.
const MarkdownLimit = 65_000

// notes is the number of characters reserved for notes about omitted parts.
const notes = 400

// MarkdownOptions configures the Markdown view.
type MarkdownOptions struct {
	// Phrase returns the text for a fact in the plan.
	Phrase message.Phrase
	// Limit is the maximum number of characters; 0 means no limit. The first few
	// errors of each kind, and changes that delete jobs or end running work, are
	// shown even above the limit.
	Limit int
	// If Detail is set, the document shows each job separately.
	Detail bool
}

// Markdown writes a plan as a pull request comment. It contains the summary, a
// table of changes by cause, and a Mermaid graph. Folded blocks contain the
// difference and resolved graph of each change. Above the limit, Markdown
// omits details first, then warnings, errors and rows. It omits only complete
// parts, and shows how many it omitted.
func Markdown(w io.Writer, p *planner.Plan, o MarkdownOptions) error {
	groups := p.Groups()
	if o.Detail {
		groups = separate(p)
	}
	sums := &piece{text: sumTable(p)}
	head := &piece{text: markdownHead(p, o.Phrase), needed: true}
	others := othersTable(p)
	rows, diagnostics, details := tableRows(groups, o.Phrase), diagnosticItems(hclspec.Phrased(p.Diagnostics, o.Phrase), o.Detail), detailBlocks(groups)
	if o.Limit > 0 {
		o.Limit = max(o.Limit-notes, 1)
	}
	items, graph := itemPieces(p), &piece{text: graphBlock(groups, o.Phrase)}
	errors, warnings := bySeverity(diagnostics)
	fit(o.Limit, []*piece{head}, []*piece{sums}, others, rows, errors, warnings, byImportance(details), items, []*piece{graph})
	var b strings.Builder
	b.WriteString(head.text)
	writeTable(&b, rows)
	if jobs := elsewhere(p); jobs != "" {
		fmt.Fprintf(&b, "\n%s\n", inline(jobs))
	}
	writeKept(&b, others)
	writeKept(&b, []*piece{sums})
	writeKept(&b, details)
	switch n, jobs := omittedPieces(details); {
	case jobs > 0:
		fmt.Fprintf(&b, "\nThe details of %s are omitted because of the character limit.\n", quantity.Count(jobs, "job"))
	case n > 0:
		fmt.Fprintf(&b, "\nThe section \"what runs\" is omitted in %s because of the character limit.\n", quantity.Count(n, "place"))
	}
	writeItems(&b, items)
	writeKept(&b, []*piece{graph})
	if !graph.kept {
		b.WriteString("\nThe graph is omitted because of the character limit.\n")
	}
	writeDiagnostics(&b, diagnostics)
	_, err := io.WriteString(w, b.String())
	return err
}

// markdownHead returns the title, summary and policy results.
func markdownHead(p *planner.Plan, phrase message.Phrase) string {
	head := fmt.Sprintf("### %s\n\n%s\n", inline(markdownTitle(p)), inline(Summary(p, phrase)))
	if found := policies(p); found != "" {
		head += fmt.Sprintf("\n%s\n", inline(found))
	}
	return head
}

// separate returns one group per change, with this change as the only member.
func separate(p *planner.Plan) []planner.Group {
	all := make([]planner.Group, len(p.Changes))
	for i, c := range p.Changes {
		all[i] = planner.Group{Shared: c.Fields, Members: []planner.Member{{Change: c}}}
	}
	return all
}

// byImportance sorts urgent pieces before all other pieces.
func byImportance(all []*piece) []*piece {
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b *piece) int { return rank(a) - rank(b) })
	return sorted
}

func rank(p *piece) int {
	if p.urgent {
		return 0
	}
	return 1
}

// destructive reports whether a part deletes jobs or ends running work.
func destructive(p planner.Part) bool {
	return p.Action == planner.Delete || p.Action == planner.Replace || !p.Impact.None()
}

func writeKept(b *strings.Builder, all []*piece) {
	for _, p := range all {
		if p.kept {
			b.WriteString(p.text)
		}
	}
}

const tableHead = "\n| | Job | Cluster | Reason | Running work |\n|---|---|---|---|---|\n"

// tableRows returns one row for each part of a group.
func tableRows(groups []planner.Group, phrase message.Phrase) []*piece {
	var rows []*piece
	for _, g := range groups {
		for _, p := range g.Parts() {
			jobs := code(partJobs(p))
			if destructive(p) {
				jobs = code(allJobs(addresses(p.Members)))
			}
			if len(p.Members) > 1 {
				jobs += fmt.Sprintf(" (%s)", quantity.Count(len(p.Members), "job"))
			}
			reason := inline(partReason(p, phrase))
			if g.Cause != "" {
				reason = code(string(g.Cause)) + " " + string(g.CauseKind) + ": " + reason
			}
			rows = append(rows, &piece{
				text:   fmt.Sprintf("| %s | %s | %s | %s | %s |\n", p.Action, jobs, inline(p.Cluster), reason, inline(Impact(p.Impact))),
				needed: destructive(p), covers: len(p.Members),
			})
		}
	}
	return rows
}

func writeTable(b *strings.Builder, rows []*piece) {
	if len(rows) == 0 {
		return
	}
	b.WriteString(tableHead)
	writeKept(b, rows)
	if n, jobs := omittedPieces(rows); n > 0 {
		fmt.Fprintf(b, "\n%s without running work omitted because of the character limit.\n", quantity.Count(jobs, "more job"))
	}
}

func writeItems(b *strings.Builder, items []*piece) {
	if len(items) == 0 {
		return
	}
	b.WriteString("\nItems of marketplaces:\n\n")
	writeKept(b, items)
	if n, _ := omittedPieces(items); n > 0 {
		fmt.Fprintf(b, "- %s omitted because of the character limit.\n", quantity.Count(n, "more item"))
	}
}
