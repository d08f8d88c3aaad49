// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// TestAJobListsTheItemsThatItUses resolves a job that uses items in every field that
// accepts items.
func TestAJobListsTheItemsThatItUses(t *testing.T) {
	t.Parallel()
	item := func(kind, name string) *Item {
		return &Item{
			Definition: &hclspec.Prerequisite{Type: kind, Name: name, Title: "The " + name, URI: []string{"example.org/" + name}},
			Address:    "marketplace://" + kind + "/" + name + "?from=team", Used: UsedItem{Marketplace: "team", Version: "1"},
		}
	}
	items := shelf{
		"marketplace://image": item("dockerimage", "image"), "marketplace://data": item("data", "data"),
		"marketplace://output": item("output", "output"), "marketplace://script": item("script", "script"),
		"marketplace://listed": item("script", "listed"), "marketplace://unused": item("script", "unused"),
	}
	job := &hclspec.Job{Label: "j", Name: "j", Syntax: hclspec.SyntaxHCL, TaskRoles: []*hclspec.TaskRole{{
		Name: "w", Instances: 1, Commands: []string{"true"},
		Image: hclspec.Reference{Target: "marketplace://image"}, Data: hclspec.Reference{Target: "marketplace://data"},
		Output: hclspec.Reference{Target: "marketplace://output"}, Script: hclspec.Reference{Target: "marketplace://script"},
		Prerequisites: []hclspec.Reference{{Target: "marketplace://listed"}},
	}}}
	whole := UsedItem{Address: "https://example.org/job.yaml", Name: "j", Type: "job", Link: "https://example.org/job.yaml"}
	jobs, diags := All(Input{Workspace: &hclspec.Workspace{Jobs: []*hclspec.Job{job}}, User: "alice", Items: items, Item: &whole})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	used := func(kind, name string) UsedItem {
		return UsedItem{Address: "marketplace://" + kind + "/" + name + "?from=team", Name: name, Type: kind, Title: "The " + name, Marketplace: "team", Version: "1"}
	}
	want := []UsedItem{
		whole, used("data", "data"), used("dockerimage", "image"), used("output", "output"), used("script", "listed"), used("script", "script"),
	}
	if diff := cmp.Diff(want, jobs[0].Items); diff != "" {
		t.Errorf("items (-want +got):\n%s", diff)
	}
}
