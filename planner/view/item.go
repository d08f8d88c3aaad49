// SPDX-License-Identifier: MPL-2.0

package view

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/planner"
)

// item is a marketplace item used by at least one job that apply starts.
type item struct {
	Name, Title, Source, Link string
	address                   string
}

// itemsOf returns the distinct items of created and replaced jobs.
func itemsOf(p *planner.Plan) []item {
	var all []item
	for _, c := range p.Changes {
		if c.Job == nil || c.Action != planner.Create && c.Action != planner.Replace {
			continue
		}
		for _, u := range c.Job.Items {
			i := item{Name: clean(u.Name), Title: clean(cmp.Or(u.Title, u.Name)), Source: clean(u.Origin()), Link: webLink(u.Link), address: u.Address}
			if !slices.Contains(all, i) {
				all = append(all, i)
			}
		}
	}
	return all
}

// otherItems returns the items that are not task role steps: whole jobs,
// images, and definitions that only provide values.
func otherItems(p *planner.Plan) []item {
	steps := map[string]bool{}
	for _, c := range p.Changes {
		if c.Job == nil {
			continue
		}
		for _, role := range c.Job.TaskRoles {
			for _, s := range role.Steps {
				address, _, _ := strings.Cut(s.Address, "{") // without the values of template variables
				steps[address] = true
			}
		}
	}
	return slices.DeleteFunc(itemsOf(p), func(i item) bool { return steps[i.address] })
}

func (t *text) items(p *planner.Plan) {
	others := otherItems(p)
	if len(others) == 0 {
		return
	}
	t.line(0, t.bold("Items of marketplaces"))
	for _, i := range others {
		line := i.Name + ": " + i.Source
		if i.Title != i.Name {
			line += ": " + i.Title
		}
		if i.Link != "" {
			line += " (" + i.Link + ")"
		}
		t.line(1, line)
	}
	t.blank()
}

// webLink returns the URL, or "" if a link to the URL is not safe.
func webLink(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || strings.ContainsAny(text, "<>\"'`\\ ()[]|@") || clean(text) != text {
		return ""
	}
	return text
}

// itemPieces returns the items as a Markdown list.
func itemPieces(p *planner.Plan) []*piece {
	var all []*piece
	for _, i := range itemsOf(p) {
		title := inline(i.Title)
		if i.Link != "" {
			title = "[" + title + "](<" + i.Link + ">)"
		}
		all = append(all, &piece{text: fmt.Sprintf("- %s: %s, %s\n", title, code(i.Name), inline(i.Source))})
	}
	return all
}
