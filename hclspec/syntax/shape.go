// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"fmt"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func rootShape() *shape {
	s := &shape{
		owner:      "a workspace file",
		attributes: map[string]bool{},
		blocks:     map[string][]string{"locals": nil},
		intended:   map[string]bool{},
		hint: func(name string) (string, string) {
			if f := hclspec.JobBlock.Field(name); f != nil {
				return fmt.Sprintf(" Move %s into a job block.", name), ""
			}
			return "", ""
		},
	}
	roots := append([]*hclspec.Block{hclspec.OpenPAIBlock, hclspec.VariableBlock, hclspec.MovedBlock, hclspec.ModuleBlock, hclspec.OutputBlock}, hclspec.RootBlocks...)
	for _, b := range roots {
		s.blocks[b.Name] = labelNames(b)
	}
	return s
}

func policiesShape() *shape {
	return &shape{
		owner: "a policy file", attributes: map[string]bool{}, intended: map[string]bool{},
		blocks: map[string][]string{"policy": labelNames(hclspec.PolicyBlock), "variable": labelNames(hclspec.VariableBlock)},
		hint: func(string) (string, string) {
			return " A policy file may contain only policy and variable blocks.", ""
		},
	}
}

// blockShape derives the shape of a block body from the block's fields.
func blockShape(b *hclspec.Block) *shape {
	s := &shape{
		owner:      article(b.Name) + " " + b.Name + " block",
		attributes: map[string]bool{},
		blocks:     map[string][]string{},
		intended:   map[string]bool{},
		hint:       func(name string) (string, string) { return hint(b, name) },
	}
	for i := range b.Fields {
		f := &b.Fields[i]
		switch {
		case !b.InBody(f):
		case f.Block == nil:
			s.attributes[f.Name] = true
		default:
			s.blocks[f.BlockType()] = labelNames(f.Block)
			if f.AlsoList() {
				s.attributes[f.Name] = true
			}
		}
	}
	if b.ForEach {
		s.attributes["for_each"] = true
	}
	return s
}

// labelNames returns the label names to print in messages.
func labelNames(b *hclspec.Block) []string {
	var names []string
	for _, l := range b.Labels {
		name := strings.ToLower(l)
		for i := range b.Fields {
			if b.Fields[i].Go == l {
				name = b.Fields[i].Name
			}
		}
		if name == "label" {
			name = "name"
		}
		names = append(names, name)
	}
	return names
}

// hint returns advice for an unknown name, and the name of the field that the
// user probably meant. The unknown name may be a protocol key, an HCL label
// or a field of a nested block.
func hint(b *hclspec.Block, name string) (advice, meant string) {
	for _, label := range labelNames(b) {
		if label == name {
			return fmt.Sprintf(" The label of the block sets the %s.", name), ""
		}
	}
	for _, protocol := range []string{name, "extras." + name, "defaults." + name} {
		f := b.ByProtocol(protocol)
		if f == nil || !b.InBody(f) {
			continue
		}
		if f.Block != nil {
			return fmt.Sprintf(" In HCL, write the block %s { ... }.", strings.Join(append([]string{f.BlockType()}, quoted(labelNames(f.Block))...), " ")), f.Name
		}
		return fmt.Sprintf(" In HCL, write %s.", f.Name), f.Name
	}
	if hclspec.Nearest(name, fieldNames(b)) == "" {
		return nestedHint(b, name), ""
	}
	return "", ""
}

// nestedHint returns advice if the name is a field of a nested block.
func nestedHint(b *hclspec.Block, name string) string {
	for i := range b.Fields {
		f := &b.Fields[i]
		if f.Block == nil || !b.InBody(f) {
			continue
		}
		if f.Block.Field(name) != nil || f.Block.ByProtocol(name) != nil {
			return fmt.Sprintf(" Move it into a %s block.", f.BlockType())
		}
	}
	return ""
}

func quoted(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = fmt.Sprintf("%q", n)
	}
	return out
}

func article(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an"
	}
	return "a"
}
