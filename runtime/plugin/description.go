// SPDX-License-Identifier: MPL-2.0

//go:build unix

package plugin

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// description is the desc.yaml of a plugin. Source: microsoft/openpai-runtime:
// src/plugins/*/desc.yaml.
type description struct {
	name       string
	initScript string
}

// parseDescription parses the two fields of desc.yaml. It accepts only simple YAML
// lines.
func parseDescription(text string) (description, error) {
	var d description
	fields := map[string]*string{"name": &d.name, "init-script": &d.initScript}
	seen := map[string]bool{}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, " \t\r\n")
		if bare := strings.TrimLeft(line, " \t"); bare == "" || bare[0] == '#' || line == "---" {
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		to, known := fields[key]
		switch {
		case !ok || !known:
			return d, fmt.Errorf("line %d is neither \"name: …\" nor \"init-script: …\"", n)
		case seen[key]:
			return d, fmt.Errorf("line %d sets %s again; remove one of the two lines", n, key)
		}
		seen[key] = true
		var err error
		if *to, err = scalar(value); err != nil {
			return d, fmt.Errorf("line %d: %w", n, err)
		}
	}
	if d.name == "" {
		return d, errors.New("name is missing")
	}
	return d, nil
}

// scalar parses a plain or quoted value on one line.
func scalar(text string) (string, error) {
	if text != "" && text[0] != ' ' && text[0] != '\t' {
		return "", errors.New("the colon is not followed by a space")
	}
	text = strings.TrimSpace(text)
	switch {
	case text == "" || text[0] == '#':
		return "", nil
	case text[0] == '"':
		value, err := strconv.Unquote(text)
		if err != nil {
			return "", errors.New("the quoted string is not closed, or is followed by other characters")
		}
		return value, nil
	case text[0] == '\'':
		inner, ok := strings.CutSuffix(text[1:], "'")
		if !ok || strings.Contains(strings.ReplaceAll(inner, "''", ""), "'") {
			return "", errors.New("the quoted string is not closed, or is followed by other characters")
		}
		return strings.ReplaceAll(inner, "''", "'"), nil
	case strings.ContainsAny(text[:1], "[]{}&*!|>%@`,?-"):
		return "", errors.New("the value is not a plain string")
	}
	if before, _, commented := strings.Cut(text, " #"); commented {
		text = strings.TrimSpace(before)
	}
	return text, nil
}
