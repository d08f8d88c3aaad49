package view

import (
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// fields shows what differs, list by list and field by field.
func (t *text) fields(depth int, c *planner.Change) {
	groups := grouped(c.Fields)
	for _, g := range groups {
		t.line(depth, t.marked(g.symbol, g.symbol+" "+clean(string(g.path)))+g.inline+t.dim(consequence(c, g.effect)))
		for _, l := range g.lines {
			t.line(depth+2, t.marked(l.symbol, l.symbol+" "+l.text))
		}
	}
	if len(groups) > 0 {
		t.blank()
	}
}

// consequence marks the fields that force a replacement, so that the one to
// undo is found.
func consequence(c *planner.Change, e hclspec.Effect) string {
	if c.Action == planner.Replace && e == hclspec.EffectReplace {
		return "  # replaces the job"
	}
	return ""
}
