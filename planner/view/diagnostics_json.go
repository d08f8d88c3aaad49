// SPDX-License-Identifier: MPL-2.0

package view

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/message"
)

// DiagnosticsDocument is the JSON output of validate and commands that print
// only errors.
type DiagnosticsDocument struct {
	FormatVersion string       `json:"format_version" doc:"Version of the format: MAJOR.MINOR. A new minor version only adds fields"`
	Valid         bool         `json:"valid" doc:"Whether the configuration has no errors"`
	Errors        int          `json:"errors" doc:"Number of errors"`
	Warnings      int          `json:"warnings" doc:"Number of warnings"`
	Diagnostics   []Diagnostic `json:"diagnostics"`
}

// Diagnostic is an error or a warning in the JSON output.
type Diagnostic struct {
	Severity  Severity          `json:"severity"`
	Code      string            `json:"code,omitempty" doc:"Catalog code; absent for syntax errors and environment errors"`
	Summary   string            `json:"summary"`
	Detail    string            `json:"detail"`
	Range     *Range            `json:"range,omitempty"`
	Instances []hclspec.Address `json:"instances,omitempty" doc:"for_each instances or jobs that the diagnostic applies to, if known"`
}

// Severity is "error" for a diagnostic that stops a command, and "warning"
// otherwise.
type Severity string

// The severities.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
)

// Range is a range in a file.
type Range struct {
	Filename string   `json:"filename"`
	Start    Position `json:"start"`
	End      Position `json:"end"`
}

// Position is a position in a file. Lines and columns start at 1, bytes at 0.
type Position struct {
	Line   int `json:"line" doc:"Counts from 1"`
	Column int `json:"column" doc:"Column in characters, from 1"`
	Byte   int `json:"byte" doc:"Counts from 0"`
}

// NewDiagnosticsDocument returns a document without diagnostics.
func NewDiagnosticsDocument() *DiagnosticsDocument {
	return &DiagnosticsDocument{FormatVersion: FormatVersion, Valid: true, Diagnostics: []Diagnostic{}}
}

// Report adds diagnostics.
func (d *DiagnosticsDocument) Report(diags ...Diagnostic) {
	d.Diagnostics = append(d.Diagnostics, diags...)
	for _, one := range diags {
		if one.Severity == SeverityError {
			d.Errors++
			d.Valid = false
		} else {
			d.Warnings++
		}
	}
}

// NewDiagnostics converts diagnostics for JSON output. phrase returns the text
// for the facts in the diagnostics.
func NewDiagnostics(diags hcl.Diagnostics, phrase message.Phrase) []Diagnostic {
	all := make([]Diagnostic, len(diags))
	for i, d := range hclspec.Phrased(diags, phrase) {
		all[i] = Diagnostic{Severity: Severity(severityName(d)), Code: hclspec.Code(d), Summary: d.Summary, Detail: d.Detail, Instances: hclspec.Instances(d)}
		if r := d.Subject; r != nil {
			all[i].Range = &Range{r.Filename, Position(r.Start), Position(r.End)}
		}
	}
	return all
}

func severityName(d *hcl.Diagnostic) string {
	if d.Severity == hcl.DiagWarning {
		return string(SeverityWarning)
	}
	return string(SeverityError)
}
