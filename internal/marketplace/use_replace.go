// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// namedFields lists the task role arguments that accept a single
// prerequisite. kind is the type of the prerequisite.
var namedFields = []struct{ name, kind string }{{"image", "dockerimage"}, {"data", "data"}, {"script", "script"}, {"output", "output"}}

// Fields lists the arguments that [Use.Set] accepts.
var Fields = []string{"data", "script", "output"}

// Replace makes a task role use the item instead of the prerequisite at
// address. It replaces each reference to the prerequisite in "prerequisites",
// "image", "data", "script" and "output".
func (u Use) Replace(at RoleOf, src []byte, address string) ([]byte, error) {
	return at.edit(src, func(src []byte, block *hclsyntax.Block) ([]byte, error) {
		places, err := at.places(src, block, address)
		if err != nil {
			return nil, err
		}
		for _, p := range slices.Backward(places) {
			if p.kind != "" && p.kind != u.Type {
				return nil, fmt.Errorf("%s of the task role %q requires an item of type %s, but %s is of type %s", p.field, at.Role, p.kind, u.Address, u.Type)
			}
			src = splice(src, p.expr.Range(), u.element())
		}
		return src, nil
	}, u.missingVariables)
}

// Set sets an argument of a task role, such as data, to the item.
func (u Use) Set(at RoleOf, src []byte, field string) ([]byte, error) {
	if u.Type != field {
		return nil, fmt.Errorf("%s requires an item of type %s, but %s is of type %s", field, field, u.Address, u.Type)
	}
	return at.edit(src, func(src []byte, block *hclsyntax.Block) ([]byte, error) {
		if a := block.Body.Attributes[field]; a != nil {
			return splice(src, a.Expr.Range(), u.element()), nil
		}
		return addLine(src, block, field+" = "+u.element()), nil
	}, u.missingVariables)
}

// place is a reference from a task role to a prerequisite: a list element, or
// an argument for one type.
type place struct {
	field, kind string
	list        *hclsyntax.TupleConsExpr
	index       int
	expr        hclsyntax.Expression
}

// places returns the references to a prerequisite in file order. The address
// may also be an image or an item name.
func (at RoleOf) places(src []byte, block *hclsyntax.Block, address string) ([]place, error) {
	var found []place
	var known []string
	item := address
	if !strings.HasPrefix(address, "prerequisite") && !strings.ContainsAny(address, ".:/") {
		item = Reference{Name: address}.String()
	}
	add := func(p place) {
		text := written(src, p.expr)
		if !slices.Contains(known, text) {
			known = append(known, text)
		}
		if text == address || sameAddress(text, item) {
			found = append(found, p)
		}
	}
	for _, f := range namedFields {
		if a := block.Body.Attributes[f.name]; a != nil {
			add(place{field: f.name, kind: f.kind, expr: a.Expr})
		}
	}
	if a := block.Body.Attributes["prerequisites"]; a != nil {
		list, literal := a.Expr.(*hclsyntax.TupleConsExpr)
		if !literal {
			return nil, fmt.Errorf("\"prerequisites\" in the task role %q is not a literal list; change the expression manually", at.Role)
		}
		for i, e := range list.Exprs {
			add(place{field: "prerequisites", list: list, index: i, expr: e})
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("the task role %q does not refer to %s; it refers to %s.%s", at.Role, address, quoted(known), hclspec.Suggest(address, known))
	}
	slices.SortFunc(found, func(a, b place) int { return a.expr.Range().Start.Byte - b.expr.Range().Start.Byte })
	return found, nil
}

// written returns the address in a reference, a string, or an object with the
// attribute "use".
func written(src []byte, expr hclsyntax.Expression) string {
	if object, ok := expr.(*hclsyntax.ObjectConsExpr); ok {
		for _, item := range object.Items {
			if hcl.ExprAsKeyword(item.KeyExpr) == "use" {
				return written(src, item.ValueExpr)
			}
		}
	}
	text := string(bytes.TrimSpace(expr.Range().SliceBytes(src)))
	if value, diags := expr.Value(nil); !diags.HasErrors() && value.IsKnown() && value.Type().FriendlyName() == "string" && !value.IsNull() {
		text = value.AsString()
	}
	return text
}

// sameAddress reports whether the text in a file refers to the given address.
// prerequisite.data["x"] is the same as prerequisite.data.x. An omitted part of an
// item reference matches any value.
func sameAddress(text, address string) bool {
	if IsReference(text) && IsReference(address) {
		has, err := ParseReference(text)
		asked, wrong := ParseReference(address)
		open := func(asked, has string) bool { return asked == "" || asked == has }
		return err == nil && wrong == nil && has.URL == asked.URL && has.ID == asked.ID && open(asked.Name, has.Name) &&
			open(asked.Type, has.Type) && open(asked.From, has.From) && open(asked.Version, has.Version)
	}
	plain := strings.NewReplacer(`["`, ".", `"]`, "")
	return plain.Replace(text) == plain.Replace(address)
}
