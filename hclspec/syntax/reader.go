// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"reflect"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// reader decodes blocks into structs of the model. The field table describes
// these blocks.
type reader struct {
	*decoder
	frame frame
}

func (d *decoder) reader(fr frame) *reader { return &reader{decoder: d, frame: fr} }

// body decodes a top-level block.
func (r *reader) body(block *hclspec.Block, b *hcl.Block, into reflect.Value, path hclspec.Path) {
	if f := into.FieldByName("Module"); f.IsValid() {
		f.Set(reflect.ValueOf(r.module))
	}
	r.shaped(block, blockShape(block), b, into, path)
}

// nested decodes a nested block, where for_each is not allowed.
func (r *reader) nested(block *hclspec.Block, b *hcl.Block, into reflect.Value, path hclspec.Path) {
	s := blockShape(block)
	delete(s.attributes, "for_each")
	r.shaped(block, s, b, into, path)
}

func (r *reader) shaped(block *hclspec.Block, s *shape, b *hcl.Block, into reflect.Value, path hclspec.Path) {
	r.ws.Sources[path] = b.DefRange
	if f := into.FieldByName("Path"); f.IsValid() && f.Type() == reflect.TypeFor[hclspec.Path]() {
		f.Set(reflect.ValueOf(path))
	}
	r.labels(block, b, into, path)
	content := r.content(b.Body, s)
	for i := range block.Fields {
		f := &block.Fields[i]
		if !block.InBody(f) || f.Go == "" {
			continue
		}
		r.field(f, content, into.FieldByName(f.Go), b, path.Attr(f.Name), s.intended[f.Name])
	}
}

// labels stores the labels of a block. It checks each label with an entry in
// the field table.
func (r *reader) labels(block *hclspec.Block, b *hcl.Block, into reflect.Value, path hclspec.Path) {
	for i, name := range block.Labels {
		if i >= len(b.Labels) {
			return
		}
		into.FieldByName(name).SetString(b.Labels[i])
		inTable := false
		for j := range block.Fields {
			f := &block.Fields[j]
			if f.Go == name {
				inTable = true
				r.ws.Sources[path.Attr(f.Name)] = labelRange(b, i)
				r.report(hclspec.CheckField(f, b.Labels[i], path.Attr(f.Name), r.ws.Sources)...)
			}
		}
		if !inTable && b.Labels[i] == "" && !block.LabelValidated {
			r.report(hclspec.InvalidSpelling.At(labelRange(b, i), "The label of this %s block is empty. Set the label to the name of the declared object.", b.Type))
		}
	}
}

// field decodes one field. excused is true if the decoder already reported a
// probable misspelling of the field name.
func (r *reader) field(f *hclspec.Field, content *hcl.BodyContent, into reflect.Value, b *hcl.Block, path hclspec.Path, excused bool) {
	if f.Block != nil {
		r.blocks(f, content, into, b, path, excused)
		return
	}
	n := r.argument(content.Attributes[f.Name])
	switch {
	case n == nil && f.Required && excused:
	case n == nil && f.Required:
		r.report(hclspec.MissingArgument.At(b.DefRange, "This %s block needs the argument %s. %s", b.Type, f.Name, f.Doc))
	case n == nil:
		f.SetDefault(into)
	case n.failed():
		// Already reported during evaluation.
		r.ws.Sources[path] = n.at
	default:
		r.ws.Sources[path] = n.at
		if r.set(f, n, into, path) {
			r.report(hclspec.Concerning(hclspec.CheckField(f, into.Interface(), path, r.ws.Sources), path, "")...)
		}
	}
}

// argument returns the node of an argument, or nil for an absent or null
// argument.
func (r *reader) argument(a *hcl.Attribute) *node {
	if a == nil {
		return nil
	}
	n := r.scope.node(a.Expr, r.frame)
	if n.value.IsKnown() && n.value.IsNull() {
		return nil
	}
	return n
}

func (r *reader) blocks(f *hclspec.Field, content *hcl.BodyContent, into reflect.Value, b *hcl.Block, path hclspec.Path, excused bool) {
	found := content.Blocks.OfType(f.BlockType())
	if f.Kind == hclspec.Objects {
		r.objects(f, content, found, into, path)
		if into.Len() == 0 && f.Required && !excused {
			r.report(MissingBlock.At(b.DefRange, "This %s block needs at least one %s block. %s", b.Type, f.BlockType(), f.Doc))
		}
		return
	}
	for _, again := range found[min(1, len(found)):] {
		r.report(declaredTwice(again, found[0]))
	}
	switch {
	case len(found) > 0 && f.Kind == hclspec.OptionalObject:
		into.Set(reflect.New(f.Block.Type))
		r.nested(f.Block, found[0], into.Elem(), path)
	case len(found) > 0:
		r.nested(f.Block, found[0], into, path)
	case f.Required && excused:
	case f.Required:
		r.report(MissingBlock.At(b.DefRange, "This %s block needs a block %s { ... }. %s", b.Type, f.Name, f.Doc))
	case f.Kind == hclspec.Object:
		f.Block.SetDefaults(into)
	}
}

func (r *reader) objects(f *hclspec.Field, content *hcl.BodyContent, found hcl.Blocks, into reflect.Value, path hclspec.Path) {
	first, count := map[string]*hcl.Block{}, map[string]int{}
	if f.AlsoList() {
		r.blockList(f, content.Attributes[f.Name], into, path)
	}
	for _, nested := range found {
		key := strings.Join(nested.Labels, "\x00")
		if first[key] == nil {
			first[key] = nested
		} else if len(nested.Labels) > 0 && !f.Block.Repeatable {
			r.report(declaredTwice(nested, first[key]))
			continue
		}
		element := path.Element(nested.Labels, count[key])
		count[key]++
		item := reflect.New(f.Block.Type)
		r.nested(f.Block, nested, item.Elem(), element)
		into.Set(reflect.Append(into, item))
	}
}
