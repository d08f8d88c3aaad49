// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"reflect"

	"github.com/hashicorp/hcl/v2"
	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// decoder decodes checked YAML into the model, driven by the field table.
type decoder struct {
	src     *source
	sources hclspec.SourceMap
	diags   hcl.Diagnostics
	errors  int // number of errors in diags
	// repeated contains the last index that uniquePath appended to each
	// duplicate path.
	repeated map[hclspec.Path]int
	// legacyParameters are the parameters of a job in the older format.
	legacyParameters *entry
	compared         int // number of names compared so far; see suggest
	// hasUnnamed is set if the decoder could not read the name of a prerequisite.
	// An unknown name may then refer to that prerequisite.
	hasUnnamed bool
}

// maxCompared is the maximum number of comparisons for suggestions. This
// maximum limits the time for a file with many unknown names.
const maxCompared = 20_000

// suggest calls [hclspec.Suggest]. After maxCompared comparisons, it returns
// "" instead.
func (d *decoder) suggest(name string, known []string) string {
	if d.compared += len(known); d.compared > maxCompared {
		return ""
	}
	return hclspec.Suggest(name, known)
}

func (d *decoder) report(diags ...*hcl.Diagnostic) {
	for _, diag := range diags {
		d.diags = append(d.diags, diag)
		if diag.Severity == hcl.DiagError {
			d.errors++
		}
	}
}

func (d *decoder) recordSource(at place, n *yaml.Node) { d.sources[at.path] = d.src.at(n) }

// mapping reports a node that is not a mapping.
func (d *decoder) mapping(n *yaml.Node, at place) (*mapping, bool) {
	if n.Kind != yaml.MappingNode {
		d.wrongType(n, at, "a mapping of keys to values")
		return nil, false
	}
	return newMapping(d.src, n), true
}

// list returns the elements of a list. For any other node, it reports an
// error and returns false.
func (d *decoder) list(n *yaml.Node, at place) ([]*yaml.Node, bool) {
	if n.Kind != yaml.SequenceNode {
		d.wrongType(n, at, "a list")
		return nil, false
	}
	items := make([]*yaml.Node, len(n.Content))
	for i, c := range n.Content {
		items[i] = deref(c)
	}
	return items, true
}

// block decodes a mapping into the struct out. It sets absent fields to their
// defaults. It reports an absent required field, and sets it to the smallest
// valid value, so that one mistake causes only one diagnostic. For each entry
// e whose key is not a field, block calls unknown(e).
func (d *decoder) block(b *hclspec.Block, m *mapping, at place, out reflect.Value, unknown func(entry)) {
	initialize(b, at, out)
	for _, e := range m.entries {
		f := b.ByProtocol(e.name)
		if f == nil {
			unknown(e)
			continue
		}
		d.field(f, e, at.field(f), out.FieldByName(f.Go))
	}
	for i := range b.Fields {
		f := &b.Fields[i]
		if f.Required && f.Protocol != "" && isAbsent(m.get(f.Protocol), at.field(f)) {
			d.missing(m.node, at, f.Protocol)
			setMinimum(f, out.FieldByName(f.Go))
		}
	}
}

// initialize sets the defaults and the path of a struct.
func initialize(b *hclspec.Block, at place, out reflect.Value) {
	b.SetDefaults(out)
	if path := out.FieldByName("Path"); path.IsValid() {
		path.SetString(string(at.path))
	}
}

// isAbsent reports whether a key is absent. If the protocol does not define
// the structure at this place, isAbsent also treats a key without a value as
// absent.
func isAbsent(e *entry, at place) bool { return e == nil || at.open && e.absent() }

