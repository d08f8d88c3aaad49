package shape

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// hasDefinition reports whether the object refers to a resource.
func (o *Object) hasDefinition() bool {
	return slices.ContainsFunc(o.Attributes, func(a *Attribute) bool { return a.definition })
}

// written returns the value of an attribute and its name, which are those of the
// definition where that is written instead. A reference that has both or
// neither is reported.
func (d *Decoder) written(a *Attribute, values map[string]tftypes.Value, at hclspec.Path) (v tftypes.Value, name string) {
	v, name = values[a.Name], a.Name
	if !a.definition {
		return v, name
	}
	other := values[definitionName]
	switch {
	case !v.IsNull() && !other.IsNull():
		d.report(hclspec.ValueNotAllowed, at, "%s and %s are both written. Remove one of them.", a.Name, definitionName)
	case v.IsNull() && other.IsNull():
		d.report(hclspec.MissingArgument, at, "This reference needs the attribute %s. %s", a.Name, a.Field.Doc)
	case v.IsNull():
		return other, definitionName
	}
	return v, name
}
