// SPDX-License-Identifier: MPL-2.0

package view

import (
	"net/url"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/message"
)

// The format is SARIF 2.1.0:
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
const (
	sarifVersion = "2.1.0"
	sarifSchema  = "https://json.schemastore.org/sarif-2.1.0.json"
	// errorsPage documents all codes of the catalog.
	errorsPage = "https://github.com/openpai/terraform-provider-openpai/blob/main/docs/guides/errors.md"
)

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool       sarifTool     `json:"tool"`
	ColumnKind string        `json:"columnKind"`
	Results    []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	Version        string      `json:"version,omitempty"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string    `json:"id"`
	ShortDescription sarifText `json:"shortDescription"`
	Help             sarifText `json:"help"`
	HelpURI          string    `json:"helpUri"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID    string          `json:"ruleId,omitempty"`
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations,omitempty"`
}

type sarifLocation struct {
	PhysicalLocation sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	ArtifactLocation sarifArtifact `json:"artifactLocation"`
	Region           sarifRegion   `json:"region"`
}

type sarifArtifact struct {
	URI       string `json:"uri"`
	URIBaseID string `json:"uriBaseId"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
	EndLine     int `json:"endLine"`
	EndColumn   int `json:"endColumn"`
}

// SARIF converts diagnostics for code scanners. phrase returns the text for
// the facts in the diagnostics. place returns a file's path relative to the
// repository root, with slashes as separators.
func SARIF(diags hcl.Diagnostics, phrase message.Phrase, version string, place func(file string) string) ([]byte, error) {
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{"openpai", version, "https://github.com/openpai/terraform-provider-openpai", []sarifRule{}}},
		ColumnKind: "unicodeCodePoints", Results: []sarifResult{},
	}
	for _, d := range hclspec.Phrased(diags, phrase) {
		result := sarifResult{RuleID: hclspec.Code(d), Level: severityName(d), Message: sarifText{sentences(d)}}
		if r := d.Subject; r != nil {
			result.Locations = []sarifLocation{{sarifPhysical{
				sarifArtifact{(&url.URL{Path: place(r.Filename)}).EscapedPath(), "%SRCROOT%"}, sarifRegionOf(*r),
			}}}
		}
		run.Results = append(run.Results, result)
		if e := hclspec.EntryOf(d); e != nil && !slices.ContainsFunc(run.Tool.Driver.Rules, func(r sarifRule) bool { return r.ID == e.Code }) {
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{e.Code, sarifText{e.Summary}, sarifText{e.Advice}, errorsPage + "#" + e.Code})
		}
	}
	return indented(sarifLog{sarifSchema, sarifVersion, []sarifRun{run}})
}

// sarifRegionOf converts a range to a region. The end of a region is
// exclusive. SARIF counts from 1. A diagnostic for a whole file has no
// position; it is reported at line 1, column 1.
func sarifRegionOf(r hcl.Range) sarifRegion {
	return sarifRegion{max(r.Start.Line, 1), max(r.Start.Column, 1), max(r.End.Line, r.Start.Line, 1), max(r.End.Column, 1)}
}

func sentences(d *hcl.Diagnostic) string {
	if d.Detail == "" {
		return d.Summary
	}
	return d.Summary + ": " + d.Detail
}
