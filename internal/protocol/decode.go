package protocol

import (
	"reflect"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// decoder turns checked YAML into the model, by the field table.
type decoder struct {
	src     *source
	sources hclspec.SourceMap
	diags   hcl.Diagnostics
	errors  int // how many of diags are errors
	// repeated counts the elements of a list that share a label, see unused.
	repeated map[hclspec.Path]int
	compared int // names that were compared, see suggest
	// unnamed says that there are prerequisites whose names could not be read:
	// a name that nothing has may be that of one of them.
	unnamed bool
}

// maxCompared bounds the search for near names in a file full of wrong ones.
const maxCompared = 20_000

// suggest is [hclspec.Suggest] as long as the bound lasts.
func (d *decoder) suggest(given string, known []string) string {
	if d.compared += len(known); d.compared > maxCompared {
		return ""
	}
	return hclspec.Suggest(given, known)
}

func (d *decoder) report(diags ...*hcl.Diagnostic) {
	for _, diag := range diags {
		d.diags = append(d.diags, diag)
		if diag.Severity == hcl.DiagError {
			d.errors++
		}
	}
}

// note remembers where the value of a path is written.
func (d *decoder) note(at place, n *yaml.Node) { d.sources[at.path] = d.src.at(n) }

// mapping reads a node that must be a mapping.
func (d *decoder) mapping(n *yaml.Node, at place) (*mapping, bool) {
	if n.Kind != yaml.MappingNode {
		d.wrongType(n, at, "a mapping of keys to values")
		return nil, false
	}
	return newMapping(d.src, n), true
}

// list reads a node that must be a list.
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

// block decodes a mapping into the struct out. Fields that are absent get
// their defaults; required ones that are absent are reported and get the
// least value that is valid, so that one mistake is one finding. unknown is
// called with every key that is no field.
func (d *decoder) block(b *hclspec.Block, m *mapping, at place, out reflect.Value, unknown func(entry)) {
	begin(b, at, out)
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
		if f.Required && f.Protocol != "" && lacks(m.get(f.Protocol), at.field(f)) {
			d.missing(m.node, at, f.Protocol)
			setLeast(f, out.FieldByName(f.Go))
		}
	}
}

// begin gives a struct its defaults and its path.
func begin(b *hclspec.Block, at place, out reflect.Value) {
	b.SetDefaults(out)
	if path := out.FieldByName("Path"); path.IsValid() {
		path.SetString(string(at.path))
	}
}

// lacks reports whether a key is not there, or has no value where that is the
// same.
func lacks(e *entry, at place) bool { return e == nil || at.open && e.absent() }

func (d *decoder) field(f *hclspec.Field, e entry, at place, v reflect.Value) {
	n := e.value
	switch n.Kind {
	case yaml.MappingNode, yaml.SequenceNode:
		d.note(at, e.key)
	default:
		d.note(at, n)
	}
	if lacks(&e, at) && f.Kind != hclspec.Any {
		if !f.Required { // else it is reported as missing
			d.null(n, at)
		}
		return
	}
	before := d.errors
	if !d.simple(f, n, at, v) {
		d.nested(f, n, at, v)
	}
	if d.errors > before {
		setLeast(f, v)
		return
	}
	if f.NonEmpty && n.Kind != yaml.ScalarNode && len(n.Content) == 0 {
		d.report(hclspec.EmptyValue.At(d.src.at(e.key), "%s must not be empty.", at.shown))
		return
	}
	shown := *f
	shown.Name = at.shown // messages use the protocol's spelling
	d.report(hclspec.CheckField(&shown, v.Interface(), at.path, d.sources)...)
}

// simple decodes the kinds without a block.
func (d *decoder) simple(f *hclspec.Field, n *yaml.Node, at place, v reflect.Value) bool {
	switch f.Kind {
	case hclspec.String:
		if f.Protocol == "version" {
			v.SetString(d.version(n, at))
			break
		}
		v.SetString(d.text(n, at))
	case hclspec.OptionalString:
		d.optionalText(n, at, v)
	case hclspec.Bool:
		if b, ok := d.boolean(n, at); ok {
			v.SetBool(b)
		}
	case hclspec.OptionalBool:
		if b, ok := d.boolean(n, at); ok {
			v.Set(reflect.ValueOf(&b))
		}
	case hclspec.Int:
		d.integer(n, at, v)
	case hclspec.OptionalInt:
		d.optionalInteger(n, at, v)
	case hclspec.Dur:
		d.duration(n, at, v)
	case hclspec.Strings:
		v.Set(reflect.ValueOf(d.texts(n, at)))
	case hclspec.OneOrMore:
		v.Set(reflect.ValueOf(d.oneOrMore(n, at)))
	case hclspec.StringMap:
		v.Set(reflect.ValueOf(d.textMap(n, at)))
	case hclspec.IntMap:
		v.Set(reflect.ValueOf(d.intMap(n, at)))
	default:
		return false
	}
	return true
}

// nested decodes the kinds that hold other values.
func (d *decoder) nested(f *hclspec.Field, n *yaml.Node, at place, v reflect.Value) {
	switch f.Kind {
	case hclspec.AnyMap:
		if m, ok := d.mapping(n, at); ok {
			v.Set(reflect.ValueOf(d.freeMap(m, at)))
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
		panic("protocol: the field table gives " + f.Protocol + " a kind that YAML cannot hold")
	}
}

// unchecked are the blocks outside of extras whose unknown keys the rest-server
// lets pass. Source: microsoft/pai: src/rest-server/src/config/v2/protocol.js.
var unchecked = []string{"auth", "extra_container_options"}

// closed returns what to do with unknown keys of a block that the protocol
// closes, or that has no place to keep them.
func (d *decoder) closed(b *hclspec.Block, at place) func(entry) {
	return func(e entry) {
		if at.open || slices.Contains(unchecked, b.Name) {
			d.report(hclspec.IgnoredKey.At(d.src.at(e.key), "%s has no key %q.%s It is ignored, as OpenPAI does.", at.shown, e.name, d.suggest(e.name, protocolNames(b))))
			return
		}
		d.unknown(e, at, protocolNames(b))
	}
}

func (d *decoder) unknown(e entry, at place, known []string) {
	where := at.shown
	if where == "" {
		where = "A job"
	}
	d.report(hclspec.UnknownKey.At(d.src.at(e.key), "%s has no key %q.%s Known keys: %s.", where, e.name, d.suggest(e.name, known), strings.Join(known, ", ")))
}

// protocolNames lists the keys of a block in the order of the table.
func protocolNames(b *hclspec.Block) []string {
	var names []string
	for _, f := range b.Fields {
		if f.Protocol != "" {
			names = append(names, f.Protocol)
		}
	}
	return names
}

func (d *decoder) missing(n *yaml.Node, at place, name string) {
	if at.shown == "" {
		d.report(hclspec.MissingKey.At(d.src.at(n), "The job has no %s.", name))
		return
	}
	d.report(hclspec.MissingKey.At(d.sources.Range(at.path), "%s has no %s.", at.shown, name))
}
