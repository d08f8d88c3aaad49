// SPDX-License-Identifier: MPL-2.0

package view_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

func TestSARIFHasRulesResultsAndLocations(t *testing.T) {
	t.Parallel()
	text, err := view.SARIF(hcl.Diagnostics{
		planner.ShortSecret.At(at("main.pai.hcl", source, "torch"), "Too <short>."),
		planner.ShortSecret.At(at("main.pai.hcl", source, "torch"), "Another one."),
		{Severity: hcl.DiagError, Summary: "Missing newline", Detail: "One is needed.", Subject: &hcl.Range{Filename: "main.pai.hcl"}},
		{Severity: hcl.DiagError, Summary: "No place"},
	}, phrase.Of, "0.1.0", func(file string) string { return "jobs of ada/" + file })
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Version string
					Rules   []struct{ ID, HelpURI string }
				}
			}
			Results []struct {
				RuleID, Level string
				Message       struct{ Text string }
				Locations     []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI, URIBaseID string }
						Region           struct{ StartLine, StartColumn, EndLine, EndColumn int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	run := got.Runs[0]
	if got.Version != "2.1.0" || run.Tool.Driver.Version != "0.1.0" || len(run.Tool.Driver.Rules) != 1 || run.Tool.Driver.Rules[0].ID != "short-secret" {
		t.Errorf("the head is %+v", got)
	}
	var results []string
	for _, r := range run.Results {
		line := r.Level + " " + r.RuleID + " " + r.Message.Text
		for _, l := range r.Locations {
			place, err := json.Marshal(l.PhysicalLocation)
			if err != nil {
				t.Fatal(err)
			}
			line += " " + string(place)
		}
		results = append(results, line)
	}
	const file = `{"ArtifactLocation":{"URI":"jobs%20of%20ada/main.pai.hcl","URIBaseID":"%SRCROOT%"},"Region":`
	want := []string{
		"warning short-secret Secret too short to be masked: Too <short>. " + file + `{"StartLine":2,"StartColumn":10,"EndLine":2,"EndColumn":15}}`,
		"warning short-secret Secret too short to be masked: Another one. " + file + `{"StartLine":2,"StartColumn":10,"EndLine":2,"EndColumn":15}}`,
		"error  Missing newline: One is needed. " + file + `{"StartLine":1,"StartColumn":1,"EndLine":1,"EndColumn":1}}`,
		"error  No place",
	}
	if diff := cmp.Diff(want, results); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
}
