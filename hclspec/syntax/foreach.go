// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"slices"
	"strconv"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// instance is one element of a for_each.
type instance struct {
	key   string
	value cty.Value
}

// loop is an evaluated for_each: its instances in the natural order of their
// keys. ok is false if the evaluation failed.
type loop struct {
	instances []*instance
	ok        bool
}

func instanceLabel(label, key string) string { return label + "[" + strconv.Quote(key) + "]" }

func hasForEach(b *hcl.Block) bool { return forEach(b) != nil }

// forEach returns nil for a block without for_each.
func forEach(b *hcl.Block) *hcl.Attribute {
	schema := &hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: "for_each"}}}
	content, _, _ := b.Body.PartialContent(schema)
	if content == nil {
		return nil
	}
	return content.Attributes["for_each"]
}

// instances evaluates for_each. Without for_each, the only instance is nil.
func (d *decoder) instances(b *hcl.Block, fr frame) *loop {
	a := forEach(b)
	if a == nil {
		return &loop{instances: []*instance{nil}, ok: true}
	}
	at := a.Expr.Range()
	value, ok := d.scope.evaluate(a.Expr, fr)
	if !ok {
		return &loop{}
	}
	plain, marks := value.Unmark()
	typ := plain.Type()
	switch {
	case len(marks) > 0:
		d.report(InvalidForEach.At(at, "for_each must not depend on a secret, whose value is known only where the job runs."))
	case !plain.IsKnown(): // a separate diagnostic reports the variable that has no value
	case plain.IsNull():
		d.report(InvalidForEach.At(at, "for_each is null. To create no instances, use an empty map, { }."))
	case typ.IsTupleType() || typ.IsListType():
		d.report(InvalidForEach.At(at, "for_each must be a map or a set of strings, but it is a list. Convert the list to a set with toset()."))
	case !typ.IsMapType() && !typ.IsObjectType() && !(typ.IsSetType() && (typ.ElementType() == cty.String || plain.LengthInt() == 0)):
		d.report(InvalidForEach.At(at, "for_each must be a map or a set of strings, but it is %s.", describe(plain)))
	default:
		return d.elements(plain, at)
	}
	return &loop{}
}

func (d *decoder) elements(v cty.Value, at hcl.Range) *loop {
	all := &loop{ok: true}
	isSet := v.Type().IsSetType()
	for it := v.ElementIterator(); it.Next(); {
		key, value := it.Element()
		if isSet {
			key = value
			if !value.IsMarked() && !value.IsKnown() {
				return &loop{} // a separate diagnostic reports the cause
			}
			if value.IsMarked() || value.IsNull() {
				d.report(InvalidForEach.At(at, "A for_each key must not be null or depend on a secret."))
				return &loop{}
			}
		}
		if key.AsString() == "" {
			d.report(InvalidForEach.At(at, "A for_each key must not be an empty string."))
			return &loop{}
		}
		all.instances = append(all.instances, &instance{key.AsString(), value})
	}
	slices.SortFunc(all.instances, func(a, b *instance) int { return hclspec.CompareNatural(a.key, b.key) })
	return all
}
