// SPDX-License-Identifier: MPL-2.0

package schema

import (
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// expression returns the schema of a JSON string with an HCL template, which
// every value allows.
func expression() object { return object{"type": "string", "pattern": `\$\{`} }

// HCL returns the schema of *.pai.hcl.json files.
func HCL() []byte {
	h := &hclSchema{bodies: object{}}
	props := object{
		"openpai": blocks(commented(object{
			"workspace":        object{"type": "string", "description": "Name of the set of jobs that openpai manages together."},
			"required_version": object{"type": "string", "description": "Versions of openpai that can read these files."},
			"run_records":      object{"type": "string", "description": "Directory for copies of run records."},
			"history_limit":    object{"type": []string{"integer", "string"}, "description": "Maximum total size of the run records on Kubernetes, in MiB."},
		})),
		"variable": blocks(variable(), object{}),
		"locals":   blocks(object{"type": "object"}),
		"output":   blocks(commented(object{"value": object{}, "description": object{"type": "string"}}, "value"), object{}),
		"moved":    blocks(commented(object{"from": object{"type": "string"}, "to": object{"type": "string"}}, "from", "to")),
	}
	for _, b := range append([]*hclspec.Block{hclspec.ModuleBlock}, hclspec.RootBlocks...) {
		props[b.Name] = h.block(b)
	}
	root := commented(props)
	root["$schema"], root["title"], root["$defs"] = dialect, "OpenPAI workspace (*.pai.hcl.json)", h.bodies
	return marshal(root)
}

// comment is the property that HCL's JSON syntax ignores in every body.
const comment = "//"

// commented returns the schema of a body with only these properties and
// comments.
func commented(properties object, required ...string) object {
	properties[comment] = object{}
	o := object{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		o["required"] = required
	}
	return o
}

// hclSchema holds the schema of each block body by type name.
type hclSchema struct{ bodies object }

func variable() object {
	return commented(object{
		"type":        object{"type": "string", "description": "Type of the value, such as string or list(number)."},
		"default":     object{"description": "Default value."},
		"description": object{"type": "string"},
		"sensitive":   object{"type": "boolean", "description": "Whether the value is a secret."},
		"validation": blocks(commented(
			object{"condition": object{}, "error_message": object{"type": "string"}}, "condition", "error_message",
		)),
	})
}

// block returns the schema of a block type: its body inside one object per
// label.
func (h *hclSchema) block(b *hclspec.Block) object {
	name := b.Type.Name()
	if h.bodies[name] == nil {
		h.bodies[name] = object{} // placeholder for recursive blocks until h.body returns
		h.bodies[name] = h.body(b)
	}
	return blocks(object{"$ref": "#/$defs/" + name}, labels(b)...)
}

// labels returns an enumeration or any string for each label of a block. A
// pattern would reject instance names, which end with a key.
func labels(b *hclspec.Block) []object {
	all := make([]object, len(b.Labels))
	for i, label := range b.Labels {
		all[i] = object{}
		for _, f := range b.Fields {
			if known := words(&f); f.Go == label && len(known) > 0 {
				all[i]["enum"] = known
			}
		}
	}
	return all
}

func (h *hclSchema) spelling() spelling {
	return spelling{
		name:      func(f *hclspec.Field) string { return f.Name },
		value:     h.value,
		alsoBlock: func(f *hclspec.Field) object { return h.block(f.Block) },
		open:      func(*hclspec.Block) bool { return false },
	}
}

func (h *hclSchema) body(b *hclspec.Block) object {
	leaveOut := map[string]bool{}
	for _, label := range b.Labels {
		// A label is not also an attribute. Only a job block has a label and a
		// name attribute, because the two may differ.
		leaveOut[label] = true
	}
	body := h.spelling().properties(b, leaveOut)
	props := body["properties"].(object)
	props[comment] = object{}
	if b.ForEach {
		props["for_each"] = object{"description": "A map or a set of strings. Each element creates one instance."}
	}
	if names, ok := body["required"].([]string); ok {
		body["required"] = without(names, leaveOut, b)
	}
	return body
}

// without removes the names of fields that are labels.
func without(names []string, labels map[string]bool, b *hclspec.Block) []string {
	kept := []string{}
	for _, n := range names {
		if f := b.Field(n); f != nil && !labels[f.Go] {
			kept = append(kept, n)
		}
	}
	return kept
}

// blocks nests a body in one object per label. HCL's JSON syntax accepts a
// body or a list of bodies at the innermost level.
func blocks(body object, labels ...object) object {
	o := either(body, list(body))
	for _, label := range slices.Backward(labels) {
		named := mapping(o)
		if len(label) > 0 {
			named["propertyNames"] = label
		}
		o = either(named, list(named))
	}
	return o
}

func (h *hclSchema) value(f *hclspec.Field) object {
	if f.AlsoList() {
		return either(list(either(scalar(&hclspec.Field{}), h.element(f.Block))), expression())
	}
	switch f.Kind {
	case hclspec.Object, hclspec.OptionalObject, hclspec.Objects:
		return h.block(f.Block)
	case hclspec.String, hclspec.OptionalString, hclspec.Text, hclspec.Any:
		if f.Kind == hclspec.Any {
			return object{}
		}
		if len(f.Values) == 0 && f.Pattern == "" {
			return object{"type": []string{"string", "number", "boolean", "null"}}
		}
	}
	return either(hclPlain(f), expression())
}

// element returns the schema of a block as a list element. The label is an argument
// of the element.
func (h *hclSchema) element(b *hclspec.Block) object {
	s := h.spelling()
	s.alsoBlock = nil
	return s.properties(b, nil)
}

// hclPlain returns the schema of a value that is not an expression.
func hclPlain(f *hclspec.Field) object {
	text := object{"type": "string"}
	use := object{
		"type": "object", "required": []string{"use"},
		"properties": object{"use": text, "with": object{"type": "object"}},
	}
	mount := object{
		"type": "object", "required": []string{"use"}, "additionalProperties": false,
		"properties": object{"use": text, "mount_path": text, "read_only": object{"type": []string{"boolean", "string"}}},
	}
	switch f.Kind {
	case hclspec.Strings:
		if f.Required {
			return atLeastOne(f, list(text))
		}
		return list(text)
	case hclspec.OneOrMore:
		return either(text, list(text))
	case hclspec.StringMap:
		return mapping(text)
	case hclspec.IntMap:
		return keyed(f, mapping(either(bounds(object{"type": "integer"}, f), expression())))
	case hclspec.AnyList:
		return object{"type": "array"}
	case hclspec.AnyMap:
		return object{"type": "object"}
	case hclspec.Ref:
		return text
	case hclspec.Refs:
		return list(either(text, use))
	case hclspec.StorageUses:
		return list(either(text, mount))
	}
	return scalar(f)
}
