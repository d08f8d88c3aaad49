package hclspec

import (
	"fmt"
	"sort"

	"github.com/hashicorp/hcl/v2"
)

// Entry is one kind of finding: the catalogue holds every one that a user can
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

var catalogue = map[string]*Entry{}

func defineError(code, summary, advice string) *Entry {
	return define(&Entry{Code: code, Severity: hcl.DiagError, Summary: summary, Advice: advice})
}

func defineWarning(code, summary, advice string) *Entry {
	return define(&Entry{Code: code, Severity: hcl.DiagWarning, Summary: summary, Advice: advice})
}

func define(e *Entry) *Entry {
	if _, twice := catalogue[e.Code]; twice {
		panic("hclspec: finding defined twice: " + e.Code)
	}
	catalogue[e.Code] = e
	return e
}

// Catalogue returns every entry, sorted by code.
func Catalogue() []*Entry {
	all := make([]*Entry, 0, len(catalogue))
	for _, e := range catalogue {
		all = append(all, e)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Code < all[j].Code })
	return all
}

// At makes a diagnostic of this kind. The detail says what was found, where
// it was expected and what to do, in full sentences. A zero range means that
// the place is not known.
func (e *Entry) At(rng hcl.Range, format string, args ...any) *hcl.Diagnostic {
	d := &hcl.Diagnostic{
		Severity: e.Severity,
		Summary:  e.Summary,
		Detail:   fmt.Sprintf(format, args...),
		Extra:    e,
	}
	if rng.Filename != "" {
		d.Subject = &rng
	}
	return d
}

// Adopt makes findings of HCL itself ones of this kind. They keep their own
// words; those that are of the catalogue already stay what they are.
func (e *Entry) Adopt(diags hcl.Diagnostics) hcl.Diagnostics {
	for _, d := range diags {
		if Code(d) == "" {
			d.Extra = e
		}
	}
	return diags
}

// Code returns the catalogue code of a diagnostic, or "" when it did not come
// from the catalogue.
func Code(d *hcl.Diagnostic) string {
	if e, ok := d.Extra.(*Entry); ok {
		return e.Code
	}
	return ""
}

// Sort orders diagnostics by file and position, errors and warnings mixed, and
// removes exact repetitions.
func Sort(diags hcl.Diagnostics) hcl.Diagnostics {
	sort.SliceStable(diags, func(i, j int) bool { return before(diags[i], diags[j]) })
	out := diags[:0]
	seen := map[finding]bool{}
	for _, d := range diags {
		f := finding{summary: d.Summary, detail: d.Detail}
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

// finding is what makes two diagnostics one.
type finding struct {
	summary, detail string
	at              hcl.Range
}

func before(a, b *hcl.Diagnostic) bool {
	switch {
	case a.Subject == nil || b.Subject == nil:
		return a.Subject == nil && b.Subject != nil
	case a.Subject.Filename != b.Subject.Filename:
		return a.Subject.Filename < b.Subject.Filename
	default:
		return a.Subject.Start.Byte < b.Subject.Start.Byte
	}
}
