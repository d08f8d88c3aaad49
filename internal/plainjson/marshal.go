// SPDX-License-Identifier: MPL-2.0

package plainjson

import (
	"bytes"
	"encoding/json"
)

// Marshal returns the JSON of a value on one line without a trailing newline.
// Map keys are sorted. Equal values have identical encodings. Callers rely on
// this property when they compare the hashes of encoded jobs.
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

// Encoder encodes values and reuses its buffer.
type Encoder struct {
	out  bytes.Buffer
	json *json.Encoder
}

// NewEncoder returns an encoder.
func NewEncoder() *Encoder {
	e := &Encoder{}
	e.json = json.NewEncoder(&e.out)
	e.json.SetEscapeHTML(false)
	return e
}

// MustMarshal encodes v like the function [MustMarshal]. The returned slice
// is valid only until the next call to the method.
func (e *Encoder) MustMarshal(v any) []byte {
	e.out.Reset()
	if err := e.json.Encode(v); err != nil {
		panic("plainjson: " + err.Error())
	}
	return bytes.TrimSuffix(e.out.Bytes(), []byte("\n"))
}

// MarshalIndent returns the JSON of a value with a trailing newline. The
// indentation is two spaces per level.
func MarshalIndent(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}
