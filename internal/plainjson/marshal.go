package plainjson

import (
	"bytes"
	"encoding/json"
)

// Marshal returns the JSON of a value on one line, keys of maps sorted, without
// a line break at the end. Equal values give equal bytes, which hashes of
// applied jobs rely on.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// MustMarshal is [Marshal] for values that JSON can hold; it panics on others.
func MustMarshal(v any) []byte {
	text, err := Marshal(v)
	if err != nil {
		panic("plainjson: " + err.Error())
	}
	return text
}

// MarshalIndent returns the JSON of a value with two spaces for each level, and
// a line break at the end.
func MarshalIndent(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}
