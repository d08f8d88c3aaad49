// SPDX-License-Identifier: MPL-2.0

package shape

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Flatten returns the leaves of an object. Each key of the result is the path of
// a leaf, for example callbacks[0].commands[1]. A plan that compares two flat
// objects prints one line for each changed value, at any depth. Empty lists and
// objects are leaves. A key that is not a word is quoted: environment["A.B"].
func Flatten(object map[string]any) map[string]any {
	flat := map[string]any{}
	for key, v := range object {
		flatten(flat, member("", key), v)
	}
	return flat
}

func flatten(flat map[string]any, at string, tree any) {
	switch t := tree.(type) {
	case map[string]any:
		for key, v := range t {
			flatten(flat, member(at, key), v)
		}
		if len(t) > 0 {
			return
		}
	case []any:
		for i, v := range t {
			flatten(flat, at+"["+strconv.Itoa(i)+"]", v)
		}
		if len(t) > 0 {
			return
		}
	}
	flat[at] = tree
}

var word = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// member returns the path of a key in an object. The parameter at is the path
// of the object.
func member(at, key string) string {
	switch {
	case !word.MatchString(key):
		return at + "[" + string(MarshalTree(key)) + "]"
	case at == "":
		return key
	}
	return at + "." + key
}

// Unflatten is the reverse of [Flatten]. The error contains the invalid path.
func Unflatten(flat map[string]any) (map[string]any, error) {
	root := &branch{}
	for _, path := range slices.Sorted(maps.Keys(flat)) {
		steps, err := steps(path)
		if err != nil {
			return nil, fmt.Errorf("path %q: %w", path, err)
		}
		if !root.put(steps, flat[path]) {
			return nil, fmt.Errorf("path %q conflicts with another path", path)
		}
	}
	tree, err := root.tree()
	if err != nil {
		return nil, err
	}
	object, ok := tree.(map[string]any)
	if !ok {
		return nil, errors.New("the outermost value must be an object, but it is a list")
	}
	return object, nil
}

// steps splits a path into keys (string) and indexes (int).
func steps(path string) ([]any, error) {
	var all []any
	for rest := path; rest != ""; {
		step, after, err := nextStep(rest, all == nil)
		if err != nil {
			return nil, err
		}
		all, rest = append(all, step), after
	}
	if all == nil {
		return nil, errors.New("it is empty")
	}
	return all, nil
}

func nextStep(rest string, first bool) (step any, after string, err error) {
	if inside, ok := strings.CutPrefix(rest, "["); ok {
		return bracketed(inside)
	}
	if !first {
		var ok bool
		if rest, ok = strings.CutPrefix(rest, "."); !ok {
			return nil, "", fmt.Errorf("expected . or [ before %q", rest)
		}
	}
	end := strings.IndexAny(rest, ".[")
	if end < 0 {
		end = len(rest)
	}
	if !word.MatchString(rest[:end]) {
		return nil, "", fmt.Errorf("expected a word, found %q", rest[:end])
	}
	return rest[:end], rest[end:], nil
}

// bracketed parses an index or a quoted key, and its closing bracket.
func bracketed(inside string) (step any, after string, err error) {
	d := json.NewDecoder(strings.NewReader(inside))
	if err := d.Decode(&step); err != nil {
		return nil, "", errors.New("expected an index or a quoted key after [")
	}
	if n, ok := step.(float64); ok {
		index := int(n)
		if index < 0 || float64(index) != n {
			return nil, "", fmt.Errorf("%v is not an index", n)
		}
		step = index
	} else if _, ok := step.(string); !ok {
		return nil, "", fmt.Errorf("%v is not an index", step)
	}
	after, ok := strings.CutPrefix(inside[d.InputOffset():], "]")
	if !ok {
		return nil, "", errors.New("expected ]")
	}
	return step, after, nil
}

// branch is a value under construction: a leaf, or children by key or index.
type branch struct {
	isLeaf   bool
	leaf     any
	children map[any]*branch
}

// put adds a leaf at the path that steps contains. It returns false if the
// leaf conflicts with another value.
func (b *branch) put(steps []any, leaf any) bool {
	switch {
	case b.isLeaf || len(steps) == 0 && b.children != nil:
		return false
	case len(steps) == 0:
		b.isLeaf, b.leaf = true, leaf
		return true
	case b.children == nil:
		b.children = map[any]*branch{}
	}
	child := b.children[steps[0]]
	if child == nil {
		child = &branch{}
		b.children[steps[0]] = child
	}
	return child.put(steps[1:], leaf)
}

// tree returns the value. The indexes of a list must start at 0 and have no
// gaps.
func (b *branch) tree() (any, error) {
	if b.isLeaf {
		return b.leaf, nil
	}
	if _, isList := b.children[0]; isList {
		return b.list()
	}
	object := make(map[string]any, len(b.children))
	for step, child := range b.children {
		key, ok := step.(string)
		if !ok {
			return nil, fmt.Errorf("index %d is set, but not index 0", step)
		}
		v, err := child.tree()
		if err != nil {
			return nil, err
		}
		object[key] = v
	}
	return object, nil
}

func (b *branch) list() (any, error) {
	list := make([]any, len(b.children))
	for i := range list {
		child, ok := b.children[i]
		if !ok {
			return nil, fmt.Errorf("a list of %d elements has no index %d", len(list), i)
		}
		v, err := child.tree()
		if err != nil {
			return nil, err
		}
		list[i] = v
	}
	return list, nil
}
