// SPDX-License-Identifier: MPL-2.0

package initialize

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// decode parses YAML and rejects unknown keys.
func decode(name string, text []byte, out any) error {
	err := decodeStrictly(name, text, out)
	if err != nil && folded.Match(text) {
		return configErrorf("%v. The lines of the value were folded into one: in the Pod, write the value with | instead of >", err)
	}
	return err
}

// folded matches a line that contains two keys. YAML's folded style (>) joins
// lines with the same indentation into such a line.
var folded = regexp.MustCompile(`(?m)^[A-Za-z]+:.*[ \t](?:commands|runtimePlugin|initPlugins|image|stopGraceSeconds):(?:\s|$)|^(?:runtimePlugin|initPlugins): - `)

func decodeStrictly(name string, text []byte, out any) error {
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	err := decodeSingle(d, out)
	var typeErr *yaml.TypeError
	switch {
	case err == nil:
		return nil
	case strings.HasPrefix(err.Error(), invalidKey):
		return configErrorf("%s: a key must not be a list or a mapping", name)
	case !errors.As(err, &typeErr):
		return configErrorf("%s: %v", name, err)
	}
	messages := make([]string, len(typeErr.Errors))
	for i, e := range typeErr.Errors {
		messages[i] = describeYAMLError(e)
	}
	return configErrorf("%s: %s", name, strings.Join(messages, "; "))
}

var errSecondDocument = errors.New("it contains more than one document; remove all but one")

// decodeSingle decodes a single document into out. If the input is empty,
// decodeSingle does not change out.
func decodeSingle(d *yaml.Decoder, out any) error {
	err := d.Decode(out)
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err == nil {
		var next yaml.Node
		if more := d.Decode(&next); !errors.Is(more, io.EOF) {
			err = errSecondDocument
		}
	}
	return err
}

// invalidKey is the prefix of the decoder's error message for a key that is a
// list or mapping.
const invalidKey = "yaml: invalid map key: "

// Patterns that match the decoder's error messages for an unknown key and for
// a value of the wrong type. These messages contain Go types, which the
// file's author may not know.
var (
	unknownKey = regexp.MustCompile(`^(line \d+): field (.+) not found in type \S+$`)
	otherKind  = regexp.MustCompile("(?s)^(line \\d+): cannot unmarshal (!!\\w+)(?: (`.*`))? into (\\S+)$")
)

var (
	kindsInYAML = map[string]string{"!!map": "a mapping", "!!seq": "a list"}
	kindsInGo   = map[string]string{"string": "a string", "[]string": "a list of strings", "int": "an integer", "bool": "a bool"}
)

// describeYAMLError rewrites a decoder message without Go types.
func describeYAMLError(e string) string {
	if m := unknownKey.FindStringSubmatch(e); m != nil {
		return m[1] + ": " + m[2] + " is not understood"
	}
	m := otherKind.FindStringSubmatch(e)
	if m == nil {
		return e
	}
	wanted := "a mapping"
	if strings.HasPrefix(m[4], "[]") {
		wanted = "a list"
	}
	return m[1] + ": " + cmp.Or(m[3], kindsInYAML[m[2]], "this") + " is not " + cmp.Or(kindsInGo[strings.TrimPrefix(m[4], "*")], wanted)
}
