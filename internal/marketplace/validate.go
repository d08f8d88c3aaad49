package marketplace

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Validate checks the items of one file as far as it can be said without
// values for template variables and without fetching what they require.
func Validate(items []*Item) hcl.Diagnostics {
	ws := &hclspec.Workspace{Name: "items", Sources: hclspec.SourceMap{}}
	for _, i := range items {
		ws.Sources.Merge(i.Sources)
		if i.Job != nil {
			ws.Jobs = append(ws.Jobs, i.Job)
			continue
		}
		ws.Prerequisites = append(ws.Prerequisites, i.Prerequisite)
	}
	diags := hclspec.Validate(ws)
	_, more := resolve.All(resolve.Input{Workspace: ws, User: "user"})
	for _, d := range more {
		if hclspec.Code(d) != hclspec.ItemsNotInitialised.Code {
			diags = append(diags, d)
		}
	}
	return hclspec.Sort(append(diags, references(items)...))
}

// references checks the spelling of what the items refer to.
func references(items []*Item) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, i := range items {
		if i.Prerequisite == nil {
			continue
		}
		for _, r := range i.Prerequisite.Require {
			if !IsReference(r.Target) {
				continue
			}
			if _, err := ParseReference(r.Target); err != nil {
				diags = append(diags, hclspec.InvalidItemReference.At(i.Sources.Range(r.Path), "%s: %s.", i.Prerequisite.Address(), err))
			}
		}
	}
	return diags
}
