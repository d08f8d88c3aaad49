// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// setReference stores a Reference or a name.
func (r *reader) setReference(f *hclspec.Field, n *node, into reflect.Value, path hclspec.Path) bool {
	if into.Kind() == reflect.String {
		if n.isReference() && !r.refersTo(n, "cluster", f.Name) {
			return false
		}
		return assign(into, func() (string, bool) { return r.decodeString(f, n) })
	}
	ref, ok := r.reference(f.Name, n, path)
	if ok {
		into.Set(reflect.ValueOf(ref))
	}
	return ok
}

// references decodes a list of references without null elements.
func (r *reader) references(f *hclspec.Field, n *node, path hclspec.Path) ([]hclspec.Reference, bool) {
	elements, ok := n.elements()
	if !ok {
		r.wrongType(f.Name, "a list of references", n, fmt.Sprintf(" Write %s = [ ... ].", f.Name))
		return nil, false
	}
	refs := []hclspec.Reference{}
	for _, e := range elements {
		if e.isNull() {
			continue
		}
		ref, good := r.reference(fmt.Sprintf("%s[%d]", f.Name, len(refs)), e, path.Index(len(refs)))
		ok = ok && good
		refs = append(refs, ref)
	}
	return refs, ok
}

// reference decodes prerequisite.t.n, "name" or { use = ..., with = { ... } }.
func (r *reader) reference(name string, n *node, path hclspec.Path) (hclspec.Reference, bool) {
	r.ws.Sources[path] = n.at
	ref := hclspec.Reference{Path: path}
	parts, isObject := n.parts()
	if !isObject {
		var ok bool
		ref.Target, ok = r.targetName(name, "prerequisite", n)
		return ref, ok
	}
	if r.unindexedForEach(name, parts, n) {
		return ref, false
	}
	ok := r.checkKeys(name, parts, "use", "with")
	used := false
	for _, p := range parts {
		switch p.key {
		case "use":
			var good bool
			ref.Target, good = r.targetName(name+".use", "prerequisite", p.value)
			ok, used = ok && good, true
		case "with":
			if _, isObject := p.value.parts(); !isObject {
				if !p.value.isNull() {
					r.wrongType(name+".with", "an object", p.value, "")
					ok = false
				}
				continue
			}
			ref.With = r.dynamic(p.value, path.Attr("with")).(map[string]any)
		}
	}
	if !used {
		r.report(hclspec.MissingArgument.At(n.at, "%s requires the key \"use\", which selects the prerequisite.", name))
	}
	return ref, ok && used
}

// targetName decodes a reference to a declaration of the given kind, or a name.
func (r *reader) targetName(name, kind string, n *node) (string, bool) {
	if n.isReference() {
		return n.attribute("address"), r.refersTo(n, kind, name)
	}
	text, ok := stringOf(n.value, "")
	if !ok {
		r.wrongType(name, "a reference to a "+kind+" or its name", n, "")
		return "", false
	}
	if text == "" {
		r.report(hclspec.InvalidSpelling.At(n.at, "%s must be the name of a %s, but it is an empty string.", name, kind))
		return "", false
	}
	return text, true
}

// unindexedForEach reports a reference to all instances of a for_each declaration.
// The value of the reference is an object with one reference per key.
func (r *reader) unindexedForEach(name string, parts []part, n *node) bool {
	if n.object != nil || len(parts) == 0 {
		return false
	}
	for _, p := range parts {
		if !p.value.isReference() || !strings.HasSuffix(p.value.attribute("address"), instanceLabel("", p.key)) {
			return false
		}
	}
	r.report(hclspec.WrongType.At(n.at, "%s refers to all instances of a for_each declaration. Select one instance by its key, for example %s.", name, parts[0].value.attribute("address")))
	return true
}

// refersTo reports a reference to a declaration of another kind.
func (r *reader) refersTo(n *node, kind, name string) bool {
	address := n.attribute("address")
	local := hclspec.Address(address).Local().String()
	if strings.HasPrefix(local, kind+".") || strings.HasPrefix(local, kind+"[") {
		return true
	}
	r.report(hclspec.WrongType.At(n.at, "%s must refer to a %s, but it refers to %s.", name, kind, address))
	return false
}

func (r *reader) checkKeys(name string, parts []part, keys ...string) bool {
	ok := true
	for _, p := range parts {
		found := false
		for _, k := range keys {
			found = found || k == p.key
		}
		if !found {
			r.report(hclspec.UnknownArgument.At(p.keyAt, "%s: unknown key %q; valid keys are %s.%s", name, p.key, strings.Join(keys, ", "), hclspec.Suggest(p.key, keys)))
			ok = false
		}
	}
	return ok
}

// storageUses decodes a list of storages. The elements may be references,
// names or objects.
func (r *reader) storageUses(f *hclspec.Field, n *node, path hclspec.Path) ([]*hclspec.StorageUse, bool) {
	elements, ok := n.elements()
	if !ok {
		r.wrongType(f.Name, "a list of storages", n, fmt.Sprintf(" Write %s = [{ use = storage.name, mount_path = \"/mnt/name\" }].", f.Name))
		return nil, false
	}
	uses := []*hclspec.StorageUse{}
	for _, e := range elements {
		if e.isNull() {
			continue
		}
		use, good := r.storageUse(fmt.Sprintf("%s[%d]", f.Name, len(uses)), e, path.Index(len(uses)))
		ok = ok && good
		uses = append(uses, use)
	}
	return uses, ok
}

func (r *reader) storageUse(name string, n *node, path hclspec.Path) (*hclspec.StorageUse, bool) {
	r.ws.Sources[path] = n.at
	use := &hclspec.StorageUse{Path: path}
	parts, isObject := n.parts()
	if !isObject {
		var ok bool
		use.Name, ok = r.targetName(name, "storage", n)
		return use, ok
	}
	if r.unindexedForEach(name, parts, n) {
		return use, false
	}
	ok := r.checkKeys(name, parts, "use", "mount_path", "read_only")
	for _, p := range parts {
		good := true
		r.ws.Sources[path.Attr(p.key)] = p.value.at
		switch {
		case p.key == "use":
			use.Name, good = r.targetName(name+".use", "storage", p.value)
		case p.value.isNull():
		case p.key == "mount_path":
			use.MountPath, good = r.decodeString(&hclspec.Field{Name: name + ".mount_path"}, p.value)
		case p.key == "read_only":
			use.ReadOnly, good = r.decodeBool(&hclspec.Field{Name: name + ".read_only"}, p.value)
		}
		ok = ok && good
	}
	if use.Name == "" && ok {
		r.report(hclspec.MissingArgument.At(n.at, "%s requires the key \"use\", which selects the storage.", name))
		return use, false
	}
	return use, ok
}
