// SPDX-License-Identifier: MPL-2.0

package shape

import (
	"reflect"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// In the HCL files of the openpai CLI, a list of prerequisites or storages
// can contain both names and objects. In Terraform, it is a list of objects,
// because all elements of a list have the same type. A whole resource can
// also be converted to that type: Terraform drops the attributes that the
// type does not have and keeps the definition.

var referenceBlock = &hclspec.Block{
	Name: "reference", Type: reflect.TypeFor[hclspec.Reference](),
	Fields: []hclspec.Field{
		{Name: "use", Go: "Target", Kind: hclspec.String, Required: true, Doc: "The `definition` of an openpai_prerequisite or openpai_marketplace_item, or the name or `id` of a prerequisite of this job."},
		{Name: "with", Go: "With", Kind: hclspec.StringMap, Doc: "Values for the template variables of the prerequisite."},
	},
}

var storageUseBlock = &hclspec.Block{
	Name: "storage", Type: reflect.TypeFor[hclspec.StorageUse](),
	Fields: []hclspec.Field{
		{Name: "use", Go: "Name", Kind: hclspec.String, Required: true, Doc: "The `definition` of an openpai_storage, or the name or `id` of a storage that this job uses elsewhere. For an existing claim, declare an openpai_storage with `claim`."},
		{Name: "mount_path", Go: "MountPath", Kind: hclspec.String, Doc: "Mount path; defaults to /mnt/ followed by the name of the storage."},
		{Name: "read_only", Go: "ReadOnly", Kind: hclspec.Bool, Doc: "Whether to mount the storage read-only."},
	},
}

// definable lists the fields that the attribute "definition" can replace.
var definable = []*hclspec.Field{&referenceBlock.Fields[0], &storageUseBlock.Fields[0]}

// hasDefinition reports whether the object refers to a resource.
func (o *Object) hasDefinition() bool {
	return slices.ContainsFunc(o.Attributes, func(a *Attribute) bool { return a.definition })
}

// written returns the value and name of the given attribute, or of "definition" if
// that attribute is set instead. It reports a reference with both attributes or
// with neither.
func (d *Decoder) written(a *Attribute, values map[string]tftypes.Value, at hclspec.Path) (v tftypes.Value, name string) {
	v, name = values[a.Name], a.Name
	if !a.definition {
		return v, name
	}
	other := values[definitionName]
	switch {
	case !v.IsNull() && !other.IsNull():
		d.report(hclspec.ValueNotAllowed, at, "%s and %s are both set. Remove one of them.", a.Name, definitionName)
	case v.IsNull() && other.IsNull():
		d.report(hclspec.MissingArgument, at, "This reference requires the attribute %s. %s", a.Name, a.Field.Doc)
	case v.IsNull():
		return other, definitionName
	}
	return v, name
}
