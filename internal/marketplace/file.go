// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// AddFile parses a file from a source and adds its items to the listing. If the
// file cannot be parsed, AddFile adds a problem instead. name is the file name in
// diagnostics. Its extension determines the syntax. The item IDs begin with name,
// without the extension. place is the exact address of the file.
func (l *Listing) AddFile(name, place string, src []byte) {
	items, diags := ParseFile(name, src)
	if diags.HasErrors() {
		l.Problems = append(l.Problems, notParseable(name, diags))
		return
	}
	for _, i := range items {
		i.ID, i.Place = stem(name), place
		if len(items) > 1 {
			i.ID += "/" + i.Definition()
			i.Place += "#" + i.Definition()
		}
	}
	l.Items = append(l.Items, items...)
}

// notParseable returns an error with the first error diagnostic of a file.
func notParseable(name string, diags hcl.Diagnostics) *Error {
	for _, d := range diags {
		if d.Severity != hcl.DiagError {
			continue
		}
		where := name
		if d.Subject != nil {
			where = d.Subject.String()
		}
		return failure(hclspec.ItemNotParseable, "%s: %s", where, d.Detail)
	}
	return failure(hclspec.ItemNotParseable, "%s cannot be read", name)
}
