// SPDX-License-Identifier: MPL-2.0

package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// htmlPlan contains a plan's data for the page. Its strings are cleaned, and
// the template escapes them.
type htmlPlan struct {
	Title, Limited, Summary string
	// Refused is true if an error or a policy prevents apply.
	Refused     bool
	Counts      []htmlCount
	Diagnostics []htmlDiagnostic
	Groups      []htmlGroup
	Sums        []htmlSum
	Notes       []string // about the sums
	Policies    []htmlPolicy
	Items       []item
	Remarks     []string // remarks about changes that the plan leaves to other tools
	Graph       htmlGraph
}

// htmlCount is the number of jobs with a given action.
type htmlCount struct {
	Class, Label string
	Number       int
}

// htmlDiagnostic is an error or a warning.
type htmlDiagnostic struct {
	Class, Severity, Summary, Code, Place string
	Sentences                             []string
}

// htmlSum contains the resource usage of the jobs on one kind of machine.
type htmlSum struct {
	Place  string
	Usages []string
}

type htmlPolicy struct{ Class, Name, Directory, Result string }

func newHTMLPlan(p *planner.Plan, phrase message.Phrase) *htmlPlan {
	groups := p.Groups()
	out := &htmlPlan{
		Title: title(p), Summary: Summary(p, phrase), Refused: p.Diagnostics.HasErrors(),
		Counts: htmlCounts(count(p)), Diagnostics: htmlDiagnostics(hclspec.Phrased(p.Diagnostics, phrase)), Groups: htmlGroups(groups, phrase),
		Policies: htmlPolicies(p), Items: itemsOf(p), Remarks: htmlRemarks(p), Graph: newHTMLGraph(groups),
	}
	if len(p.Targets) > 0 {
		out.Limited = "limited to " + allJobs(p.Targets)
	}
	if !p.Empty() {
		for _, s := range known(p.Sums) {
			out.Sums = append(out.Sums, htmlSum{clean(sumPlace(s)), arrows(sumUsages(s, p.Offline))})
		}
		out.Notes = planNotes(p)
	}
	return out
}

// arrows replaces -> with a typographic arrow.
func arrows(usages []string) []string {
	for i, u := range usages {
		usages[i] = strings.ReplaceAll(u, "->", "→")
	}
	return usages
}

// htmlCounts returns the nonzero counts.
func htmlCounts(n counts) []htmlCount {
	var all []htmlCount
	for _, c := range []htmlCount{
		{"create", "to create", n.create}, {"update", "to change", n.update}, {"replace", "to replace", n.replace},
		{"delete", "to destroy", n.delete}, {"no-op", "to leave unchanged", n.noOp}, {"outdated", "outdated", n.outdated},
	} {
		if c.Number > 0 {
			all = append(all, c)
		}
	}
	return all
}

// htmlDiagnostics returns all errors before the warnings. The warnings are
// grouped by kind. For each kind, one entry represents the warnings that
// exceed the limit.
func htmlDiagnostics(diags hcl.Diagnostics) []htmlDiagnostic {
	warnings, more, errors := alike(foldInstances(diags), maxAlike)
	var all []htmlDiagnostic
	for _, f := range errors {
		all = append(all, newHTMLDiagnostic(f))
	}
	for len(warnings) > 0 {
		code := hclspec.Code(warnings[0].Diagnostic)
		for _, f := range warnings {
			if hclspec.Code(f.Diagnostic) == code {
				all = append(all, newHTMLDiagnostic(f))
			}
		}
		for _, m := range more {
			if m.code == code {
				all = append(all, newHTMLOmitted(m))
			}
		}
		warnings = slices.DeleteFunc(warnings, func(f *folded) bool { return hclspec.Code(f.Diagnostic) == code })
	}
	return all
}

// newHTMLOmitted returns the entry for the omitted warnings of one kind.
func newHTMLOmitted(m *omitted) htmlDiagnostic {
	d := htmlDiagnostic{
		Class: "warning", Severity: string(SeverityWarning), Code: m.code,
		Summary: fmt.Sprintf("%d more of this kind: %s", len(m.warnings), clean(m.summary)),
	}
	for _, f := range m.warnings {
		other := newHTMLDiagnostic(f)
		if other.Place != "" {
			d.Sentences = append(d.Sentences, "At "+other.Place+":")
		}
		d.Sentences = append(d.Sentences, other.Sentences...)
	}
	return d
}

func newHTMLDiagnostic(f *folded) htmlDiagnostic {
	d := htmlDiagnostic{
		Class: "warning", Severity: severityName(f.Diagnostic), Summary: clean(f.Summary), Code: hclspec.Code(f.Diagnostic),
		Sentences: append(lines(f.Detail), f.instances()...),
	}
	if f.Severity == hcl.DiagError {
		d.Class = "error"
	}
	for _, detail := range f.details {
		d.Sentences = append(d.Sentences, lines(detail)...)
	}
	if f.Subject != nil {
		d.Place = clean(place(*f.Subject))
	}
	return d
}

func htmlPolicies(p *planner.Plan) []htmlPolicy {
	var all []htmlPolicy
	for _, r := range p.Policies {
		shown := htmlPolicy{Class: "passed", Name: clean(r.Name), Directory: clean(r.Directory), Result: "passed, " + quantity.Count(r.Checked, "value") + " checked"}
		switch {
		case r.Denies():
			shown.Class, shown.Result = "error", "denied by "+clean(verdict(r))
		case r.Violations > 0:
			shown.Class, shown.Result = "warning", "warning of "+clean(verdict(r))
		}
		all = append(all, shown)
	}
	return all
}

// htmlRemarks returns remarks about jobs that Terraform declares and about
// the other changes in a Terraform plan.
func htmlRemarks(p *planner.Plan) []string {
	var all []string
	if others := elsewhere(p); others != "" {
		all = append(all, clean(others))
	}
	if !p.Others.Any() {
		return all
	}
	for _, s := range p.Others.Storages {
		text := string(s.Action) + " " + clean(s.Address.String())
		if s.Destroys {
			text += ": " + dataDeleted
		}
		all = append(all, text)
	}
	if counts := otherCounts(p.Others); counts != "" {
		all = append(all, counts)
	}
	return all
}
