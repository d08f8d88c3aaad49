// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
)

// shape describes the attributes and blocks that a body may contain.
type shape struct {
	// owner is the description of the block in messages, such as "a job
	// block".
	owner      string
	attributes map[string]bool
	// blocks maps a block type to the names of its labels.
	blocks map[string][]string
	// intended holds the correct spellings of names that the user probably
	// misspelled. The decoder does not report these names as missing.
	intended map[string]bool
	// hint returns advice about an unknown name, or "". It also returns the
	// probable name if the body accepts that name.
	hint func(name string) (advice, meant string)
}

// content returns the attributes and blocks of a body. It reports and omits
// unknown names. It adds the probable name for each unknown name to
// s.intended.
func (d *decoder) content(body hcl.Body, s *shape) *hcl.BodyContent {
	if native, ok := body.(*hclsyntax.Body); ok {
		return d.nativeContent(native, s)
	}
	content, rest, diags := body.PartialContent(s.schema())
	d.report(InvalidSyntax.Adopt(diags)...)
	others, diags := rest.JustAttributes()
	if diags.HasErrors() {
		// For a JSON list of bodies, HCL returns the properties only for the
		// whole list.
		_, diags = rest.Content(&hcl.BodySchema{})
		d.report(InvalidSyntax.Adopt(diags)...)
		return content
	}
	for _, name := range slices.Sorted(maps.Keys(others)) {
		if name != "$schema" {
			d.report(s.unknown(name, others[name].NameRange, false))
		}
	}
	return content
}

func (s *shape) schema() *hcl.BodySchema {
	schema := &hcl.BodySchema{}
	for _, name := range slices.Sorted(maps.Keys(s.attributes)) {
		schema.Attributes = append(schema.Attributes, hcl.AttributeSchema{Name: name})
	}
	for _, name := range slices.Sorted(maps.Keys(s.blocks)) {
		schema.Blocks = append(schema.Blocks, hcl.BlockHeaderSchema{Type: name, LabelNames: s.blocks[name]})
	}
	return schema
}

func (d *decoder) nativeContent(body *hclsyntax.Body, s *shape) *hcl.BodyContent {
	content := &hcl.BodyContent{Attributes: hcl.Attributes{}, MissingItemRange: body.MissingItemRange()}
	for _, name := range slices.Sorted(maps.Keys(body.Attributes)) {
		if s.attributes[name] {
			content.Attributes[name] = body.Attributes[name].AsHCLAttribute()
			continue
		}
		d.report(s.unknown(name, body.Attributes[name].NameRange, false))
	}
	for _, b := range body.Blocks {
		labels, ok := s.blocks[b.Type]
		switch {
		case !ok:
			d.report(s.unknown(b.Type, b.TypeRange, true))
		case len(labels) != len(b.Labels):
			d.report(wrongLabels(b, labels))
		default:
			content.Blocks = append(content.Blocks, b.AsHCLBlock())
		}
	}
	return content
}

func wrongLabels(b *hclsyntax.Block, labels []string) *hcl.Diagnostic {
	var form strings.Builder
	form.WriteString(b.Type)
	for _, l := range labels {
		fmt.Fprintf(&form, " %q", l)
	}
	return WrongLabels.At(b.DefRange(), "This %s block has %s; write it as %s { ... }.", b.Type, quantity.Count(len(b.Labels), "label"), form.String())
}

func (s *shape) unknown(name string, at hcl.Range, isBlock bool) *hcl.Diagnostic {
	_, knownBlock := s.blocks[name]
	switch {
	case isBlock && s.attributes[name]:
		return UnknownBlock.At(at, "%q is an argument of %s, not a block: write it with an equals sign, %s = { ... }.", name, s.owner, name)
	case !isBlock && knownBlock:
		return hclspec.UnknownArgument.At(at, "%q is a block of %s, not an argument: write %s { ... }, without an equals sign.", name, s.owner, name)
	}
	advice, meant := s.hint(name)
	if advice == "" {
		advice, meant = hclspec.Suggest(name, s.names()), hclspec.Nearest(name, s.names())
	}
	s.intended[meant] = true
	if isBlock {
		return UnknownBlock.At(at, "Unknown block %q in %s.%s", name, s.owner, advice)
	}
	return hclspec.UnknownArgument.At(at, "Unknown argument %q in %s.%s", name, s.owner, advice)
}

func (s *shape) names() []string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(s.attributes)), maps.Keys(s.blocks))
	slices.Sort(names)
	return names
}
