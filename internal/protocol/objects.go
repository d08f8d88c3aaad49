package protocol

import (
	"reflect"

	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// objects decodes the elements of a block: a list of mappings where the label
// is a key of the element, and a mapping from label to element where it is
// not (task roles).
func (d *decoder) objects(f *hclspec.Field, n *yaml.Node, at place, v reflect.Value) {
	switch f.Block {
	case hclspec.PrerequisiteBlock:
		v.Set(reflect.ValueOf(d.prerequisites(n, at)))
	case hclspec.SecretBlock:
		v.Set(reflect.ValueOf(d.secrets(n, at)))
	default:
		if labelKey(f.Block) == nil && len(f.Block.Labels) > 0 {
			d.keyed(f.Block, n, at, v)
			return
		}
		d.listed(f.Block, n, at, v)
	}
}

// labelKey is the field of a block that holds its label in the protocol, or
// nil when the label is the key of a mapping.
func labelKey(b *hclspec.Block) *hclspec.Field {
	for i := range b.Fields {
		f := &b.Fields[i]
		if f.Protocol != "" && len(b.Labels) > 0 && f.Go == b.Labels[len(b.Labels)-1] {
			return f
		}
	}
	return nil
}

func (d *decoder) keyed(b *hclspec.Block, n *yaml.Node, at place, v reflect.Value) {
	m, ok := d.mapping(n, at)
	if !ok {
		return
	}
	for _, e := range m.entries {
		here := at.key(e.name)
		d.note(here, e.key)
		out := reflect.New(b.Type)
		out.Elem().FieldByName(b.Labels[0]).SetString(e.name)
		if element, ok := d.mapping(e.value, here); ok {
			d.element(b, element, here, out)
		} else {
			begin(b, here, out.Elem()) // it has a name that others may refer to
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
		if label := labelKey(b); label != nil {
			here.path = d.unused(at.path.Key(presentName(b, m.text(d.src, label.Protocol))))
		}
		d.note(here, item)
		out := reflect.New(b.Type)
		d.element(b, m, here, out)
		v.Set(reflect.Append(v, out))
	}
}

// presentName is the label of an element in its present spelling.
func presentName(b *hclspec.Block, label string) string {
	if event, _, ok := contract.Event(label); ok && b.Name == "callback" {
		return event
	}
	return label
}

// unused returns a path that nothing has yet: two callbacks may have the same
// event, and duplicates are reported later with the place of each.
func (d *decoder) unused(path hclspec.Path) hclspec.Path {
	if _, taken := d.sources[path]; !taken {
		return path
	}
	for {
		d.repeated[path]++
		next := path.Index(d.repeated[path])
		if _, taken := d.sources[next]; !taken {
			return next
		}
	}
}

// element decodes one element and what is special about its block.
func (d *decoder) element(b *hclspec.Block, m *mapping, at place, out reflect.Value) {
	switch element := out.Interface().(type) {
	case *hclspec.Deployment:
		d.block(b, m, at, out.Elem(), func(e entry) {
			if element.Rest == nil {
				element.Rest = map[string]any{}
			}
			element.Rest[e.name] = d.free(e.value, at.attr(at.path.Attr("rest").Key(e.name), e.name))
		})
	case *hclspec.TaskRole:
		d.protocolVersion(m, at)
		d.block(b, m.without("protocolVersion"), at, out.Elem(), d.closed(b, at))
	case *hclspec.HivedTaskRole:
		d.block(b, d.draft(m, at, draftHivedRole), at, out.Elem(), d.closed(b, at))
	case *hclspec.Callback:
		d.block(b, m, at, out.Elem(), d.closed(b, at))
		d.event(element, at)
	default:
		d.block(b, m, at, out.Elem(), d.closed(b, at))
	}
}
