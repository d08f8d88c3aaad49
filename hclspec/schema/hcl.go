package schema

import "github.com/openpai/terraform-provider-openpai/hclspec"

// expression is a template of HCL in a JSON string, allowed for every value.
func expression() object { return object{"type": "string", "pattern": `\$\{`} }

// HCL returns the schema of *.pai.hcl.json files.
func HCL() []byte {
	props := object{
		"openpai": blocks(object{
			"type": "object", "additionalProperties": false,
			"properties": object{
				"workspace":        object{"type": "string", "description": "Name of the set of jobs that are managed together."},
				"required_version": object{"type": "string", "description": "Versions of openpai that may read these files."},
			},
		}, 0),
		"variable": blocks(variable(), 1),
		"locals":   blocks(object{"type": "object"}, 0),
		"moved": blocks(object{
			"type": "object", "additionalProperties": false, "required": []string{"from", "to"},
			"properties": object{"from": object{"type": "string"}, "to": object{"type": "string"}},
		}, 0),
	}
	for _, b := range hclspec.RootBlocks {
		props[b.Name] = block(b)
	}
	return marshal(object{
		"$schema": draft, "title": "OpenPAI workspace (*.pai.hcl.json)",
		"type": "object", "properties": props, "additionalProperties": false,
	})
}

func variable() object {
	return object{
		"type": "object", "additionalProperties": false,
		"properties": object{
			"type":        object{"type": "string", "description": "Type of the value, such as string or list(number)."},
			"default":     object{"description": "Value when none is given."},
			"description": object{"type": "string"},
			"sensitive":   object{"type": "boolean", "description": "Whether the value is a secret."},
			"validation": blocks(object{
				"type": "object", "additionalProperties": false, "required": []string{"condition", "error_message"},
				"properties": object{"condition": object{}, "error_message": object{"type": "string"}},
			}, 0),
		},
	}
}

// block is the schema of a block type: its body below one object per label.
func block(b *hclspec.Block) object {
	s := spelling{
		name:  func(f *hclspec.Field) string { return f.Name },
		value: hclValue,
		open:  func(*hclspec.Block) bool { return false },
	}
	leaveOut := map[string]bool{}
	for _, label := range b.Labels {
		// A label may be given again as an attribute where the name of the
		// thing differs from its label: only job has that.
		leaveOut[label] = true
	}
	body := s.properties(b, leaveOut)
	props := body["properties"].(object)
	if b == hclspec.JobBlock || b == hclspec.PrerequisiteBlock {
		props["for_each"] = object{"description": "A map or set of texts: one instance for each element."}
	}
	if b == hclspec.JobBlock {
		// The workspace's secret blocks take their place.
		delete(props, "secrets")
	}
	required := body["required"]
	if names, ok := required.([]string); ok {
		body["required"] = without(names, leaveOut, b)
	}
	return blocks(body, len(b.Labels))
}

// without drops the names of fields that are labels.
func without(names []string, labels map[string]bool, b *hclspec.Block) []string {
	kept := []string{}
	for _, n := range names {
		if f := b.Field(n); f != nil && !labels[f.Go] {
			kept = append(kept, n)
		}
	}
	return kept
}

// blocks wraps a body in one object per label. HCL's JSON syntax takes a body
// or a list of bodies at the end.
func blocks(body object, labels int) object {
	o := either(body, list(body))
	for range labels {
		inner := o
		o = either(mapping(inner), list(mapping(inner)))
	}
	return o
}

func hclValue(f *hclspec.Field) object {
	switch f.Kind {
	case hclspec.Object, hclspec.OptionalObject, hclspec.Objects:
		return block(f.Block)
	case hclspec.String, hclspec.OptionalString, hclspec.Text, hclspec.Any:
		if len(f.Values) == 0 && f.Pattern == "" {
			return scalar(f)
		}
	}
	return either(hclPlain(f), expression())
}

// hclPlain is a value as written without an expression.
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
		return list(text)
	case hclspec.OneOrMore:
		return either(text, list(text))
	case hclspec.StringMap:
		return mapping(text)
	case hclspec.IntMap:
		return mapping(either(bounds(object{"type": "integer"}, f), expression()))
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
