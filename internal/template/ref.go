// SPDX-License-Identifier: MPL-2.0

package template

import (
	"errors"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Ref is the reference in a tag, such as $parameters.batch or this.mountPoint.
type Ref struct {
	// Root is the context without its dollar sign: "parameters", "secrets",
	// "data", "script", "output" or "this". The parser also accepts other words,
	// but the lookup finds no value for them.
	Root string
	// Path holds string keys and int indexes.
	Path []any
	// Text is the reference as the user wrote it, without surrounding spaces.
	Text string
}

// parseRef parses $root or "this", followed by steps: .key, [0], ["key"] or
// ['key']. A key after a dot ends at the next dot, bracket or space.
func parseRef(text string) (Ref, error) {
	text = strings.TrimSpace(text)
	ref := Ref{Text: text}
	rest, dollar := strings.CutPrefix(text, "$")
	ref.Root, rest = cutKey(rest)
	switch {
	case text == "":
		return ref, errors.New("is empty")
	case !dollar && ref.Root != "this":
		return ref, errors.New("does not start with $parameters, $secrets, $data, $script, $output or this")
	case ref.Root == "":
		return ref, errors.New("has no name after the $")
	}
	for rest != "" {
		step, after, err := cutStep(rest)
		if err != nil {
			return ref, err
		}
		ref.Path, rest = append(ref.Path, step), after
	}
	return ref, nil
}

func cutStep(text string) (step any, rest string, err error) {
	if key, ok := strings.CutPrefix(text, "."); ok {
		key, rest = cutKey(key)
		if key == "" {
			return nil, "", errors.New("has no name after a dot")
		}
		return key, rest, nil
	}
	inner, ok := strings.CutPrefix(text, "[")
	if !ok {
		return nil, "", errors.New(`does not have the form $parameters.name, $data.uri[0] or $parameters["a.b"]`)
	}
	if inner != "" && (inner[0] == '"' || inner[0] == '\'') {
		key, after, closed := strings.Cut(inner[1:], inner[:1]+"]")
		if !closed {
			return nil, "", errors.New("has an unclosed bracket")
		}
		return key, after, nil
	}
	digits, rest, closed := strings.Cut(inner, "]")
	if !closed {
		return nil, "", errors.New("has an unclosed bracket")
	}
	index, err := strconv.Atoi(strings.TrimSpace(digits))
	if err != nil || index < 0 {
		return nil, "", errors.New("has an invalid index: must be a nonnegative integer or a quoted key")
	}
	return index, rest, nil
}

// cutKey ends the key before a space or a delimiter, such as a dot, a bracket or
// a quote.
func cutKey(text string) (key, rest string) {
	for i, r := range text {
		if strings.ContainsRune(`.[]"'<>%$={}()`, r) || unicode.IsSpace(r) || r == utf8.RuneError {
			return text[:i], text[i:]
		}
	}
	return text, ""
}
