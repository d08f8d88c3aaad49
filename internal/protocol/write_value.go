package protocol

import (
	"reflect"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// value writes a field by its kind. nil means that nothing is to be written.
func (w *writer) value(f *hclspec.Field, v reflect.Value) *yaml.Node {
	switch value := v.Interface().(type) {
	case string:
		return text(value)
	case bool:
		return boolean(value)
	case int:
		return number(strconv.Itoa(value))
	case *int:
		return number(strconv.Itoa(*value))
	case *bool:
		return boolean(*value)
	case *string:
		return text(*value)
	case hclspec.Duration:
		return text(value.String())
	case []string:
		return texts(value)
	case map[string]string:
		m := newMap()
		for _, key := range sortedKeys(value) {
			m.put(key, text(value[key]))
		}
		return m.Node
	case map[string]int:
		m := newMap()
		for _, key := range sortedKeys(value) {
			m.put(key, number(strconv.Itoa(value[key])))
		}
		return m.Node
	case map[string]any:
		return free(value)
	case hclspec.Reference:
		return text(value.Target)
	case []hclspec.Reference:
		return references(value)
	case []*hclspec.StorageUse:
		return storageUses(value)
	}
	return w.nested(f, v)
}

func (w *writer) nested(f *hclspec.Field, v reflect.Value) *yaml.Node {
	switch f.Kind {
	case hclspec.Object:
		m := w.block(f.Block, v, nil)
		if m.empty() {
			return nil
		}
		return m.Node
	case hclspec.OptionalObject:
		return w.block(f.Block, v.Elem(), nil).Node
	case hclspec.Objects:
		return w.objects(f, v)
	}
	panic("protocol: the field table gives " + f.Protocol + " a kind that YAML cannot hold")
}

func (w *writer) objects(f *hclspec.Field, v reflect.Value) *yaml.Node {
	keyed := len(f.Block.Labels) > 0 && labelKey(f.Block) == nil
	list, m := newList(), newMap()
	for i := range v.Len() {
		element := v.Index(i).Elem()
		written := w.element(f.Block, v.Index(i).Interface(), element)
		if keyed {
			m.put(element.FieldByName(f.Block.Labels[0]).String(), written.Node)
			continue
		}
		list.add(written.Node)
	}
	if keyed {
		return m.Node
	}
	return list.Node
}

func (w *writer) element(b *hclspec.Block, pointer any, v reflect.Value) *object {
	switch element := pointer.(type) {
	case *hclspec.Prerequisite:
		return w.prerequisite(element)
	case *hclspec.TaskRole:
		return w.block(b, v, roleOrder)
	case *hclspec.Deployment:
		m := w.block(b, v, nil)
		for _, key := range sortedKeys(element.Rest) {
			m.put(key, free(element.Rest[key]))
		}
		return m
	}
	return w.block(b, v, nil)
}

// prerequisite writes plugin parameters beside the other keys, and those that
// have the name of such a key, or would be read as one, in plugin_params.
func (w *writer) prerequisite(p *hclspec.Prerequisite) *object {
	names := protocolNames(hclspec.PrerequisiteBlock)
	m, nested := newMap(), newMap()
	for _, name := range names {
		if name == "uri" {
			putURI(m, p)
			continue
		}
		w.field(m, hclspec.PrerequisiteBlock.ByProtocol(name), name, reflectValue(p))
	}
	reserved := append([]string{"protocolVersion", "protocol_version", "plugin_params", "parameters", "type"}, names...)
	for _, key := range sortedKeys(p.Parameters) {
		if slices.Contains(reserved, key) {
			nested.put(key, free(p.Parameters[key]))
			continue
		}
		m.put(key, free(p.Parameters[key]))
	}
	m.putUnlessEmpty("plugin_params", nested)
	return m
}

// putURI writes data as a list, which is how OpenPAI wants it, and everything
// else as a text.
func putURI(m *object, p *hclspec.Prerequisite) {
	switch {
	case len(p.URI) == 0:
	case p.Type == "data" || len(p.URI) > 1:
		m.put("uri", texts(p.URI))
	default:
		m.put("uri", text(p.URI[0]))
	}
}

func texts(values []string) *yaml.Node {
	list := newList()
	for _, s := range values {
		list.add(text(s))
	}
	return list.Node
}

func references(refs []hclspec.Reference) *yaml.Node {
	list := newList()
	for _, r := range refs {
		if len(r.With) == 0 {
			list.add(text(r.Target))
			continue
		}
		m := newMap()
		m.put("name", text(r.Target))
		m.put("template_variables", free(r.With))
		list.add(m.Node)
	}
	return list.Node
}

func storageUses(uses []*hclspec.StorageUse) *yaml.Node {
	list := newList()
	for _, u := range uses {
		m := newMap()
		m.put("name", text(u.Name))
		if u.MountPath != "" {
			m.put("mountPath", text(u.MountPath))
		}
		if u.ReadOnly {
			m.put("readOnly", boolean(true))
		}
		list.add(m.Node)
	}
	return list.Node
}
