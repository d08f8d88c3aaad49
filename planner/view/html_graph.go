// SPDX-License-Identifier: MPL-2.0

package view

import (
	"fmt"
	"html/template"

	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// maxDrawn is the maximum number of nodes in the graph of a page. A larger
// graph is not readable.
const maxDrawn = 150

// htmlGraph is the drawing of the jobs.
type htmlGraph struct {
	SVG  template.HTML
	Note string // remark if some jobs are not drawn
}

// newHTMLGraph draws the first job of each group, up to maxDrawn nodes.
// Created and replaced jobs take precedence.
func newHTMLGraph(groups []planner.Group) htmlGraph {
	jobs, all := drawnFirst(groups)
	if all == 0 {
		return htmlGraph{}
	}
	g := htmlGraph{}
	if len(jobs) > 0 {
		g.SVG = template.HTML(SVG(jobs)) //nolint:gosec // SVG escapes every text
	}
	switch {
	case len(jobs) == 0:
		g.Note = "The graph is omitted: it is too large to be readable."
	case len(jobs) < all:
		g.Note = fmt.Sprintf("The graph shows %d of %s, at most one per group.", len(jobs), quantity.Count(all, "job"))
	}
	return g
}

// drawnFirst returns the jobs that fit in maxDrawn, and the number of jobs with
// a graph.
func drawnFirst(groups []planner.Group) (drawn []*resolve.Job, all int) {
	size := 0
	for _, starts := range []bool{true, false} {
		for _, g := range groups {
			c := g.Members[0].Change
			if c.Job == nil || starts != (c.Action == planner.Create || c.Action == planner.Replace) {
				continue
			}
			for _, m := range g.Members {
				if m.Change.Job != nil {
					all++
				}
			}
			if size += nodesOf(c.Job); size <= maxDrawn {
				drawn = append(drawn, c.Job)
			}
		}
	}
	return drawn, all
}

func nodesOf(job *resolve.Job) int {
	n := 1
	for _, role := range job.TaskRoles {
		n += 2 + len(role.Steps) + len(role.Mounts)
	}
	return n
}
