// SPDX-License-Identifier: MPL-2.0

package schema

import (
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Protocol returns the schema of OpenPAI job protocol v2 with this project's
// additions: require, callbacks and plugin on every type.
func Protocol() []byte {
	job := protocolBlock(hclspec.JobBlock)
	props := job["properties"].(object)
	props["protocolVersion"] = protocolVersion()
	props["type"] = object{"const": "job"}
	job["required"] = []string{"protocolVersion", "name", "type", "taskRoles"}
	job["$schema"], job["title"] = dialect, "OpenPAI job protocol v2"
	return marshal(job)
}

func protocolVersion() object { return object{"enum": []any{2, "2"}} }

// protocolBlock nests the key of a dotted name: extras.gangAllocation is the
// key gangAllocation in extras.
func protocolBlock(b *hclspec.Block) object {
	s := spelling{
		name: func(f *hclspec.Field) string {
			if strings.Contains(f.Protocol, ".") {
				return ""
			}
			return f.Protocol
		},
		value: protocolValue,
		open:  func(b *hclspec.Block) bool { return b.ExtraKeysField(hclspec.ExtraKeysOfBlock) != nil },
	}
	o := s.properties(b, nil)
	props := o["properties"].(object)
	for i := range b.Fields {
		f := &b.Fields[i]
		group, key, dotted := strings.Cut(f.Protocol, ".")
		if !dotted {
			continue
		}
		nested, ok := props[group].(object)
		if !ok || nested["properties"] == nil {
			nested = object{"type": "object", "properties": object{}}
			props[group] = nested
		}
		v := protocolValue(f)
		if group == "extras" {
			orNull(v)
		}
		v["description"] = f.Doc
		nested["properties"].(object)[key] = v
	}
	if b.Versioned {
		props["protocolVersion"] = protocolVersion()
	}
	return o
}

func protocolValue(f *hclspec.Field) object {
	return atLeastOne(f, protocolShape(f))
}

func protocolShape(f *hclspec.Field) object {
	text := object{"type": "string"}
	switch f.Kind {
	case hclspec.Object, hclspec.OptionalObject:
		return protocolBlock(f.Block)
	case hclspec.Objects:
		return protocolObjects(f)
	case hclspec.Strings:
		return list(text)
	case hclspec.OneOrMore:
		return either(text, list(text))
	case hclspec.StringMap:
		return mapping(text)
	case hclspec.IntMap:
		return keyed(f, mapping(bounds(object{"type": "integer"}, f)))
	case hclspec.AnyList:
		return object{"type": "array"}
	case hclspec.AnyMap:
		return object{"type": "object"}
	case hclspec.Refs:
		return list(either(text, object{
			"type": "object", "required": []string{"name"},
			"properties": object{"name": text, "template_variables": object{"type": "object"}},
		}))
	case hclspec.StorageUses:
		return list(object{
			"type": "object", "required": []string{"name"},
			"properties": object{"name": text, "mountPath": text, "readOnly": object{"type": "boolean"}},
		})
	case hclspec.String:
		if f.AlsoNumber {
			return object{"type": []string{"string", "number"}}
		}
	}
	return scalar(f)
}

// orNull makes the schema accept null for each optional scalar. OpenPAI does
// not check the keys below extras on submission. Its editor writes skuType:
// null.
func orNull(o object) {
	properties, _ := o["properties"].(object)
	required, _ := o["required"].([]string)
	for name, p := range properties {
		orNull(p.(object))
		if !slices.Contains(required, name) {
			orNullItself(p.(object))
		}
	}
	if patterns, ok := o["patternProperties"].(object); ok {
		for _, p := range patterns {
			orNull(p.(object))
		}
	}
	if items, ok := o["items"].(object); ok {
		orNull(items)
	}
}

func orNullItself(o object) {
	kind, isOne := o["type"].(string)
	if !isOne || kind == "object" || kind == "array" {
		return
	}
	o["type"] = []string{kind, "null"}
	if values, ok := o["enum"].([]string); ok {
		o["enum"] = append(anyOf(values), nil)
	}
}

func anyOf(values []string) []any {
	all := make([]any, len(values))
	for i, v := range values {
		all[i] = v
	}
	return all
}

// protocolObjects returns a map by name for task roles, a free-form map for
// secrets, and a list for other blocks.
func protocolObjects(f *hclspec.Field) object {
	switch {
	case f.Block.Value != "":
		return object{"type": "object"}
	case f.Block.Keyed():
		o := protocolBlock(f.Block)
		return object{
			"type": "object", "minProperties": 1, "additionalProperties": false,
			"patternProperties": object{`^[a-zA-Z_][a-zA-Z0-9_]*$`: o},
		}
	}
	if f.AlsoList() {
		return list(either(object{"type": "string"}, protocolBlock(f.Block)))
	}
	return list(protocolBlock(f.Block))
}
