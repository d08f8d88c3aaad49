package view

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

type diagnosticsReport struct {
	FormatVersion string           `json:"format_version"`
	Valid         bool             `json:"valid"` // no errors
	Errors        int              `json:"errors"`
	Warnings      int              `json:"warnings"`
	Diagnostics   []diagnosticJSON `json:"findings"`
}

type diagnosticJSON struct {
	Severity string `json:"severity"` // "error" or "warning"
	// Code is that of the catalog, absent for mistakes of syntax.
	Code    string     `json:"code,omitempty"`
	Summary string     `json:"summary"`
	Detail  string     `json:"detail"`
	Range   *rangeJSON `json:"range,omitempty"`
}

type rangeJSON struct {
	Filename string  `json:"filename"`
	Start    posJSON `json:"start"`
	End      posJSON `json:"end"`
}

// posJSON counts lines and columns from 1 and bytes from 0.
type posJSON struct {
	Line   int `json:"line"`
	Column int `json:"column"`
	Byte   int `json:"byte"`
}

// DiagnosticsJSON shows diagnostics to a program.
func DiagnosticsJSON(diags hcl.Diagnostics) ([]byte, error) {
	out := diagnosticsReport{FormatVersion: FormatVersion, Valid: !diags.HasErrors(), Diagnostics: toDiagnosticsJSON(diags)}
	for _, f := range out.Diagnostics {
		if f.Severity == "error" {
			out.Errors++
		} else {
			out.Warnings++
		}
	}
	return indented(out)
}

func toDiagnosticsJSON(diags hcl.Diagnostics) []diagnosticJSON {
	all := make([]diagnosticJSON, len(diags))
	for i, d := range hclspec.Phrased(diags, Phrase) {
		all[i] = diagnosticJSON{Severity: severityName(d), Code: hclspec.Code(d), Summary: d.Summary, Detail: d.Detail}
		if r := d.Subject; r != nil {
			all[i].Range = &rangeJSON{r.Filename, posJSON(r.Start), posJSON(r.End)}
		}
	}
	return all
}

func severityName(d *hcl.Diagnostic) string {
	if d.Severity == hcl.DiagWarning {
		return "warning"
	}
	return "error"
}
