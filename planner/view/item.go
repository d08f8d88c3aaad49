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

// item is a marketplace item that jobs started by apply use.
type item struct{ Name, Title, Source, Link string }

// itemsOf returns the items of a plan, each once.
func itemsOf(p *planner.Plan) []item {
	var all []item
	for _, c := range p.Changes {
		if c.Job == nil || c.Action != planner.Create && c.Action != planner.Replace {
			continue
		}
		for _, role := range c.Job.TaskRoles {
			for _, s := range role.Steps {
				if s.Source == "" {
					continue
				}
				i := item{Name: clean(s.Name), Title: clean(cmp.Or(s.Title, s.Name)), Source: clean(s.Source), Link: webLink(s.Link)}
				if !slices.Contains(all, i) {
					all = append(all, i)
				}
			}
		}
	}
	return all
}

// webLink returns a URL that a document may link to, or "".
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
