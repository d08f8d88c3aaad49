// SPDX-License-Identifier: MPL-2.0

package shape

import (
	"math/big"
	"reflect"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Decoder decodes values into the model and collects diagnostics.
type Decoder struct {
	Places *Places
	Diags  hcl.Diagnostics
	// Unknown is the list of paths whose values are unknown.
	Unknown []hclspec.Path
	// Target converts a reference to the name to look up. A reference is the
	// target of a Reference or the name of a StorageUse. If Target is nil,
	// references are not converted.
	Target func(text string, at hclspec.Path) string
	// Inline decodes a string that takes the place of an object in an open list. It
	// returns false if the string is invalid. If Inline is nil, all strings are
	// invalid.
	Inline func(text string, at hclspec.Path) bool

	open bool // inside an open attribute
}

// NewDecoder returns a new decoder.
func NewDecoder() *Decoder { return &Decoder{Places: NewPlaces()} }

// NewOpenDecoder returns a decoder for dynamically typed objects. The decoder
// performs the checks that a schema would otherwise perform.
func NewOpenDecoder() *Decoder { return &Decoder{Places: NewPlaces(), open: true} }

// Decode decodes the object v into a struct. The parameter into is a pointer to
// this struct, the parameter at is the path of the object in the model, and the
// parameter where is its path in Terraform.
func (d *Decoder) Decode(o *Object, v tftypes.Value, into any, at hclspec.Path, where path.Path) {
	d.decodeObject(o, v, reflect.ValueOf(into).Elem(), at, where)
}

func (d *Decoder) decodeObject(o *Object, v tftypes.Value, into reflect.Value, at hclspec.Path, where path.Path) {
	d.Places.Put(at, where)
	if f := into.FieldByName("Path"); f.IsValid() && f.Type() == reflect.TypeFor[hclspec.Path]() {
		f.Set(reflect.ValueOf(at))
	}
	if !v.IsKnown() {
		d.Unknown = append(d.Unknown, at)
		o.Block.SetDefaults(into)
		return
	}
	if d.open {
		d.checkNames(o, v, at, where)
	}
	values := members(v)
	for _, a := range o.Attributes {
		v, name := d.written(a, values, at)
		if field := a.Field.In(into); v.IsNull() {
			d.setDefault(a, field)
		} else {
			d.decodeAttribute(a, v, values[a.Order], field, at.Attr(a.Field.Name), where.AtName(name))
		}
	}
}

// members returns the attributes of an object by name, or no attributes if
// the object is null. The map belongs to the value and must not be changed.
func members(v tftypes.Value) map[string]tftypes.Value {
	var values map[string]tftypes.Value
	must(v.As(&values))
	return values
}

// must panics if a value does not have the type that its schema requires.
func must(err error) {
	if err != nil {
		panic("shape: " + err.Error())
	}
}

func (d *Decoder) decodeAttribute(a *Attribute, v, order tftypes.Value, into reflect.Value, at hclspec.Path, where path.Path) {
	if v.IsNull() {
		d.setDefault(a, into)
		return
	}
	if a.Open && !d.open {
		d.open = true
		defer func() { d.open = false }()
	}
	if d.open && v.IsKnown() {
		d.Places.Put(at, where)
		var ok bool
		if v, ok = d.convert(a, v, at); !ok {
			d.setDefault(a, into)
			return
		}
	}
	if a.Form == Single && v.IsKnown() {
		if into.Kind() == reflect.Pointer {
			into.Set(reflect.New(a.Object.Block.Type))
			into = into.Elem()
		}
		d.decodeObject(a.Object, v, into, at, where)
		return
	}
	d.Places.Put(at, where)
	if !v.IsKnown() {
		d.Unknown = append(d.Unknown, at)
		d.setDefault(a, into)
		return
	}
	switch a.Form {
	case List:
		d.decodeList(a, v, into, at, where)
	case Map:
		d.decodeMap(a, v, d.convertOrder(a, order, at), into, at, where)
	default:
		if d.decodeValue(a, v, into, at, where) {
			d.Diags = append(d.Diags, hclspec.CheckField(a.Field, into.Interface(), at, d.Places.Sources)...)
		}
	}
}

func (d *Decoder) setDefault(a *Attribute, into reflect.Value) {
	switch {
	case a.Field.Kind == hclspec.Object:
		a.Field.Block.SetDefaults(into)
	case a.Object == nil:
		a.Field.SetDefault(into)
	}
}

func (d *Decoder) decodeList(a *Attribute, v tftypes.Value, into reflect.Value, at hclspec.Path, where path.Path) {
	var elements []tftypes.Value
	must(v.As(&elements))
	list := reflect.MakeSlice(into.Type(), 0, len(elements))
	elementAt := a.Object.elementPaths(at)
	for i, e := range elements {
		e = d.inlineReference(a.Object, e)
		element := elementAt(e, i)
		if e.IsNull() || d.isInline(e, element, where.AtListIndex(i)) || !d.isElement(a.Object, e, element, where.AtListIndex(i)) {
			continue
		}
		item := reflect.New(a.Object.Block.Type)
		d.decodeObject(a.Object, e, item.Elem(), element, where.AtListIndex(i))
		if a.Object.Block == storageUseBlock && d.isUnknown(element, "use") {
			continue // validation would look up a storage with an empty name
		}
		d.resolveTarget(item.Interface(), element)
		if into.Type().Elem().Kind() != reflect.Pointer {
			item = item.Elem()
		}
		list = reflect.Append(list, item)
	}
	into.Set(list)
}

// isUnknown reports whether a decoded object, or one of its attributes, is
// unknown.
func (d *Decoder) isUnknown(at hclspec.Path, attribute string) bool {
	return slices.Contains(d.Unknown, at) || slices.Contains(d.Unknown, at.Attr(attribute))
}

// elementPaths returns a function that computes the model path of a list
// element. The path contains the element's HCL labels, which are the same in
// every syntax. If the labels are unknown, the path contains the index.
func (o *Object) elementPaths(at hclspec.Path) func(v tftypes.Value, index int) hclspec.Path {
	count := map[hclspec.Path]int{}
	return func(v tftypes.Value, index int) hclspec.Path {
		labels, ok := o.labels(v)
		if !ok {
			return at.Index(index)
		}
		first := at.Element(labels, 0)
		count[first]++
		return at.Element(labels, count[first]-1)
	}
}

// labels returns the HCL labels of a value, or false if the value has no
// labels.
func (o *Object) labels(v tftypes.Value) ([]string, bool) {
	if len(o.Block.Labels) == 0 || v.IsNull() || !v.IsKnown() || !isObject(v) {
		return nil, false
	}
	values := members(v)
	var labels []string
	for _, name := range o.Block.Labels {
		i := slices.IndexFunc(o.Attributes, func(a *Attribute) bool { return a.Field.Go == name })
		if i < 0 {
			return nil, false
		}
		label := values[o.Attributes[i].Name]
		if label.IsNull() || !label.IsKnown() || !label.Type().Is(tftypes.String) {
			return nil, false
		}
		labels = append(labels, stringOf(label))
	}
	return labels, true
}

func (d *Decoder) resolveTarget(item any, at hclspec.Path) {
	if d.Target == nil {
		return
	}
	switch r := item.(type) {
	case *hclspec.Reference:
		if r.Target != "" {
			r.Target = d.Target(r.Target, at)
		}
	case *hclspec.StorageUse:
		if r.Name != "" {
			r.Name = d.Target(r.Name, at)
		}
	}
}

// decodeMap decodes a map into a list. The keys in the companion list come
// first, in list order. Other keys follow, sorted.
func (d *Decoder) decodeMap(a *Attribute, v, order tftypes.Value, into reflect.Value, at hclspec.Path, where path.Path) {
	values := members(v)
	list := reflect.MakeSlice(into.Type(), 0, len(values))
	for _, key := range keysInOrder(values, order) {
		element, place := at.Element([]string{key}, 0), where.AtMapKey(key)
		if !d.isElement(a.Object, values[key], element, place) {
			continue
		}
		item := reflect.New(a.Object.Block.Type)
		item.Elem().FieldByName(a.Key).SetString(key)
		d.decodeObject(a.Object, values[key], item.Elem(), element, place)
		d.checkKey(a, key, element, place)
		list = reflect.Append(list, item)
	}
	into.Set(list)
}

// checkKey checks a map key against the rules of the field that the key sets.
// It does nothing if the field table does not contain the field.
func (d *Decoder) checkKey(a *Attribute, key string, at hclspec.Path, where path.Path) {
	for i := range a.Object.Block.Fields {
		f := &a.Object.Block.Fields[i]
		if f.Go == a.Key {
			d.Places.Put(at.Attr(f.Name), where)
			d.Diags = append(d.Diags, hclspec.CheckField(f, key, at.Attr(f.Name), d.Places.Sources)...)
		}
	}
}

func keysInOrder(values map[string]tftypes.Value, order tftypes.Value) []string {
	var keys []string
	seen := map[string]bool{}
	for _, key := range knownStrings(order) {
		if _, ok := values[key]; ok && !seen[key] {
			seen[key] = true
			keys = append(keys, key)
		}
	}
	var rest []string
	for key := range values {
		if !seen[key] {
			rest = append(rest, key)
		}
	}
	slices.Sort(rest)
	return append(keys, rest...)
}

// knownStrings returns the known elements of a list of strings.
func knownStrings(v tftypes.Value) []string {
	if v.IsNull() || !v.IsKnown() {
		return nil
	}
	var elements []tftypes.Value
	must(v.As(&elements))
	var all []string
	for _, e := range elements {
		if e.IsKnown() && !e.IsNull() {
			all = append(all, stringOf(e))
		}
	}
	return all
}

func stringOf(v tftypes.Value) string {
	var s string
	must(v.As(&s))
	return s
}

func numberOf(v tftypes.Value) *big.Float {
	n := new(big.Float)
	must(v.As(&n))
	return n
}
