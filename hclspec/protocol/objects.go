// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"reflect"

	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// objects decodes the nested blocks of a field. If the label is one of the
// block's keys, the blocks are a list of mappings. Otherwise, the blocks are
// a mapping keyed by label, as for task roles.
func (d *decoder) objects(f *hclspec.Field, n *yaml.Node, at place, v reflect.Value) {
	switch f.Block {
	case hclspec.PrerequisiteBlock:
		v.Set(reflect.ValueOf(d.prerequisites(n, at)))
	case hclspec.SecretBlock:
		v.Set(reflect.ValueOf(d.secrets(n, at)))
	default:
		if f.Block.Keyed() {
			d.keyed(f.Block, n, at, v)
			return
		}
		d.listed(f.Block, n, at, v)
	}
}

func (d *decoder) keyed(b *hclspec.Block, n *yaml.Node, at place, v reflect.Value) {
	m, ok := d.mapping(n, at)
	if !ok {
		return
	}
	for _, e := range m.entries {
		here := at.key(e.name)
		d.recordSource(here, e.key)
		out := reflect.New(b.Type)
		out.Elem().FieldByName(b.Labels[0]).SetString(e.name)
		if element, ok := d.mapping(e.value, here); ok {
			d.element(b, element, here, out)
		} else {
			initialize(b, here, out.Elem()) // other parts of the job may refer to the element by name
		}
		v.Set(reflect.Append(v, out))
	}
}

func (d *decoder) listed(b *hclspec.Block, n *yaml.Node, at place, v reflect.Value) {
	items, ok := d.list(n, at)
	if !ok {
		return
	}
	for i, item := range items {
		here := at.index(i)
		m, ok := d.mapping(item, here)
		if !ok {
			continue
		}
		if label := b.LabelKey(); label != nil {
			here.path = d.uniquePath(at.path.Key(currentName(label, m.stringValue(d.src, label.Protocol))))
		}
		d.recordSource(here, item)
		out := reflect.New(b.Type)
		d.element(b, m, here, out)
		v.Set(reflect.Append(v, out))
	}
}

// currentName returns the current name of a value that may have an old name.
func currentName(f *hclspec.Field, value string) string {
	if f.Current == nil {
		return value
	}
	return f.Current(value)
}

// uniquePath appends an index if the path is already used. Two callbacks can
// have the same event. Validation later reports such duplicates with both
// positions.
func (d *decoder) uniquePath(path hclspec.Path) hclspec.Path {
	if _, used := d.sources[path]; !used {
		return path
	}
	for {
		d.repeated[path]++
		next := path.Index(d.repeated[path])
		if _, used := d.sources[next]; !used {
			return next
		}
	}
}

// element decodes a block into the struct out, and applies the special rules
// of the block.
func (d *decoder) element(b *hclspec.Block, m *mapping, at place, out reflect.Value) {
	if b.Versioned {
		d.protocolVersion(m, at)
		m = m.without("protocolVersion")
	}
	unknown := d.closed(b, at)
	if extra := b.ExtraKeysField(hclspec.ExtraKeysOfBlock); extra != nil {
		unknown = func(e entry) {
			d.storeExtraKey(extra, e, at.attr(at.path.Attr(extra.Name).Key(e.name), e.name), out.Elem())
		}
	}
	d.block(b, d.resolveAliases(m, at, b.Aliases), at, out.Elem(), unknown)
	if callback, ok := out.Interface().(*hclspec.Callback); ok {
		d.event(callback, at)
	}
}

// storeExtraKey stores an entry whose key has no field. f comes from
// [hclspec.Block.ExtraKeysField].
func (d *decoder) storeExtraKey(f *hclspec.Field, e entry, at place, out reflect.Value) {
	kept := out.FieldByName(f.Go)
	if kept.IsNil() {
		kept.Set(reflect.ValueOf(map[string]any{}))
	}
	kept.Interface().(map[string]any)[e.name] = d.dynamic(e.value, at)
}
