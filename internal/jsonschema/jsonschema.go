// SPDX-License-Identifier: MPL-2.0

package jsonschema

import (
	"cmp"
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
)

const dialect = "https://json-schema.org/draft/2020-12/schema"

// Document describes a schema to generate.
type Document struct {
	// ID is the $id of the schema.
	ID, Title, Description string
	// Types lists the alternatives: a valid value matches exactly one of them.
	Types []reflect.Type
	// Enums maps string types to their valid values.
	Enums map[reflect.Type][]string
	// Names maps types to the names of their definitions. It distinguishes
	// types that have the same name.
	Names map[reflect.Type]string
	// Closed makes the schema reject unknown properties. Published schemas are
	// open, because a later version may add properties.
	Closed bool
}

// object is a JSON Schema. encoding/json sorts its keys.
type object map[string]any

// Write returns the schema as indented JSON. The output is deterministic.
//
// The field tag `doc` sets the description. The tag `const` sets the only valid
// value. The schema does not allow null for slices and maps. However, encoding/json
// writes null for a nil slice or map without omitempty.
func Write(d Document) []byte {
	w := &writer{Document: d, defined: map[string]reflect.Type{}, defs: object{}}
	root := object{"$schema": dialect, "$id": d.ID, "title": d.Title, "description": d.Description}
	if len(d.Types) == 1 {
		maps.Copy(root, w.object(d.Types[0]))
	} else {
		var options []object
		for _, t := range d.Types {
			options = append(options, w.schema(t))
		}
		root["oneOf"] = options
	}
	if len(w.defs) > 0 {
		root["$defs"] = w.defs
	}
	text, err := plainjson.MarshalIndent(root)
	if err != nil {
		panic("jsonschema: " + err.Error()) // only maps, slices and strings
	}
	return text
}

type writer struct {
	Document
	defined map[string]reflect.Type
	defs    object
}

var (
	timeType      = reflect.TypeFor[time.Time]()
	rawType       = reflect.TypeFor[json.RawMessage]()
	marshalerType = reflect.TypeFor[json.Marshaler]()
	textType      = reflect.TypeFor[encoding.TextMarshaler]()
)

func (w *writer) schema(t reflect.Type) object {
	switch {
	case t == timeType:
		return object{"type": "string", "format": "date-time"}
	case t == rawType:
		return object{}
	case t.Kind() == reflect.Pointer:
		return w.schema(t.Elem())
	case t.Implements(marshalerType):
		return object{}
	case t.Implements(textType):
		return object{"type": "string"}
	}
	switch t.Kind() {
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return object{"type": "integer"}
	case reflect.Float32, reflect.Float64:
		return object{"type": "number"}
	case reflect.String:
		if values := w.Enums[t]; values != nil {
			return object{"enum": values}
		}
		return object{"type": "string"}
	case reflect.Slice, reflect.Array:
		return object{"type": "array", "items": w.schema(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": w.schema(t.Elem())}
	case reflect.Interface:
		return object{}
	case reflect.Struct:
		return w.reference(t)
	}
	panic(fmt.Sprintf("jsonschema: type %s is not supported", t))
}

func (w *writer) reference(t reflect.Type) object {
	name := cmp.Or(w.Names[t], t.Name())
	if name == "" {
		return w.object(t)
	}
	name = strings.TrimSuffix(strings.ToLower(name[:1])+name[1:], "JSON")
	if known := w.defined[name]; known != nil && known != t { // two packages have the same type name
		name = path.Base(t.PkgPath()) + strings.ToUpper(name[:1]) + name[1:]
	}
	if w.defined[name] == nil {
		w.defined[name] = t
		w.defs[name] = object{} // a type can contain itself
		w.defs[name] = w.object(t)
	}
	return object{"$ref": "#/$defs/" + name}
}

// object returns the schema of a struct.
func (w *writer) object(t reflect.Type) object {
	properties, required := object{}, []string{}
	for _, f := range visible(t) {
		name, omitted := jsonName(f)
		s := w.schema(f.Type)
		if only, ok := f.Tag.Lookup("const"); ok {
			s = object{"const": only}
		}
		if f.Type.Kind() == reflect.Pointer && !omitted && len(s) > 0 {
			s = object{"anyOf": []object{s, {"type": "null"}}}
		}
		if doc, ok := f.Tag.Lookup("doc"); ok {
			s["description"] = doc
		}
		properties[name] = s
		if !omitted {
			required = append(required, name)
		}
	}
	slices.Sort(required)
	o := object{"type": "object", "properties": properties, "required": required}
	if w.Closed {
		o["additionalProperties"] = false
	}
	return o
}

// visible returns the fields that encoding/json writes. An outer field takes
// precedence over an embedded field with the same JSON name.
func visible(t reflect.Type) []reflect.StructField {
	byName := map[string]reflect.StructField{}
	var order []string
	for _, f := range reflect.VisibleFields(t) {
		tag, tagged := f.Tag.Lookup("json")
		if tag == "-" || !f.IsExported() && !f.Anonymous || f.Anonymous && !tagged {
			continue
		}
		name, _ := jsonName(f)
		known, ok := byName[name]
		if !ok {
			order = append(order, name)
		}
		if !ok || len(f.Index) < len(known.Index) {
			byName[name] = f
		}
	}
	var all []reflect.StructField
	for _, name := range order {
		all = append(all, byName[name])
	}
	return all
}

// jsonName returns the JSON name of a field, and whether encoding/json may
// omit the field.
func jsonName(f reflect.StructField) (name string, omitted bool) {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "" {
		name = f.Name
	}
	return name, strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero")
}
