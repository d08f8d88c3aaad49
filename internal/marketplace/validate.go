// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/template"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Validate checks the items in one file. It does not fetch required items, and does
// not replace template variables.
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
		if hclspec.Code(d) != hclspec.ItemsNotInitialized.Code {
			diags = append(diags, d)
		}
	}
	diags = append(diags, secrets(items)...)
	return hclspec.Sort(append(diags, references(items)...))
}

// secrets reports plaintext secret values, which all users of a marketplace could
// read. A diagnostic contains the position of the declaration, not of the value.
// Front ends print the source line, and the line of the value would reveal the
// secret.
func secrets(items []*Item) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, i := range items {
		images := []*hclspec.Prerequisite{i.Prerequisite}
		if i.Job != nil {
			images = i.Job.Prerequisites
			for _, s := range i.Job.Secrets {
				if s.Value != nil && s.Value.Reveal() != "" {
					diags = append(diags, ItemHoldsSecret.At(i.Sources.Range(i.Job.Path.Attr("secret")),
						"The job %s contains the value of its secret %s. Replace the value with \"******\"; the user who runs the job sets the value.", i.Job.Name, s.Name))
				}
			}
		}
		for _, p := range images {
			if p.Auth != nil && p.Auth.Password != "" && len(template.Tags(p.Auth.Password)) == 0 {
				diags = append(diags, ItemHoldsSecret.At(i.Sources.Range(p.Path.Attr("auth")),
					"The image %s contains the password of its registry. Replace the password with a reference to a secret of the job that uses this item.", p.Name))
			}
		}
	}
	return diags
}

// references checks the syntax of references, not their targets.
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
				diags = append(diags, InvalidItemReference.At(i.Sources.Range(r.Path), "%s: %s.", i.Prerequisite.Address(), err))
			}
		}
	}
	return diags
}
