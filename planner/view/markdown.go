// SPDX-License-Identifier: MPL-2.0

package view

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// MarkdownLimit is the default limit of a Markdown plan in characters. GitHub
// limits comments to 65,536 characters.
const MarkdownLimit = 65_000

// notes is the number of characters reserved for notes about omitted parts.
const notes = 400

// MarkdownOptions configure the Markdown view.
type MarkdownOptions struct {
	// Limit is the maximum number of characters; 0 for no limit. Errors, and
	// changes that delete a job or end running work, are shown even beyond the
	// limit.
	Limit int
	// Detail shows each job separately.
	Detail bool
}

// Markdown writes a plan for a comment on a pull request: the summary and a
// table of the changes by cause, then the difference and the resolved graph of
// each change, folded, and the graph as Mermaid. Beyond the limit it omits
// details first, then warnings and rows. It omits only complete parts, and
// counts them.
func Markdown(w io.Writer, p *planner.Plan, o MarkdownOptions) error {
	groups := p.Groups()
	if o.Detail {
		groups = separate(p)
	}
	sums := &piece{text: sumTable(p)}
	head := &piece{text: fmt.Sprintf("### %s\n\n%s\n", inline(markdownTitle(p)), inline(Summary(p))), needed: true}
	others := othersTable(p)
	rows, diagnostics, details := tableRows(groups), diagnosticItems(p, o.Detail), detailBlocks(groups)
	if o.Limit > 0 {
		o.Limit = max(o.Limit-notes, 1)
	}
	items, graph := itemPieces(p), &piece{text: graphBlock(groups)}
	fit(o.Limit, []*piece{head}, []*piece{sums}, others, rows, diagnostics, byImportance(details), items, []*piece{graph})
	var b strings.Builder
	b.WriteString(head.text)
	if found := policies(p); found != "" {
		fmt.Fprintf(&b, "\n%s\n", inline(found))
	}
	writeTable(&b, rows)
	if jobs := elsewhere(p); jobs != "" {
		fmt.Fprintf(&b, "\n%s\n", inline(jobs))
	}
	writeKept(&b, others)
	writeKept(&b, []*piece{sums})
	writeKept(&b, details)
	switch n, jobs := omittedJobs(details); {
	case jobs > 0:
		fmt.Fprintf(&b, "\nThe details of %s are omitted, to keep to the limit of characters.\n", quantity.Count(jobs, "job"))
	case n > 0:
		fmt.Fprintf(&b, "\nWhat runs is omitted in %s, to keep to the limit of characters.\n", quantity.Count(n, "place"))
	}
	writeItems(&b, items)
	writeKept(&b, []*piece{graph})
	if !graph.kept {
		b.WriteString("\nThe graph is omitted, to keep to the limit of characters.\n")
	}
	writeDiagnostics(&b, diagnostics)
	_, err := io.WriteString(w, b.String())
	return err
}

// separate returns each change as a group.
func separate(p *planner.Plan) []planner.Group {
	all := make([]planner.Group, len(p.Changes))
	for i, c := range p.Changes {
		all[i] = planner.Group{Shared: c.Fields, Members: []planner.Member{{Change: c}}}
	}
	return all
}

// byImportance sorts pieces so that the most important to review come first.
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

// destructive reports whether jobs are deleted or running work ends.
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

// tableRows returns a row for each part of the groups.
func tableRows(groups []planner.Group) []*piece {
	var rows []*piece
	for _, g := range groups {
		for _, p := range g.Parts() {
			jobs := code(partJobs(p))
			if len(p.Members) > 1 {
				jobs += fmt.Sprintf(" (%s)", quantity.Count(len(p.Members), "job"))
			}
			reason := inline(partReason(p))
			if g.Cause != "" {
				reason = code(string(g.Cause)) + " " + string(g.CauseKind) + ": " + reason
			}
			rows = append(rows, &piece{
				text:   fmt.Sprintf("| %s | %s | %s | %s | %s |\n", p.Action, jobs, inline(p.Cluster), reason, inline(Impact(p.Impact))),
				needed: destructive(p), jobs: len(p.Members),
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
	if n, jobs := omittedJobs(rows); n > 0 {
		fmt.Fprintf(b, "\n%s without running work omitted, to keep to the limit of characters.\n", quantity.Count(jobs, "more job"))
	}
}

// diagnosticItems returns an item for each error, for the first few warnings of one
// kind, and for the number of the others; with detail, for each diagnostic.
func diagnosticItems(p *planner.Plan, detail bool) []*piece {
	fold, limit := foldInstances, maxAlike
	if detail {
		fold, limit = separately, everyOne
	}
	all := fold(hclspec.Phrased(p.Diagnostics, Phrase))
	warnings, more, _ := alike(all, limit)
	var items []*piece
	for _, f := range all {
		if f.Severity == hcl.DiagWarning && !slices.Contains(warnings, f) {
			continue
		}
		where := ""
		if f.Subject != nil {
			where = fmt.Sprintf(" (%s line %d)", code(f.Subject.Filename), f.Subject.Start.Line)
		}
		severity := severityName(f.Diagnostic)
		items = append(items, &piece{
			text:   fmt.Sprintf("- **%s: %s**%s. %s\n", severity, inline(f.Summary), where, inline(f.sentences())),
			needed: f.Severity == hcl.DiagError,
		})
	}
	for _, m := range more {
		items = append(items, &piece{text: fmt.Sprintf("- %d more of this kind: **%s**\n", m.count, inline(m.summary))})
	}
	return items
}

func writeItems(b *strings.Builder, items []*piece) {
	if len(items) == 0 {
		return
	}
	b.WriteString("\nItems of marketplaces:\n\n")
	writeKept(b, items)
	if n, _ := omittedJobs(items); n > 0 {
		fmt.Fprintf(b, "- %s omitted, to keep to the limit of characters.\n", quantity.Count(n, "more item"))
	}
}

func writeDiagnostics(b *strings.Builder, items []*piece) {
	if len(items) == 0 {
		return
	}
	b.WriteString("\nFindings:\n\n")
	writeKept(b, items)
	if n, _ := omittedJobs(items); n > 0 {
		fmt.Fprintf(b, "- %s omitted, to keep to the limit of characters.\n", quantity.Count(n, "more warning"))
	}
}
