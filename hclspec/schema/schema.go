// SPDX-License-Identifier: MPL-2.0

package schema

import (
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
)

const dialect = "https://json-schema.org/draft/2020-12/schema"

// object is a JSON Schema. encoding/json sorts map keys, so the output for a
// given field table is deterministic.
type object map[string]any

// marshal returns indented JSON. A schema contains only maps, slices, strings
// and numbers, so marshaling cannot fail.
func marshal(s object) []byte {
	text, err := plainjson.MarshalIndent(s)
	if err != nil {
		panic(err)
	}
	return text
}

// spelling describes how one syntax writes the fields of the table.
type spelling struct {
	// name returns the key of a field, or "" if the syntax lacks the field.
	name func(*hclspec.Field) string
	// value returns the schema of a field without its description.
	value func(*hclspec.Field) object
	// alsoBlock returns the block schema of a field that accepts blocks and a
	// list. alsoBlock is nil if the syntax has no blocks.
	alsoBlock func(*hclspec.Field) object
	// open reports whether a block accepts keys that are not in the table.
	open func(*hclspec.Block) bool
}

func (s spelling) properties(b *hclspec.Block, leaveOut map[string]bool) object {
	props, required := object{}, []string{}
	for i := range b.Fields {
		f := &b.Fields[i]
		name := s.name(f)
		if name == "" || leaveOut[f.Go] {
			continue
		}
		v := s.value(f)
		v["description"] = f.Doc
		if f.Default != nil {
			v["default"] = f.Default
		}
		props[name] = v
		if f.AlsoList() && s.alsoBlock != nil {
			props[f.BlockType()] = s.alsoBlock(f)
		}
		if f.Required {
			required = append(required, name)
		}
	}
	o := object{"type": "object", "properties": props}
	if len(required) > 0 {
		o["required"] = required
	}
	if !s.open(b) {
		o["additionalProperties"] = false
	}
	return o
}

// scalar returns the schema of a field that is neither a list nor an object.
// Both syntaxes use the schema.
func scalar(f *hclspec.Field) object {
	switch f.Kind {
	case hclspec.Bool:
		return object{"type": "boolean"}
	case hclspec.OptionalBool:
		return object{"type": []string{"boolean", "null"}}
	case hclspec.Int:
		return bounds(object{"type": "integer"}, f)
	case hclspec.OptionalInt:
		return bounds(object{"type": []string{"integer", "null"}}, f)
	case hclspec.Dur:
		return object{"type": "string", "pattern": `^([0-9]+[dhms])+$|\$\{`}
	case hclspec.Any:
		return object{}
	}
	o := object{"type": "string"}
	if known := words(f); len(known) > 0 {
		o["enum"] = known
	}
	switch {
	case f.Pattern != "":
		o["pattern"] = f.Pattern
	case f.Format == hclspec.FormatDuration:
		o["pattern"] = `^([0-9]+[dhms])+$|\$\{|\{\{|<%`
	}
	return o
}

// words returns the values of an enumeration, or nil if the field accepts any
// string.
func words(f *hclspec.Field) []string { return slices.Concat(f.Values, f.Resolved) }

func bounds(o object, f *hclspec.Field) object {
	if f.Min != nil {
		o["minimum"] = *f.Min
	}
	if f.Max != nil {
		o["maximum"] = *f.Max
	}
	return o
}

// atLeastOne rejects an empty list or map if the field is NonEmpty.
func atLeastOne(f *hclspec.Field, o object) object {
	if f.NonEmpty {
		switch o["type"] {
		case "array":
			o["minItems"] = 1
		case "object":
			o["minProperties"] = 1
		}
	}
	return o
}

// keyed restricts the keys of a map.
func keyed(f *hclspec.Field, o object) object {
	if f.Pattern != "" {
		o["propertyNames"] = object{"pattern": f.Pattern}
	}
	return o
}

func list(items object) object { return object{"type": "array", "items": items} }

func mapping(values object) object {
	return object{"type": "object", "additionalProperties": values}
}

func either(options ...object) object { return object{"anyOf": options} }
