// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// text encodes the definition as a string of canonical JSON. Each body is a
// flat object, so that a plan prints one line for each changed value:
//
//	{"prerequisite.script.wget": {"callbacks[0].commands[0]": "apt install wget", …}, "use": "prerequisite.script.wget"}
//
// The body of an item also has the keys marketplace and hash.
func (d *definition) text() string {
	tree := map[string]any{"use": d.Use}
	for key, body := range d.all() {
		flat := shape.Flatten(bodyTree(body))
		if item, ok := d.items[key]; ok {
			flat["marketplace"], flat["hash"] = item.marketplace, item.hash
		}
		tree[key] = flat
	}
	return string(shape.MarshalTree(tree))
}

// all returns prerequisites and storages.
func (d *definition) all() bodies {
	all := maps.Clone(d.Prerequisites)
	maps.Copy(all, d.Storages)
	return all
}

// isDefinition returns false for a name or an address.
func isDefinition(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), "{") }

func parseDefinition(text string) (*definition, bool) {
	if !isDefinition(text) {
		return nil, false
	}
	var parts map[string]json.RawMessage
	d := newDefinition("")
	if json.Unmarshal([]byte(text), &parts) != nil || json.Unmarshal(parts["use"], &d.Use) != nil || d.Use == "" {
		return nil, false
	}
	if parts["prerequisites"] != nil || parts["storages"] != nil {
		return parseHashed(text)
	}
	delete(parts, "use")
	for key, part := range parts {
		if !d.read(key, part) {
			return nil, false
		}
	}
	return d, true
}

// read adds a flat body, or returns false if the body is invalid.
func (d *definition) read(key string, part json.RawMessage) bool {
	parsed, err := shape.ParseJSON(part)
	flat, ok := parsed.(map[string]any)
	if err != nil || !ok {
		return false
	}
	hash, isItem := flat["hash"].(string)
	if isItem && !isStorage(key) {
		marketplace, _ := flat["marketplace"].(string)
		d.items[key] = origin{marketplace: marketplace, hash: hash}
		delete(flat, "hash")
		delete(flat, "marketplace")
	}
	tree, err := shape.Unflatten(flat)
	if err != nil {
		return false
	}
	d.put(key, shape.MarshalTree(tree))
	return true
}

// parseHashed parses a definition from a provider before version 0.1.0. Each
// key in the definition consists of an address, #, and a hash of the body.
// States and records of jobs may still contain such definitions.
func parseHashed(text string) (*definition, bool) {
	var old struct {
		Use                     string
		Prerequisites, Storages bodies
	}
	if json.Unmarshal([]byte(text), &old) != nil {
		return nil, false
	}
	keys := map[string]string{}
	d := newDefinition("")
	for _, key := range slices.Sorted(maps.Keys(old.Prerequisites)) {
		keys[key] = d.unusedKey(addressOf(key))
		d.Prerequisites[keys[key]] = old.Prerequisites[key]
	}
	for key, body := range old.Storages {
		keys[key] = addressOf(key)
		d.Storages[keys[key]] = body
	}
	for key, body := range d.Prerequisites {
		tree := bodyTree(body)
		replaceReferences(tree, func(target string) string { return rekeyed(keys, target) })
		d.Prerequisites[key] = shape.MarshalTree(tree)
	}
	d.Use = rekeyed(keys, old.Use)
	return d, true
}

// rekeyed replaces a hashed key. It does not change other strings.
func rekeyed(keys map[string]string, target string) string {
	if key, ok := keys[target]; ok {
		return key
	}
	return target
}

// respelled converts the definitions in a tree to the form of
// [definition.text].
func respelled(tree any) any {
	switch t := tree.(type) {
	case map[string]any:
		for key, v := range t {
			t[key] = respelled(v)
		}
	case []any:
		for i, v := range t {
			t[i] = respelled(v)
		}
	case string:
		if d, ok := parseDefinition(t); ok {
			return d.text()
		}
	}
	return tree
}

// sameReference reports whether the definitions x and y are identical,
// ignoring the origins of items and the on_destroy attributes of storages.
func sameReference(x, y string) bool {
	one, okOne := parseDefinition(x)
	two, okTwo := parseDefinition(y)
	if !okOne || !okTwo {
		return false
	}
	one.items, two.items = nil, nil
	for _, storages := range []bodies{one.Storages, two.Storages} {
		for key, body := range storages {
			storages[key] = withoutEnd(body)
		}
	}
	return one.text() == two.text()
}

// sameStorage reports whether two storage bodies are equivalent for a job.
func sameStorage(x, y json.RawMessage) bool {
	return bytes.Equal(x, y) || bytes.Equal(withoutEnd(x), withoutEnd(y))
}

// withoutEnd omits on_destroy.
func withoutEnd(body json.RawMessage) json.RawMessage {
	tree := bodyTree(body)
	delete(tree, "on_destroy")
	return shape.MarshalTree(tree)
}
