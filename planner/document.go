// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// document is the saved form of a plan. It contains the data that views and
// comparisons of plans need. It does not contain manifests, because apply
// renders the manifests again. Only the openpai version that wrote a document
// can read it.
type document struct {
	Workspace string
	Targets   []hclspec.Address
	Changes   []documentChange
	Sums      []Sum
	Inputs    Inputs
	Quotas    []QuotaUse     `json:",omitempty"`
	Policies  []PolicyResult `json:",omitempty"`
	Warnings  []documentWarning
}

// documentChange is a change without its manifest.
type documentChange struct {
	*Change
	Manifest *struct{} `json:",omitempty"` // replaces the field of the embedded Change
}

type documentWarning struct {
	Code, Summary, Detail string
	Subject               *hcl.Range
}

// Encode returns the saved form of the plan, without secret values. Identical
// plans produce identical bytes. Callers must not save offline plans or plans
// with errors.
func (p *Plan) Encode() ([]byte, error) {
	d := document{Workspace: p.Workspace, Targets: p.Targets, Sums: p.Sums, Inputs: p.Inputs, Quotas: p.Quotas, Policies: p.Policies}
	for _, c := range p.Changes {
		d.Changes = append(d.Changes, documentChange{Change: c})
	}
	for _, w := range p.Diagnostics {
		d.Warnings = append(d.Warnings, documentWarning{hclspec.Code(w), w.Summary, w.Detail, w.Subject})
	}
	text, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("encode the plan: %w", err)
	}
	return text, nil
}

// DecodePlan decodes the result of [Plan.Encode]. Callers can show and compare
// the plan but cannot apply it, because it has no manifests.
func DecodePlan(text []byte) (*Plan, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber() // preserves the spelling of numbers in field values
	var d document
	if err := decoder.Decode(&d); err != nil {
		return nil, fmt.Errorf("decode the plan: %w", err)
	}
	p := &Plan{Workspace: d.Workspace, Targets: d.Targets, Sums: d.Sums, Inputs: d.Inputs, Quotas: d.Quotas, Policies: d.Policies}
	for _, c := range d.Changes {
		if c.Change == nil {
			return nil, fmt.Errorf("decode the plan: a change is missing")
		}
		if c.Job != nil {
			restoreNumbers(c.Job)
		}
		p.Changes = append(p.Changes, c.Change)
	}
	for _, w := range d.Warnings {
		p.Diagnostics = append(p.Diagnostics, hclspec.Restore(w.Code, &hcl.Diagnostic{
			Severity: hcl.DiagWarning, Summary: w.Summary, Detail: w.Detail, Subject: w.Subject,
		}))
	}
	return p, nil
}