func (d *decoder) field(f *hclspec.Field, e entry, at place, v reflect.Value) {
	n := e.value
	switch n.Kind {
	case yaml.MappingNode, yaml.SequenceNode:
		d.recordSource(at, e.key)
	default:
		d.recordSource(at, n)
	}
	if e.absent() && f.Kind != hclspec.Any {
		switch {
		case !f.Required:
			d.null(n, at)
			return
		case at.open:
			return // reported as missing elsewhere
		}
	}
	before := d.errors
	if !d.simple(f, n, at, v) {
		d.nested(f, n, at, v)
	}
	if d.errors > before {
		setMinimum(f, v)
		return
	}
	if f.NonEmpty && n.Kind != yaml.ScalarNode && len(n.Content) == 0 {
		d.report(EmptyValue.At(d.src.at(e.key), "%s must not be empty.", at.shown))
		return
	}
	shown := *f
	shown.Name = at.shown // messages use the protocol's spelling
	d.report(hclspec.CheckField(&shown, v.Interface(), at.path, d.sources)...)
}

// simple decodes a scalar, or a list or map of scalars. It returns false for
// other kinds of fields.
func (d *decoder) simple(f *hclspec.Field, n *yaml.Node, at place, v reflect.Value) bool {
	switch f.Kind {
	case hclspec.String:
		if f.AlsoNumber {
			v.SetString(d.decodeVersion(n, at))
			break
		}
		v.SetString(d.decodeString(n, at))
	case hclspec.OptionalString:
		d.setOptionalString(n, at, v)
	case hclspec.Bool:
		if b, ok := d.decodeBool(n, at); ok {
			v.SetBool(b)
		}
	case hclspec.OptionalBool:
		if b, ok := d.decodeBool(n, at); ok {
			v.Set(reflect.ValueOf(&b))
		}
	case hclspec.Int:
		d.setInt(n, at, v)
	case hclspec.OptionalInt:
		d.setOptionalInt(n, at, v)
	case hclspec.Dur:
		d.setDuration(n, at, v)
	case hclspec.Strings:
		v.Set(reflect.ValueOf(d.stringList(n, at)))
	case hclspec.OneOrMore:
		v.Set(reflect.ValueOf(d.stringOrList(n, at)))
	case hclspec.StringMap:
		v.Set(reflect.ValueOf(d.stringMap(n, at)))
	case hclspec.IntMap:
		v.Set(reflect.ValueOf(d.intMap(n, at)))
	default:
		return false
	}
	return true
}

// nested decodes the kinds of fields for which [decoder.simple] returns
// false.
func (d *decoder) nested(f *hclspec.Field, n *yaml.Node, at place, v reflect.Value) {
	switch f.Kind {
	case hclspec.AnyMap:
		at.printed = f == hclspec.JobBlock.Field("parameters")
		if m, ok := d.mapping(n, at); ok {
			v.Set(reflect.ValueOf(d.dynamicMap(m, at)))
		}
	case hclspec.Ref:
		d.name(f, n, at, v)
	case hclspec.Refs:
		v.Set(reflect.ValueOf(d.references(n, at)))
	case hclspec.StorageUses:
		v.Set(reflect.ValueOf(d.storageUses(n, at)))
	case hclspec.Object:
		if m, ok := d.mapping(n, at); ok {
			d.block(f.Block, m, at, v, d.closed(f.Block, at))
		}
	case hclspec.OptionalObject:
		if m, ok := d.mapping(n, at); ok {
			v.Set(reflect.New(f.Block.Type))
			d.block(f.Block, m, at, v.Elem(), d.closed(f.Block, at))
		}
	case hclspec.Objects:
		d.objects(f, n, at, v)
	default:
		panic("protocol: the field table assigns " + f.Protocol + " a kind that YAML cannot represent")
	}
}

func reflectValue(pointer any) reflect.Value { return reflect.ValueOf(pointer).Elem() }

// setMinimum sets a field to the smallest valid value, so that the model checks
// do not report the field again.
func setMinimum(f *hclspec.Field, v reflect.Value) {
	switch {
	case f.Kind == hclspec.Int && f.Min != nil && v.Int() < int64(*f.Min):
		v.SetInt(int64(*f.Min))
	case f.Kind == hclspec.OneOrMore:
		v.Set(reflect.ValueOf([]string{"unreadable"}))
	case f.Kind == hclspec.Object:
		for i := range f.Block.Fields {
			nested := &f.Block.Fields[i]
			setMinimum(nested, v.FieldByName(nested.Go))
		}
	}
}
