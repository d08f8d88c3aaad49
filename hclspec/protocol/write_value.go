// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"maps"
	"reflect"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// value returns nil if the field must be omitted.
func (w *writer) value(f *hclspec.Field, v reflect.Value) *yaml.Node {
	switch value := v.Interface().(type) {
	case string:
		return stringNode(value)
	case bool:
		return boolNode(value)
	case int:
		return numberNode(strconv.Itoa(value))
	case *int:
		return numberNode(strconv.Itoa(*value))
	case *bool:
		return boolNode(*value)
	case *string:
		return stringNode(*value)
	case hclspec.Duration:
		return stringNode(value.String())
	case []string:
		return stringListNode(value)
	case map[string]string:
		m := newObject()
		for _, key := range slices.Sorted(maps.Keys(value)) {
			m.put(key, stringNode(value[key]))
		}
		return m.Node
	case map[string]int:
		m := newObject()
		for _, key := range slices.Sorted(maps.Keys(value)) {
			m.put(key, numberNode(strconv.Itoa(value[key])))
		}
		return m.Node
	case map[string]any:
		return dynamicNode(value)
	case hclspec.Reference:
		return stringNode(value.Target)
	case []hclspec.Reference:
		return referenceListNode(value)
	case []*hclspec.StorageUse:
		return storageListNode(value)
	}
	return w.nested(f, v)
}

func (w *writer) nested(f *hclspec.Field, v reflect.Value) *yaml.Node {
	switch f.Kind {
	case hclspec.Object:
		m := w.block(f.Block, v)
		if m.empty() {
			return nil
		}
		return m.Node
	case hclspec.OptionalObject:
		return w.block(f.Block, v.Elem()).Node
	case hclspec.Objects:
		return w.objects(f, v)
	}
	panic("protocol: the field table assigns " + f.Protocol + " a kind that YAML cannot represent")
}

func (w *writer) objects(f *hclspec.Field, v reflect.Value) *yaml.Node {
	keyed := f.Block.Keyed()
	list, m := newSequence(), newObject()
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
		return w.block(b, v, roleKeyOrder...)
	}
	m := w.block(b, v)
	if extra := b.ExtraKeysField(hclspec.ExtraKeysOfBlock); extra != nil {
		kept := v.FieldByName(extra.Go).Interface().(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(kept)) {
			m.put(key, dynamicNode(kept[key]))
		}
	}
	return m
}

// prerequisite writes plugin parameters next to the other keys. It writes a
// parameter whose name is also a key into plugin_params.
func (w *writer) prerequisite(p *hclspec.Prerequisite) *object {
	names := protocolNames(hclspec.PrerequisiteBlock)
	m, nested := newObject(), newObject()
	for _, name := range names {
		if name == "uri" {
			putURI(m, p)
			continue
		}
		w.field(m, hclspec.PrerequisiteBlock.ByProtocol(name), name, reflectValue(p))
	}
	reserved := append([]string{"protocolVersion", "protocol_version", "plugin_params", "parameters", "type"}, names...)
	for _, key := range slices.Sorted(maps.Keys(p.Parameters)) {
		if slices.Contains(reserved, key) {
			nested.put(key, dynamicNode(p.Parameters[key]))
			continue
		}
		m.put(key, dynamicNode(p.Parameters[key]))
	}
	m.putUnlessEmpty("plugin_params", nested)
	return m
}

// putURI writes a list for several URIs or the type "data", otherwise a
// string. OpenPAI requires a list for the type "data".
func putURI(m *object, p *hclspec.Prerequisite) {
	switch {
	case len(p.URI) == 0:
	case p.Type == "data" || len(p.URI) > 1:
		m.put("uri", stringListNode(p.URI))
	default:
		m.put("uri", stringNode(p.URI[0]))
	}
}

func stringListNode(values []string) *yaml.Node {
	list := newSequence()
	for _, s := range values {
		list.add(stringNode(s))
	}
	return list.Node
}

func referenceListNode(refs []hclspec.Reference) *yaml.Node {
	list := newSequence()
	for _, r := range refs {
		if len(r.With) == 0 {
			list.add(stringNode(r.Target))
			continue
		}
		m := newObject()
		m.put("name", stringNode(r.Target))
		m.put("template_variables", dynamicNode(r.With))
		list.add(m.Node)
	}
	return list.Node
}

func storageListNode(uses []*hclspec.StorageUse) *yaml.Node {
	list := newSequence()
	for _, u := range uses {
		m := newObject()
		m.put("name", stringNode(u.Name))
		if u.MountPath != "" {
			m.put("mountPath", stringNode(u.MountPath))
		}
		if u.ReadOnly {
			m.put("readOnly", boolNode(true))
		}
		list.add(m.Node)
	}
	return list.Node
}
