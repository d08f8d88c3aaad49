// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"bytes"
	"encoding/json"
	"maps"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// definition is a reference to a prerequisite or storage. It contains the
// declarations of its target and all requirements of the target. The
// declarations are stored flat: no string contains a nested definition. See
// [definition.text].
type definition struct {
	Use           string // a key
	Prerequisites bodies
	Storages      bodies
	items         map[string]origin // origin of each prerequisite that is a marketplace item, keyed like Prerequisites
}

// origin is the source and hash of a marketplace item.
type origin struct{ marketplace, hash string }

// bodies are declarations as JSON, by key. The key is the address. The keys
// of further declarations with the same address have the suffixes #2, #3, and
// so on.
type bodies map[string]json.RawMessage

// bodyTree returns an empty map if the body is not an object.
func bodyTree(body json.RawMessage) map[string]any {
	parsed, err := shape.ParseJSON(body)
	if object, ok := parsed.(map[string]any); ok && err == nil {
		return object
	}
	return map[string]any{}
}

func newDefinition(use string) *definition {
	return &definition{Use: use, Prerequisites: bodies{}, Storages: bodies{}, items: map[string]origin{}}
}

// definitionOf returns the definition of a prerequisite, without the
// requirements of the prerequisite.
func definitionOf(p *hclspec.Prerequisite) *definition {
	d := newDefinition(p.Address().String())
	d.Prerequisites[d.Use] = shape.MarshalTree(prerequisiteObject.Encode(p))
	return d
}

func (d *definition) put(key string, body json.RawMessage) {
	if isStorage(key) {
		d.Storages[key] = body
		return
	}
	d.Prerequisites[key] = body
}

func (d *definition) unusedKey(address string) string {
	key := address
	for n := 2; d.Prerequisites[key] != nil; n++ {
		key = address + "#" + strconv.Itoa(n)
	}
	return key
}

func isStorage(key string) bool {
	return strings.HasPrefix(key, "storage.") || strings.HasPrefix(key, "storage[")
}

func addressOf(key string) string {
	address, _, _ := strings.Cut(key, "#")
	return address
}

// definitions collects the definitions in the references of one resource.
type definitions struct {
	decoder       *shape.Decoder
	collected     *definition
	prerequisites []*hclspec.Prerequisite
	storages      []*hclspec.Storage
}

// newDefinitions returns a collector. It sets the functions of d that resolve
// references.
func newDefinitions(d *shape.Decoder) *definitions {
	defs := &definitions{decoder: d, collected: newDefinition("")}
	d.Target, d.Inline = defs.target, defs.inline
	return defs
}

// target converts a definition to an address. It does not change other strings.
func (d *definitions) target(text string, at hclspec.Path) string {
	if !isDefinition(text) {
		return text
	}
	def, ok := parseDefinition(text)
	if !ok {
		d.report(InvalidDefinition, at, "This string begins with {, but is not the definition of an openpai_prerequisite or openpai_storage. Write a name, or refer to the definition of a resource.")
		return "invalid"
	}
	for _, key := range sortedKeys(def.Storages) {
		d.addStorage(key, def.Storages[key], at)
	}
	for _, key := range sortedKeys(def.Prerequisites) {
		d.addPrerequisite(key, def, at)
	}
	return addressOf(def.Use)
}

// inline decodes a definition that is used in place of a prerequisite object.
// It returns false if text is not a definition.
func (d *definitions) inline(text string, at hclspec.Path) bool {
	if !isDefinition(text) {
		return false
	}
	d.target(text, at)
	return true
}

func (d *definitions) report(e *hclspec.Entry, at hclspec.Path, format string, args ...any) {
	d.decoder.Diags = append(d.decoder.Diags, e.At(d.decoder.Places.Sources.Range(at), format, args...))
}

// addPrerequisite adds a body to the model. Diagnostics refer to the path of
// the reference.
func (d *definitions) addPrerequisite(key string, def *definition, at hclspec.Path) {
	address, body := addressOf(key), def.Prerequisites[key]
	if known, ok := d.collected.Prerequisites[address]; ok {
		if !bytes.Equal(known, body) {
			d.report(TwoDefinitions, at, "This resource uses two different definitions of %s. Rename one of the two.", address)
		}
		return
	}
	d.collected.Prerequisites[address] = body
	if item, ok := def.items[key]; ok {
		d.collected.items[address] = item
	}
	p := &hclspec.Prerequisite{}
	if d.decode(prerequisiteObject, body, p, hclspec.Path(address), at) {
		d.prerequisites = append(d.prerequisites, p)
	}
}

// addStorage adds a body to the model, without on_destroy: the value in a job may
// be outdated. Only the resource that declares the storage uses on_destroy.
func (d *definitions) addStorage(key string, body json.RawMessage, at hclspec.Path) {
	if known, ok := d.collected.Storages[key]; ok && sameStorage(known, body) {
		return
	}
	d.collected.Storages[key] = body
	address := addressOf(key)
	s := &hclspec.Storage{Name: hclspec.StorageName(address)}
	if d.decode(storageObject, body, s, hclspec.Path(address), at) {
		s.OnDestroy = ""
		d.storages = append(d.storages, s)
	}
}

// decode decodes the body of a definition. References in a body are addresses
// or keys of other bodies.
func (d *definitions) decode(o *shape.Object, body json.RawMessage, into any, address, at hclspec.Path) bool {
	tree, err := shape.ParseJSON(body)
	if err == nil {
		nested := shape.NewDecoder()
		nested.Target = func(text string, _ hclspec.Path) string { return addressOf(text) }
		value, funcErr := shape.Value(tree, o.Type())
		if funcErr == nil {
			nested.Decode(o, value, into, address, path.Empty())
			d.decoder.Places.Sources[address] = d.decoder.Places.Sources.Range(at)
			return true
		}
		err = funcErr
	}
	d.report(InvalidDefinition, at, "The definition of %s cannot be read: %s. To rewrite the definition, apply the resource that contains it.", address, err)
	return false
}

// closure returns the definition with all collected declarations.
func (d *definitions) closure(p *hclspec.Prerequisite) *definition {
	def := definitionOf(p)
	own := def.Prerequisites[def.Use]
	maps.Copy(def.Prerequisites, d.collected.Prerequisites)
	def.Prerequisites[def.Use] = own
	def.Storages, def.items = d.collected.Storages, d.collected.items
	return def
}
