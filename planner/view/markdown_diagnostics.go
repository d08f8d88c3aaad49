// SPDX-License-Identifier: MPL-2.0

package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
)

// diagnosticItems returns items for the errors, the first warnings of each kind,
// and the number of omitted warnings. If detail is true, each diagnostic has a
// separate item. The first few errors of each kind are shown even if they exceed
// the limit.
func diagnosticItems(diags hcl.Diagnostics, detail bool) []*piece {
	fold, limit := foldInstances, maxAlike
	if detail {
		fold, limit = separately, everyOne
	}
	all := fold(diags)
	warnings, more, _ := alike(all, limit)
	var items []*piece
	shown := map[string]int{} // number of processed errors and details, by code
	for _, f := range all {
		switch {
		case f.Severity == hcl.DiagError:
			items = append(items, errorPieces(f, shown)...)
		case slices.Contains(warnings, f):
			items = append(items, &piece{text: itemStart(f) + inline(f.sentences()) + "\n", covers: 1})
		}
	}
	for _, m := range more {
		items = append(items, &piece{
			text:   fmt.Sprintf("- %d more of this kind: **%s**\n", len(m.warnings), inline(m.summary)),
			covers: len(m.warnings),
		})
	}
	return items
}

// errorPieces returns one piece for most errors. For the first few errors of a
// kind, each detail is a separate piece, because many details at one position
// can exceed the limit. shown maps each code to the number of its processed
// errors and details.
func errorPieces(f *folded, shown map[string]int) []*piece {
	code := hclspec.Code(f.Diagnostic)
	first := itemStart(f) + inline(strings.Join(append([]string{f.Detail}, f.instances()...), " "))
	needed := shown[code] < maxAlike
	shown[code]++
	if !needed || len(f.details) == 0 {
		text := strings.Join(append([]string{first}, inlines(f.details)...), " ") + "\n"
		return []*piece{{text: text, urgent: true, needed: needed, covers: 1 + len(f.details)}}
	}
	pieces := []*piece{{text: first, urgent: true, needed: true, covers: 1}}
	for _, detail := range inlines(f.details) {
		pieces = append(pieces, &piece{text: " " + detail, urgent: true, needed: shown[code] < maxAlike, covers: 1})
		shown[code]++
	}
	return append(pieces, &piece{text: "\n", urgent: true, needed: true})
}

func inlines(sentences []string) []string {
	all := make([]string, len(sentences))
	for i, s := range sentences {
		all[i] = inline(s)
	}
	return all
}

// itemStart returns an item without its sentences.
func itemStart(f *folded) string {
	where := ""
	if f.Subject != nil {
		where = fmt.Sprintf(" (%s line %d)", code(f.Subject.Filename), f.Subject.Start.Line)
	}
	return fmt.Sprintf("- **%s: %s**%s. ", severityName(f.Diagnostic), inline(f.Summary), where)
}

// bySeverity separates error pieces from other pieces.
func bySeverity(items []*piece) (errors, others []*piece) {
	for _, p := range items {
		if p.urgent {
			errors = append(errors, p)
		} else {
			others = append(others, p)
		}
	}
	return errors, others
}

func writeDiagnostics(b *strings.Builder, items []*piece) {
	if len(items) == 0 {
		return
	}
	b.WriteString("\nErrors and warnings:\n\n")
	writeKept(b, items)
	errors, warnings := bySeverity(items)
	if _, n := omittedPieces(errors); n > 0 {
		fmt.Fprintf(b, "- %s omitted because of the character limit.\n", quantity.Count(n, "more error"))
	}
	if _, n := omittedPieces(warnings); n > 0 {
		fmt.Fprintf(b, "- %s omitted because of the character limit.\n", quantity.Count(n, "more warning"))
	}
}
