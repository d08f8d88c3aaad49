// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"cmp"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/internal/message"
)

// Entry is one kind of diagnostic. The catalog contains every kind that a user
// can see. docs/guides/errors.md is generated from the catalog.
type Entry struct {
	// Code identifies the entry. The code is stable and appears in JSON
	// output: "unknown-prerequisite".
	Code     string
	Severity hcl.DiagnosticSeverity
	// Summary is a short, stable title without values.
	Summary string
	// Advice documents when the diagnostic occurs and what to do.
	Advice string
}

var catalog = map[string]*Entry{}

// DefineError adds an error to the catalog. If only one package reports an
// entry, that package defines it. This package defines the entries that
// several packages report.
func DefineError(code, summary, advice string) *Entry {
	return define(&Entry{Code: code, Severity: hcl.DiagError, Summary: summary, Advice: advice})
}

// DefineWarning adds a warning to the catalog, like [DefineError].
func DefineWarning(code, summary, advice string) *Entry {
	return define(&Entry{Code: code, Severity: hcl.DiagWarning, Summary: summary, Advice: advice})
}

func define(e *Entry) *Entry {
	if _, twice := catalog[e.Code]; twice {
		panic("hclspec: diagnostic defined twice: " + e.Code)
	}
	catalog[e.Code] = e
	return e
}

// Catalog returns every entry, sorted by code.
func Catalog() []*Entry {
	return slices.SortedFunc(maps.Values(catalog), func(a, b *Entry) int { return cmp.Compare(a.Code, b.Code) })
}

// At returns a diagnostic of this kind. The detail states in full sentences what
// was found, what was expected, and what to do. If an argument is a fact,
// [Phrased] converts it to text. A zero range means that the position is unknown.
func (e *Entry) At(rng hcl.Range, format string, args ...any) *hcl.Diagnostic {
	text := message.Textf(format, args...)
	d := &hcl.Diagnostic{
		Severity: e.Severity,
		Summary:  e.Summary,
		Detail:   text.String(),
		Extra:    &origin{entry: e, text: text},
	}
	if rng.Filename != "" {
		d.Subject = &rng
	}
	return d
}

// origin is stored in a diagnostic's Extra field. It contains the catalog entry and
// the message that produced the detail.
type origin struct {
	entry *Entry
	text  message.Text
	// [Concerning] sets the fields instances and name.
	instances []Address
	name      string
}

// Phrased returns copies of the diagnostics in which phrase has converted
// each fact to text. Phrased does not modify the given diagnostics.
func Phrased(diags hcl.Diagnostics, phrase message.Phrase) hcl.Diagnostics {
	out := make(hcl.Diagnostics, len(diags))
	for i, d := range diags {
		phrased := *d
		phrased.Detail = Detail(d, phrase)
		out[i] = &phrased
	}
	return out
}

// Detail returns the detail of a diagnostic. It calls phrase to convert each
// fact in the detail to text.
func Detail(d *hcl.Diagnostic, phrase message.Phrase) string {
	if o, ok := d.Extra.(*origin); ok && o.text.HasFacts() {
		return o.text.Phrase(phrase)
	}
	return d.Detail
}

// Adopt assigns this entry to diagnostics from the HCL library, and returns
// the diagnostics. Adopt does not change the text of the diagnostics.
// Diagnostics that already have an entry are unchanged.
func (e *Entry) Adopt(diags hcl.Diagnostics) hcl.Diagnostics {
	for _, d := range diags {
		if EntryOf(d) == nil {
			d.Extra = &origin{entry: e}
		}
	}
	return diags
}

// EntryOf returns a diagnostic's catalog entry, or nil if it has none.
func EntryOf(d *hcl.Diagnostic) *Entry {
	if o, ok := d.Extra.(*origin); ok {
		return o.entry
	}
	return nil
}

// Code returns the catalog code of a diagnostic, or "" if it has no catalog
// entry.
func Code(d *hcl.Diagnostic) string {
	if e := EntryOf(d); e != nil {
		return e.Code
	}
	return ""
}

// Sort orders diagnostics by file and position, regardless of severity, and removes
// exact duplicates. The remaining diagnostic lists the instances of all its
// duplicates.
func Sort(diags hcl.Diagnostics) hcl.Diagnostics {
	slices.SortStableFunc(diags, compare)
	out := diags[:0]
	seen := map[diagnosticKey]*hcl.Diagnostic{}
	for _, d := range diags {
		f := diagnosticKey{summary: d.Summary, detail: d.Detail}
		if d.Subject != nil {
			f.at = *d.Subject
		}
		if first := seen[f]; first != nil {
			adoptInstances(first, d)
			continue
		}
		seen[f] = d
		out = append(out, d)
	}
	return out
}

// diagnosticKey identifies equal diagnostics.
type diagnosticKey struct {
	summary, detail string
	at              hcl.Range
}

// compare orders diagnostics by position. Diagnostics without a position come
// first.
func compare(a, b *hcl.Diagnostic) int {
	switch {
	case a.Subject == nil && b.Subject == nil:
		return 0
	case a.Subject == nil:
		return -1
	case b.Subject == nil:
		return 1
	}
	return cmp.Or(cmp.Compare(a.Subject.Filename, b.Subject.Filename), cmp.Compare(a.Subject.Start.Byte, b.Subject.Start.Byte))
}

// Restore returns a saved diagnostic with the catalog entry of the given code.
// The saved detail does not change.
func Restore(code string, d *hcl.Diagnostic) *hcl.Diagnostic {
	if e := catalog[code]; e != nil {
		d.Extra = &origin{entry: e}
	}
	return d
}
