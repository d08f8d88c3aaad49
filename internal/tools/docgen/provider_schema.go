// SPDX-License-Identifier: MPL-2.0

package main

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// nested is an object whose attributes have a separate section.
type nested struct {
	path       string
	attributes []*tfprotov6.SchemaAttribute
	blocks     []*tfprotov6.SchemaNestedBlock
}

// writeSchema writes a separate section for each nested object, with links to
// the section.
func writeSchema(b *strings.Builder, s *tfprotov6.Schema) {
	b.WriteString("## Schema\n")
	open := writeAttributes(b, "", nested{attributes: s.Block.Attributes, blocks: s.Block.BlockTypes})
	for len(open) > 0 {
		n := open[0]
		fmt.Fprintf(b, "\n<a id=\"nestedatt--%s\"></a>\n### Nested Schema for `%s`\n", anchor(n.path), n.path)
		open = append(writeAttributes(b, n.path, n), open[1:]...)
	}
}

func anchor(path string) string { return strings.ReplaceAll(path, ".", "--") }

// writeAttributes writes three groups: required, optional and read-only. It
// returns the nested objects.
func writeAttributes(b *strings.Builder, path string, n nested) []nested {
	var open []nested
	for _, group := range []struct {
		title string
		holds func(*tfprotov6.SchemaAttribute) bool
	}{
		{"Required", func(a *tfprotov6.SchemaAttribute) bool { return a.Required }},
		{"Optional", func(a *tfprotov6.SchemaAttribute) bool { return a.Optional }},
		{"Read-Only", func(a *tfprotov6.SchemaAttribute) bool { return a.Computed && !a.Optional }},
	} {
		var lines []string
		for _, a := range n.attributes {
			if !group.holds(a) {
				continue
			}
			at := strings.TrimPrefix(path+"."+a.Name, ".")
			lines = append(lines, attributeLine(a, at))
			if a.NestedType != nil {
				open = append(open, nested{path: at, attributes: a.NestedType.Attributes})
			}
		}
		if group.title == "Optional" {
			for _, block := range n.blocks {
				at := strings.TrimPrefix(path+"."+block.TypeName, ".")
				lines = append(lines, fmt.Sprintf("- `%s` (Block) %s (see [below for nested schema](#nestedatt--%s))", block.TypeName, block.Block.Description, anchor(at)))
				open = append(open, nested{path: at, attributes: block.Block.Attributes, blocks: block.Block.BlockTypes})
			}
		}
		if len(lines) > 0 {
			fmt.Fprintf(b, "\n### %s\n\n%s\n", group.title, strings.Join(lines, "\n"))
		}
	}
	return open
}

func attributeLine(a *tfprotov6.SchemaAttribute, at string) string {
	kind := "Attributes"
	if a.NestedType == nil {
		kind = typeName(a.Type)
	} else {
		kind += map[tfprotov6.SchemaObjectNestingMode]string{
			tfprotov6.SchemaObjectNestingModeList: " List", tfprotov6.SchemaObjectNestingModeMap: " Map",
		}[a.NestedType.Nesting]
	}
	if a.WriteOnly {
		kind += ", Write-only"
	}
	if a.Sensitive {
		kind += ", Sensitive"
	}
	line := fmt.Sprintf("- `%s` (%s) %s", a.Name, kind, a.Description)
	if a.NestedType != nil {
		line += fmt.Sprintf(" (see [below for nested schema](#nestedatt--%s))", anchor(at))
	}
	return line
}

// typeName returns the name of a type in the Registry's spelling.
func typeName(t tftypes.Type) string {
	switch typ := t.(type) {
	case tftypes.List:
		return "List of " + typeName(typ.ElementType)
	case tftypes.Map:
		return "Map of " + typeName(typ.ElementType)
	case tftypes.Object:
		parts := make([]string, 0, len(typ.AttributeTypes))
		for _, name := range sorted(typ.AttributeTypes) {
			parts = append(parts, name+": "+typeName(typ.AttributeTypes[name]))
		}
		return "Object({" + strings.Join(parts, ", ") + "})"
	}
	switch {
	case t.Is(tftypes.String):
		return "String"
	case t.Is(tftypes.Bool):
		return "Boolean"
	case t.Is(tftypes.Number):
		return "Number"
	}
	return "Dynamic"
}
