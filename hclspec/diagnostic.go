package hclspec

import (
	"cmp"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/internal/message"
)

// Entry is one kind of diagnostic: the catalog holds every one that a user can
// meet, and docs/errors.md is made from it.
type Entry struct {
	// Code is stable and appears in JSON output: "unknown-prerequisite".
	Code     string
	Severity hcl.DiagnosticSeverity
	// Summary is short, stable and without values.
	Summary string
	// Advice is the documentation: when it happens and what to do.
	Advice string
}

var catalog = map[string]*Entry{}

// DefineError adds an error to the catalog. A package defines the entries that
// it alone reports; those that several report are defined here.
func DefineError(code, summary, advice string) *Entry {
	return define(&Entry{Code: code, Severity: hcl.DiagError, Summary: summary, Advice: advice})
}

// DefineWarning is [DefineError] for a warning.
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

// At makes a diagnostic of this kind. The detail says what was found, where
// it was expected and what to do, in full sentences; arguments that are facts
// get their words from [Phrased]. A zero range means that the place is not
// known.
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

// origin is the extra of a diagnostic: what the detail was made from.
type origin struct {
	entry *Entry
	text  message.Text
}

// Phrased returns the diagnostics with the facts in their details phrased for
// a reader. The given ones stay as they are.
func Phrased(diags hcl.Diagnostics, phrase message.Phrase) hcl.Diagnostics {
	out := make(hcl.Diagnostics, len(diags))
	for i, d := range diags {
		phrased := *d
		phrased.Detail = Detail(d, phrase)
		out[i] = &phrased
	}
	return out
}

// Detail returns the detail of a diagnostic phrased for a reader.
func Detail(d *hcl.Diagnostic, phrase message.Phrase) string {
	if o, ok := d.Extra.(*origin); ok && o.text.HasFacts() {
		return o.text.Phrase(phrase)
	}
	return d.Detail
}

// Adopt makes diagnostics of HCL itself ones of this kind. They keep their own
// words; those that are of the catalog already stay what they are.
func (e *Entry) Adopt(diags hcl.Diagnostics) hcl.Diagnostics {
	for _, d := range diags {
		if EntryOf(d) == nil {
			d.Extra = &origin{entry: e}
		}
	}
	return diags
}

// EntryOf returns the entry of the catalog that a diagnostic came from, or
// nil.
func EntryOf(d *hcl.Diagnostic) *Entry {
	if o, ok := d.Extra.(*origin); ok {
		return o.entry
	}
	return nil
}

// Code returns the catalog code of a diagnostic, or "" when it did not come
// from the catalog.
func Code(d *hcl.Diagnostic) string {
	if e := EntryOf(d); e != nil {
		return e.Code
	}
	return ""
}

// Sort orders diagnostics by file and position, errors and warnings mixed, and
// removes exact repetitions.
func Sort(diags hcl.Diagnostics) hcl.Diagnostics {
	slices.SortStableFunc(diags, compare)
	out := diags[:0]
	seen := map[diagnosticKey]bool{}
	for _, d := range diags {
		f := diagnosticKey{summary: d.Summary, detail: d.Detail}
		if d.Subject != nil {
			f.at = *d.Subject
		}
		if !seen[f] {
			seen[f] = true
			out = append(out, d)
		}
	}
	return out
}

// diagnosticKey is what makes two diagnostics one.
type diagnosticKey struct {
	summary, detail string
	at              hcl.Range
}

// compare orders by place; diagnostics without one come first.
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

// Restore gives a diagnostic that was saved its entry of the catalog. The detail
// keeps the words it was saved with.
func Restore(code string, d *hcl.Diagnostic) *hcl.Diagnostic {
	if e := catalog[code]; e != nil {
		d.Extra = &origin{entry: e}
	}
	return d
}
