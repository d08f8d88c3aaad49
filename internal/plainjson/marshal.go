// SPDX-License-Identifier: MPL-2.0

package plainjson

import (
	"bytes"
	"encoding/json"
)

// Marshal returns the JSON of a value on one line, with sorted map keys and
// without a trailing newline. Equal values have equal encodings; hashes of
// applied jobs rely on that.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// MustMarshal is like [Marshal], but panics if JSON cannot represent the value.
func MustMarshal(v any) []byte {
	text, err := Marshal(v)
	if err != nil {
		panic("plainjson: " + err.Error())
	}
	return text
}

// MarshalIndent returns the JSON of a value with an indentation of two spaces
// and a trailing newline.
func MarshalIndent(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}
