// SPDX-License-Identifier: MPL-2.0

package view

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// All views contain the title, version, marketplace and link of an item.
func TestItemsAreInEveryForm(t *testing.T) {
	t.Parallel()
	const address, title, link = "marketplace://script/unpack?from=team", "Unpack an archive", "https://market.example.org/items/7"
	item := resolve.UsedItem{Address: address, Name: "unpack", Type: "script", Marketplace: "team", Version: "1.2", Title: title, Link: link}
	step := &resolve.Step{Address: address + `{mode="fast"}`, Name: "unpack", Type: "script", Source: item.Origin(), Title: title, Link: link}
	whole := resolve.UsedItem{Address: "https://example.org/job.yaml", Name: "mnist", Type: "job", Title: "Train MNIST", Link: "https://example.org/job.yaml"}
	job := &resolve.Job{
		Address: "job.a", Cluster: "gpu", TaskRoles: []*resolve.TaskRole{{Name: "main", Steps: []*resolve.Step{step, step}}}, Items: []resolve.UsedItem{whole, item},
	}
	p := &planner.Plan{Changes: []*planner.Change{{Address: job.Address, Action: planner.Create, Reason: planner.Reason{Code: planner.ReasonAbsent}, Job: job}}}
	var text, markdown, html strings.Builder
	if err := Text(&text, p, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := Markdown(&markdown, p, MarkdownOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := HTML(&html, p, spelled); err != nil {
		t.Fatal(err)
	}
	document, err := JSON(p, spelled)
	if err != nil {
		t.Fatal(err)
	}
	for form, want := range map[string]struct{ in, part string }{
		"text of a job that is an item":     {text.String(), "\nItems of marketplaces\n  mnist: https://example.org/job.yaml: Train MNIST (https://example.org/job.yaml)\n\n"},
		"markdown of a job that is an item": {markdown.String(), "\n- [Train MNIST](<https://example.org/job.yaml>): `mnist`, https://example.org/job.yaml\n"},
		"json of a job that is an item":     {string(document), `"type": "job"`},
		"marketplace and version in json":   {string(document), `"marketplace": "team",`},
		"text":                              {text.String(), "from marketplace team, version 1.2: Unpack an archive (https://market.example.org/items/7)\n"},
		"markdown":                          {markdown.String(), "\n- [Unpack an archive](<https://market.example.org/items/7>): `unpack`, marketplace team, version 1.2\n"},
		"html":                              {html.String(), `<a href="https://market.example.org/items/7" rel="noopener noreferrer">Unpack an archive</a>: <code>unpack</code>, marketplace team, version 1.2<`},
		"json":                              {string(document), `"link": "https://market.example.org/items/7"`},
	} {
		if n := strings.Count(want.in, want.part); n < 1 {
			t.Errorf("%s lacks %q:\n%s", form, want.part, want.in)
		}
	}
}

func TestOnlyPlainWebAddressesAreLinks(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"https://example.org/a?b=c#d":    "https://example.org/a?b=c#d",
		"javascript:alert(1)":            "",
		"https://example.org/>x":         "",
		"https://example.org/\u202eabc":  "",
		"https://user@example.org/":      "",
		"/relative":                      "",
		"https://example.org/)[x](y":     "",
		"data:text/html,<script>":        "",
		"http://example.org/a%20b/c.yml": "http://example.org/a%20b/c.yml",
	}
	got := map[string]string{}
	for text := range tests {
		got[text] = webLink(text)
	}
	if diff := cmp.Diff(tests, got); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
}
