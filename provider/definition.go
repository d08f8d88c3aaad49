package provider

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// definition is the text by which resources refer to prerequisites and
// storages: canonical JSON. All prerequisites that are needed stand side by
// side, by the key "address#hash", so that no text holds another one.
type definition struct {
	Use           string `json:"use"`
	Prerequisites bodies `json:"prerequisites,omitempty"`
	Storages      bodies `json:"storages,omitempty"`
}

// bodies are declarations as JSON, by key.
type bodies map[string]json.RawMessage

func (d *definition) text() string { return string(shape.MarshalTree(d)) }

// isDefinition reports whether a reference is a definition and no name.
func isDefinition(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), "{") }

// hashedKey names a body by its address and content.
func hashedKey(address hclspec.Address, body []byte) string {
	sum := sha256.Sum256(body)
	return string(address) + "#" + hex.EncodeToString(sum[:8])
}

// definitions collects what the references of one resource bring along.
type definitions struct {
	decoder       *shape.Decoder
	bodies        bodies                     // of prerequisites
	keys          map[hclspec.Address]string // the one key of an address
	prerequisites []*hclspec.Prerequisite
	storages      []*hclspec.Storage
	storageBodies bodies
}

func newDefinitions(d *shape.Decoder) *definitions {
	return &definitions{
		decoder: d, bodies: bodies{}, keys: map[hclspec.Address]string{}, storageBodies: bodies{},
	}
}

// target turns the text of a reference into an address. A text that is no
// definition is kept.
func (d *definitions) target(text string, at hclspec.Path) string {
	if !isDefinition(text) {
		return text
	}
	def, ok := parseDefinition(text)
	if !ok {
		d.report(InvalidDefinition, at, "This is no definition of an openpai_prerequisite or openpai_storage, though it begins with {. Write a name, or refer to the definition of a resource.")
		return "invalid"
	}
	for _, key := range sortedKeys(def.Storages) {
		d.addStorage(key, def.Storages[key], at)
	}
	for _, key := range sortedKeys(def.Prerequisites) {
		d.addPrerequisite(key, def.Prerequisites[key], at)
	}
	return withoutHash(def.Use)
}

func withoutHash(key string) string {
	address, _, _ := strings.Cut(key, "#")
	return address
}

func (d *definitions) report(e *hclspec.Entry, at hclspec.Path, format string, args ...any) {
	d.decoder.Diags = append(d.decoder.Diags, e.At(d.decoder.Places.Sources.Range(at), format, args...))
}

// addPrerequisite makes a body of a definition known to the model. What it
// says is found at the reference that brought it in.
func (d *definitions) addPrerequisite(key string, body json.RawMessage, at hclspec.Path) {
	address := hclspec.Address(withoutHash(key))
	if known, ok := d.keys[address]; ok {
		if known != key {
			d.report(TwoDefinitions, at, "%s is used here with two different definitions. Rename one of the two.", address)
		}
		return
	}
	d.keys[address], d.bodies[key] = key, body
	p := &hclspec.Prerequisite{}
	if d.decode(prerequisiteObject, body, p, hclspec.Path(address), at) {
		d.prerequisites = append(d.prerequisites, p)
	}
}

func (d *definitions) addStorage(key string, body json.RawMessage, at hclspec.Path) {
	if _, known := d.storageBodies[key]; known {
		return
	}
	d.storageBodies[key] = body
	address := withoutHash(key)
	s := &hclspec.Storage{Name: hclspec.StorageName(address)}
	if d.decode(storageObject, body, s, hclspec.Path(address), at) {
		d.storages = append(d.storages, s)
	}
}

// decode reads a body into the model. Its references are addresses, or keys of
// other bodies.
func (d *definitions) decode(o *shape.Object, body json.RawMessage, into any, address, at hclspec.Path) bool {
	tree, err := shape.ParseJSON(body)
	if err == nil {
		nested := shape.NewDecoder()
		nested.Target = func(text string, _ hclspec.Path) string { return withoutHash(text) }
		value, funcErr := shape.Value(tree, o.Type())
		if funcErr == nil {
			nested.Decode(o, value, into, address, path.Empty())
			d.decoder.Places.Sources[address] = d.decoder.Places.Sources.Range(at)
			return true
		}
		err = funcErr
	}
	d.report(InvalidDefinition, at, "The definition of %s cannot be read: %s. Apply the resource that it comes from again.", address, err)
	return false
}

// closure returns a definition of one more body together with all that was
// collected.
func (d *definitions) closure(key string, body []byte) *definition {
	def := &definition{Use: key, Prerequisites: bodies{key: body}, Storages: bodies{}}
	for k, b := range d.bodies {
		def.Prerequisites[k] = b
	}
	for k, b := range d.storageBodies {
		def.Storages[k] = b
	}
	return def
}

// keyed returns the key of an address that was collected, or the address.
func (d *definitions) keyed(target string) string {
	if key, ok := d.keys[hclspec.Address(target)]; ok {
		return key
	}
	return target
}
