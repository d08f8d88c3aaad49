// SPDX-License-Identifier: MPL-2.0

package shape

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Form is the Terraform form of a field.
type Form int

// The values of Form.
const (
	String       Form = iota // string
	Bool                     // bool
	Integer                  // number
	StringList               // list of strings
	StringMap                // map of strings
	IntegerMap               // map of numbers
	DynamicValue             // a value of any type
	JSON                     // a string that contains JSON
	Single                   // one nested object
	List                     // a list of nested objects
	Map                      // a map of nested objects
)

// describe returns a phrase for a value of the form, such as "a list of
// strings".
func (f Form) describe() string {
	return [...]string{
		"a string", "a bool", "a number", "a list of strings", "a map of strings", "a map of numbers",
		"a value of any type", "JSON", "an object", "a list of objects", "a map of objects",
	}[f]
}

// Object is a block of the field table in its Terraform form.
type Object struct {
	Block      *hclspec.Block
	Attributes []*Attribute
	byName     map[string]*Attribute
	typ        tftypes.Object
	outputs    []string // see Open
}

// Attribute is one field of an object.
type Attribute struct {
	Name  string
	Field *hclspec.Field
	Form  Form
	// Object describes the nested objects of the forms Single, List and Map.
	Object *Object
	// Key is the Go field for the key of an object in a Map.
	Key string
	// Open reports whether the schema accepts any type for this attribute; see
	// open.go.
	Open bool
	// Order is the name of an additional list attribute that contains the
	// ordered keys of a Map. It is "" if the order does not matter.
	Order string
	// isReference reports whether the string refers to a prerequisite or storage.
	isReference bool
	// definition reports whether the attribute "definition" can be set
	// instead of this attribute. If so, a list element can be a whole
	// resource.
	definition bool
	// sameReference reports whether two references have the same meaning.
	// [Object.Compare] sets it.
	sameReference func(x, y string) bool
}

// definitionName is the output attribute that other resources use to refer to a
// resource.
const definitionName = "definition"

// New derives the form of a block. The parameter omit contains the fields to
// omit: names in this block, or paths such as "secret.value". A collection
// cannot contain dynamically typed values, so its free-form values are JSON
// strings.
func New(b *hclspec.Block, inCollection bool, omit ...string) *Object {
	return build(b, inCollection, "", "", omit)
}

func build(b *hclspec.Block, inCollection bool, key, prefix string, omit []string) *Object {
	o := &Object{Block: b, byName: map[string]*Attribute{}}
	types := map[string]tftypes.Type{}
	for i := range b.Fields {
		f := &b.Fields[i]
		if f.Go == "" || f.Go == key || slices.Contains(omit, prefix+f.Name) {
			continue
		}
		a := attribute(f, inCollection, prefix, omit)
		o.Attributes = append(o.Attributes, a)
		o.byName[a.Name] = a
		types[a.Name] = a.Type()
		if a.Order != "" {
			types[a.Order] = tftypes.List{ElementType: tftypes.String}
		}
		if a.definition {
			types[definitionName] = tftypes.String
		}
	}
	o.typ = tftypes.Object{AttributeTypes: types}
	return o
}

// Prefixed returns the object with a prefix on each attribute name. The
// attributes can then be added to another object.
func (o *Object) Prefixed(prefix string) *Object {
	out := &Object{Block: o.Block, byName: map[string]*Attribute{}}
	types := map[string]tftypes.Type{}
	for _, a := range o.Attributes {
		b := *a
		b.Name = prefix + a.Name
		out.Attributes = append(out.Attributes, &b)
		out.byName[b.Name], types[b.Name] = &b, b.Type()
	}
	out.typ = tftypes.Object{AttributeTypes: types}
	return out
}

// Type returns the Terraform type of the object.
func (o *Object) Type() tftypes.Object { return o.typ }

// Attribute returns the attribute with the given name, or nil if it does not
// exist.
func (o *Object) Attribute(name string) *Attribute { return o.byName[name] }

func attribute(f *hclspec.Field, inCollection bool, prefix string, omit []string) *Attribute {
	a := &Attribute{Name: f.Name, Field: f, Form: form(f, inCollection)}
	a.definition = slices.Contains(definable, f)
	a.isReference = a.definition || f.Kind == hclspec.Ref
	block := f.Block
	switch f.Kind {
	case hclspec.Refs:
		block = referenceBlock
	case hclspec.StorageUses:
		block = storageUseBlock
	}
	if block == nil {
		return a
	}
	if f.Kind == hclspec.Objects {
		a.Name = f.PluralName()
		a.Key = mapKey(block)
		if a.Key != "" {
			a.Form = Map
		}
		if block.Ordered {
			a.Order = f.Name + "_order"
		}
	}
	a.Object = build(block, inCollection || a.Form != Single, a.Key, prefix+f.Name+".", omit)
	return a
}

func form(f *hclspec.Field, inCollection bool) Form {
	switch f.Kind {
	case hclspec.Bool, hclspec.OptionalBool:
		return Bool
	case hclspec.Int, hclspec.OptionalInt:
		return Integer
	case hclspec.Strings, hclspec.OneOrMore:
		return StringList
	case hclspec.StringMap:
		return StringMap
	case hclspec.IntMap:
		return IntegerMap
	case hclspec.Any, hclspec.AnyList, hclspec.AnyMap:
		if inCollection {
			return JSON
		}
		return DynamicValue
	case hclspec.Object, hclspec.OptionalObject:
		return Single
	case hclspec.Objects, hclspec.Refs, hclspec.StorageUses:
		return List
	default:
		return String
	}
}

// mapKey returns the Go field that provides the map key for a block's
// objects. It returns "" if the objects form a list: the block does not have
// exactly one label, or several objects may have the same label.
func mapKey(b *hclspec.Block) string {
	if len(b.Labels) != 1 || b.Repeatable {
		return ""
	}
	return b.Labels[0]
}

// Type returns the Terraform type of the attribute.
func (a *Attribute) Type() tftypes.Type {
	if a.Open {
		return tftypes.DynamicPseudoType
	}
	switch a.Form {
	case Bool:
		return tftypes.Bool
	case Integer:
		return tftypes.Number
	case StringList:
		return tftypes.List{ElementType: tftypes.String}
	case StringMap:
		return tftypes.Map{ElementType: tftypes.String}
	case IntegerMap:
		return tftypes.Map{ElementType: tftypes.Number}
	case DynamicValue:
		return tftypes.DynamicPseudoType
	case Single:
		return a.Object.typ
	case List:
		return tftypes.List{ElementType: a.Object.typ}
	case Map:
		return tftypes.Map{ElementType: a.Object.typ}
	}
	return tftypes.String
}

// Required reports whether the attribute must be set.
func (a *Attribute) Required() bool { return a.Field.Required && !a.definition }
