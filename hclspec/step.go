// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"strconv"
	"strings"
)

// step is one part of a path: a dotted name, or a key or index in brackets.
type step struct {
	kind stepKind
	text string // the name, the key, or the digits of an index
}

type stepKind int

const (
	stepName stepKind = iota
	stepKey
	stepIndex
)

// steps splits a path into its parts. It stops before a malformed part. Only
// a path from the methods of [Path] is always well-formed.
func (p Path) steps() []step {
	all := make([]step, 0, 1+strings.Count(string(p), ".")+strings.Count(string(p), "["))
	rest := string(p)
	for rest != "" {
		var s step
		switch {
		case strings.HasPrefix(rest, `["`):
			quoted, err := strconv.QuotedPrefix(rest[1:])
			if err != nil || !strings.HasPrefix(rest[1+len(quoted):], "]") {
				return all
			}
			key, _ := strconv.Unquote(quoted)
			s, rest = step{stepKey, key}, rest[len(quoted)+2:]
		case rest[0] == '[':
			digits, remainder, ok := strings.Cut(rest[1:], "]")
			if !ok {
				return all
			}
			s, rest = step{stepIndex, digits}, remainder
		default:
			rest = strings.TrimPrefix(rest, ".")
			end := strings.IndexAny(rest, ".[")
			if end < 0 {
				end = len(rest)
			}
			s, rest = step{stepName, rest[:end]}, rest[end:]
		}
		all = append(all, s)
	}
	return all
}
