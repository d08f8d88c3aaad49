// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func (w *writer) value(f *hclspec.Field, v reflect.Value, path hclspec.Path) value {
	for v.Kind() == reflect.Pointer && !v.IsNil() && f.Kind != hclspec.Text {
		v = v.Elem()
	}
	switch f.Kind {
	case hclspec.Text:
		return nil // the env argument replaces the value of a secret
	case hclspec.Dur:
		return template{{plain: v.Interface().(hclspec.Duration).String()}}
	case hclspec.OneOrMore:
		if v.Len() == 1 {
			return w.template(v.Index(0).String())
		}
	case hclspec.Ref:
		return w.singleReference(v, path)
	case hclspec.Refs:
		refs := list{}
		for i, r := range v.Interface().([]hclspec.Reference) {
			refs = append(refs, element{path: path.Index(i), value: w.reference(r, path.Index(i))})
		}
		return refs
	case hclspec.StorageUses:
		uses := list{}
		for i, u := range v.Interface().([]*hclspec.StorageUse) {
			uses = append(uses, element{path: path.Index(i), value: w.storageUse(u, path.Index(i))})
		}
		return uses
	}
	return w.plain(v, path)
}

// plain writes a value whose notation does not depend on the field.
func (w *writer) plain(v reflect.Value, path hclspec.Path) value {
	if name, ok := w.variables[path]; ok {
		return expression("var." + name)
	}
	if v.Kind() == reflect.Interface {
		if v.IsNil() {
			return literal("null")
		}
		v = v.Elem()
	}
	if n, ok := v.Interface().(hclspec.Number); ok {
		if n.InJSON() {
			return literal(n)
		}
		return w.template(string(n))
	}
	switch v.Kind() {
	case reflect.String:
		return w.template(v.String())
	case reflect.Bool:
		return literal(strconv.FormatBool(v.Bool()))
	case reflect.Int:
		return literal(strconv.FormatInt(v.Int(), 10))
	case reflect.Slice:
		elements := list{}
		for i := range v.Len() {
			elements = append(elements, element{path: path.Index(i), value: w.plain(v.Index(i), path.Index(i))})
		}
		return elements
	case reflect.Map:
		keys := map[string]reflect.Value{}
		for _, k := range v.MapKeys() {
			keys[k.String()] = v.MapIndex(k)
		}
		o := object{}
		for _, k := range slices.Sorted(maps.Keys(keys)) {
			o = append(o, attribute{path: path.Key(k), name: k, value: w.plain(keys[k], path.Key(k))})
		}
		return o
	}
	panic("syntax: the model holds a " + v.Kind().String())
}

// writtenTag finds secret tags that [secretTag] wrote. It does not match tags
// whose names contain "<", so template leaves these tags unchanged.
var writtenTag = regexp.MustCompile(`<% \$secrets[^<]*? %>`)

// template turns the tags of declared secrets into references.
func (w *writer) template(s string) template {
	parts := template{}
	done := 0
	for _, at := range writtenTag.FindAllStringIndex(s, -1) {
		reference, declared := w.secrets[s[at[0]:at[1]]]
		if !declared {
			continue
		}
		if at[0] > done {
			parts = append(parts, templatePart{plain: s[done:at[0]]})
		}
		parts = append(parts, templatePart{interp: reference})
		done = at[1]
	}
	if done < len(s) || len(parts) == 0 {
		parts = append(parts, templatePart{plain: s[done:]})
	}
	return parts
}

// singleReference writes a Reference or a cluster name.
func (w *writer) singleReference(v reflect.Value, path hclspec.Path) value {
	if v.Kind() == reflect.String {
		if address := hclspec.NewAddress("cluster", v.String()).String(); w.declared[address] {
			return expression(address)
		}
		return w.template(v.String())
	}
	return w.reference(v.Interface().(hclspec.Reference), path)
}

func (w *writer) target(name string) value {
	if w.declared[name] {
		return expression(name)
	}
	return w.template(name)
}

func (w *writer) reference(r hclspec.Reference, path hclspec.Path) value {
	if r.With == nil {
		return w.target(r.Target)
	}
	return object{
		{name: "use", value: w.target(r.Target)},
		{name: "with", value: w.plain(reflect.ValueOf(r.With), path.Attr("with"))},
	}
}

func (w *writer) storageUse(u *hclspec.StorageUse, path hclspec.Path) value {
	if u.MountPath == "" && !u.ReadOnly {
		return w.target(u.Name)
	}
	o := object{{path: path.Attr("use"), name: "use", value: w.target(u.Name)}}
	if u.MountPath != "" {
		o = append(o, attribute{path: path.Attr("mount_path"), name: "mount_path", value: w.template(u.MountPath)})
	}
	if u.ReadOnly {
		o = append(o, attribute{path: path.Attr("read_only"), name: "read_only", value: literal("true")})
	}
	return o
}
