// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"fmt"
	"reflect"

	"github.com/hashicorp/hcl/v2"
	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// blockList decodes blocks in a list argument. An element is a name or an
// object with the arguments of a block.
func (r *reader) blockList(f *hclspec.Field, a *hcl.Attribute, into reflect.Value, path hclspec.Path) {
	n := r.argument(a)
	if n == nil || n.failed() {
		return
	}
	elements, ok := n.elements()
	if !ok {
		r.wrongType(f.Name, "a list of names", n, "")
		return
	}
	r.ws.Sources[path] = n.at
	for i, e := range elements {
		item := reflect.New(f.Block.Type)
		r.blockListElement(f, i, e, item.Elem(), path)
		into.Set(reflect.Append(into, item))
	}
}

func (r *reader) blockListElement(f *hclspec.Field, i int, n *node, into reflect.Value, path hclspec.Path) {
	label := into.FieldByName(f.Block.Labels[0])
	position := fmt.Sprintf("%s[%d]", f.Name, i)
	parts, isObject := n.parts()
	if !isObject {
		text, ok := stringOf(n.value, n.spelling)
		if !ok {
			r.wrongType(position, "a name or an object", n, "")
		}
		label.SetString(text)
		r.recordPath(into, path.Key(text), n)
		return
	}
	for _, p := range parts {
		field := f.Block.Field(p.key)
		switch {
		case field == nil:
			r.report(hclspec.UnknownArgument.At(p.keyAt, "Unknown key %q in %s.%s", p.key, position, hclspec.Suggest(p.key, fieldNames(f.Block))))
		case !p.value.isNull() && !p.value.failed():
			r.set(field, p.value, into.FieldByName(field.Go), path)
		}
	}
	if label.String() == "" {
		r.report(hclspec.MissingArgument.At(n.at, "%s needs a name.", position))
	}
	r.recordPath(into, path.Key(label.String()), n)
}

func (r *reader) recordPath(into reflect.Value, path hclspec.Path, n *node) {
	r.ws.Sources[path] = n.at
	into.FieldByName("Path").Set(reflect.ValueOf(path))
}

func fieldNames(b *hclspec.Block) []string {
	names := make([]string, len(b.Fields))
	for i := range b.Fields {
		names[i] = b.Fields[i].Name
	}
	return names
}
