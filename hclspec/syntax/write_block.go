// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"reflect"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// block writes a struct of the model. The argument path is used if the struct
// does not contain a path. Arguments come first, in the order of the field
// table, then nested blocks.
func (w *writer) block(b *hclspec.Block, name string, v reflect.Value, path hclspec.Path) *block {
	if own := v.FieldByName("Path"); own.IsValid() && own.Type() == reflect.TypeFor[hclspec.Path]() && own.String() != "" {
		path = hclspec.Path(own.String())
	}
	out := &block{name: name, path: path}
	for _, label := range b.Labels {
		out.labels = append(out.labels, v.FieldByName(label).String())
	}
	for i := range b.Fields {
		f := &b.Fields[i]
		if f.Block == nil && f.Go != "" && b.InBody(f) {
			w.argument(out, f, v.FieldByName(f.Go))
		}
	}
	for i := range b.Fields {
		f := &b.Fields[i]
		if f.Block != nil && f.Go != "" && b.InBody(f) {
			w.nested(out, f, v.FieldByName(f.Go))
		}
	}
	return out
}

// argument adds an argument to out. It omits a default value, unless the
// field is required or the source contains the value.
func (w *writer) argument(out *block, f *hclspec.Field, v reflect.Value) {
	byDefault := reflect.New(v.Type()).Elem()
	f.SetDefault(byDefault)
	if reflect.DeepEqual(v.Interface(), byDefault.Interface()) && !f.Required && !w.isExplicit(f, v, out.path.Attr(f.Name)) {
		return
	}
	if written := w.value(f, v, out.path.Attr(f.Name)); written != nil {
		out.set(f.Name, written)
	}
}

// isExplicit reports whether the source contains a value for the field.
func (w *writer) isExplicit(f *hclspec.Field, v reflect.Value, path hclspec.Path) bool {
	isScalar := f.Kind == hclspec.Int || f.Kind == hclspec.Bool || f.Kind == hclspec.String && v.String() != ""
	return isScalar && w.options.Explicit != nil && w.options.Explicit(path)
}

func (w *writer) nested(out *block, f *hclspec.Field, v reflect.Value) {
	path := out.path.Attr(f.Name)
	switch f.Kind {
	case hclspec.OptionalObject:
		if !v.IsNil() {
			out.blocks = append(out.blocks, w.block(f.Block, f.Name, v.Elem(), path))
		}
	case hclspec.Object:
		nested := w.block(f.Block, f.Name, v, path)
		if f.Required || len(nested.attributes)+len(nested.blocks) > 0 {
			out.blocks = append(out.blocks, nested)
		}
	default:
		if f.AlsoList() && onlyLabels(f, v) {
			if v.Len() > 0 {
				out.set(f.Name, labelList(f, v))
			}
			return
		}
		for i := range v.Len() {
			out.blocks = append(out.blocks, w.block(f.Block, f.BlockType(), v.Index(i).Elem(), path.Index(i)))
		}
	}
}

// onlyLabels reports whether each block has only a label: no arguments and no
// nested blocks.
func onlyLabels(f *hclspec.Field, v reflect.Value) bool {
	for i := range v.Len() {
		rest := reflect.New(f.Block.Type).Elem()
		rest.Set(v.Index(i).Elem())
		rest.FieldByName(f.Block.Labels[0]).SetZero()
		rest.FieldByName("Path").SetZero()
		if !rest.IsZero() {
			return false
		}
	}
	return true
}

func labelList(f *hclspec.Field, v reflect.Value) list {
	names := list{}
	for i := range v.Len() {
		names = append(names, element{value: template{{plain: v.Index(i).Elem().FieldByName(f.Block.Labels[0]).String()}}})
	}
	return names
}
