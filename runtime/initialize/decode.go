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

// decode reads YAML strictly: a key that is not known is a mistake.
func decode(name string, text []byte, out any) error {
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	err := onlyDocument(d, out)
	var wrong *yaml.TypeError
	switch {
	case err == nil:
		return nil
	case strings.HasPrefix(err.Error(), invalidKey):
		return mistaken("%s: a key is a list or a mapping", name)
	case !errors.As(err, &wrong):
		return mistaken("%s: %v", name, err)
	}
	places := make([]string, len(wrong.Errors))
	for i, e := range wrong.Errors {
		places[i] = inWords(e)
	}
	return mistaken("%s: %s", name, strings.Join(places, "; "))
}

var errSecondDocument = errors.New("there is more than one document in it; one counts, so the others must go")

// onlyDocument decodes the one document that there may be; nothing is one that
// says nothing.
func onlyDocument(d *yaml.Decoder, out any) error {
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

// invalidKey begins what the decoder says of a list or mapping as a key.
const invalidKey = "yaml: invalid map key: "

// What the decoder says of a value that does not fit. It names types of Go,
// which are nothing to whoever wrote the file.
var (
	unknownKey = regexp.MustCompile(`^(line \d+): field (.+) not found in type \S+$`)
	otherKind  = regexp.MustCompile("(?s)^(line \\d+): cannot unmarshal (!!\\w+)(?: (`.*`))? into (\\S+)$")
)

var (
	kindsInYAML = map[string]string{"!!map": "a mapping", "!!seq": "a list"}
	kindsInGo   = map[string]string{"string": "a text", "[]string": "a list of texts", "int": "a whole number", "bool": "true or false"}
)

// inWords says without types of Go what the decoder found.
func inWords(e string) string {
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
