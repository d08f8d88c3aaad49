// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"go.yaml.in/yaml/v3"
)

// maxDocuments is the maximum number of documents in a file of items.
const maxDocuments = 1000

// documents returns the content of each document. After an error, it returns
// nil, because a partially parsed file cannot be checked.
func documents(s *source) ([]*yaml.Node, hcl.Diagnostics) {
	if d := checkSize(s); d != nil {
		return nil, hcl.Diagnostics{d}
	}
	decoder := yaml.NewDecoder(bytes.NewReader(s.yaml()))
	var found []*yaml.Node
	for {
		doc, err := decodeDocument(decoder)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, hcl.Diagnostics{syntaxError(s, err)}
		}
		if len(doc.Content) == 0 || isEmptyDocument(doc.Content[0]) {
			continue
		}
		if len(found) == maxDocuments {
			return nil, hcl.Diagnostics{YAMLTooLarge.At(s.at(doc), "%s contains more than %d documents. Split the items across several files.", s.name, maxDocuments)}
		}
		found = append(found, doc.Content[0])
	}
	c := &checker{src: s, sizes: map[*yaml.Node]int{}, depths: map[*yaml.Node]int{}, active: map[*yaml.Node]bool{}}
	for _, n := range found {
		c.document(n)
	}
	if c.diags.HasErrors() {
		return nil, c.diags
	}
	return found, c.diags
}

// isEmptyDocument reports whether a document is empty, such as the document
// before a leading "---" line.
func isEmptyDocument(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "" && n.ShortTag() == "!!null"
}

// decodeDocument parses one document. The parser is a third-party library and
// reads untrusted files. If it panics, decodeDocument returns an error.
func decodeDocument(d *yaml.Decoder) (doc *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errors.New("the file cannot be parsed")
		}
	}()
	doc = &yaml.Node{}
	return doc, d.Decode(doc)
}

func checkSize(s *source) *hcl.Diagnostic {
	if !utf8.Valid(s.text) {
		return InvalidYAML.At(s.start(), "%s is not valid UTF-8. Save it as UTF-8.", s.name)
	}
	if len(s.text) > maxBytes {
		return YAMLTooLarge.At(s.start(), "%s has %d bytes. Job files may have at most %d bytes. Move data out of the job, for example into a file that a prerequisite fetches.", s.name, len(s.text), maxBytes)
	}
	starters := 0
	for _, c := range s.text {
		if c == '\n' || c == '\r' || c == ',' || c == '[' || c == '{' {
			starters++
		}
	}
	if starters > maxStarters {
		return YAMLTooLarge.At(s.start(), "%s has more than %d lines and list elements in total. Move data out of the job, for example into a file that a prerequisite fetches.", s.name, maxStarters)
	}
	return nil
}

var errorLine = regexp.MustCompile(`line (\d+): `)

// syntaxError extracts the position of the diagnostic from the error text.
func syntaxError(s *source, err error) *hcl.Diagnostic {
	message := err.Error()
	if strings.Contains(message, "exceeded max depth") {
		return YAMLTooLarge.At(s.start(), "%s is nested too deeply. At most %d levels of nesting are allowed.", s.name, maxDepth)
	}
	at := s.start()
	if m := errorLine.FindStringSubmatch(message); m != nil {
		number, _ := strconv.Atoi(m[1])
		at = s.lineRange(number)
	}
	return InvalidYAML.At(at, "The YAML parser reports %q. %s", message, syntaxAdvice(message))
}

func syntaxAdvice(message string) string {
	switch {
	case strings.Contains(message, "mapping values are not allowed"):
		return "Either this line or the previous line has the wrong indentation, or a value that contains a colon followed by a space needs quotes."
	case strings.Contains(message, "tab"), strings.Contains(message, "cannot start any token"):
		return "Indent with spaces, and quote values that begin with a special character."
	case strings.Contains(message, "unknown anchor"):
		return "An alias (*name) requires an anchor (&name) above it. If the value is a string that begins with an asterisk, put it in quotes."
	}
	return "Check the indentation and the quotes near this line."
}
