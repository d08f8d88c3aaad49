// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// Path identifies one value of the model, such as
// job.mnist.task_role["worker"].commands[0]. Steps use the HCL names in every
// syntax. The path of a value therefore does not depend on the syntax.
type Path string

// Attr returns the path of a field.
func (p Path) Attr(name string) Path {
	if p == "" {
		return Path(name)
	}
	return p + "." + Path(name)
}

// Key returns the path of a labeled block or map element.
func (p Path) Key(key string) Path { return p + "[" + Path(strconv.Quote(key)) + "]" }

// Index returns the path of a list element.
func (p Path) Index(i int) Path { return p + "[" + Path(strconv.Itoa(i)) + "]" }

// Element returns the path of one block in a field of kind [Objects]. p is the
// path of the field. Element appends the labels to p. If the block has no
// labels, it appends the index. repetition is the number of earlier blocks
// with the same labels. The second of two plugins with the same name has
// repetition 1.
func (p Path) Element(labels []string, repetition int) Path {
	for _, label := range labels {
		p = p.Key(label)
	}
	if len(labels) == 0 || repetition > 0 {
		p = p.Index(repetition)
	}
	return p
}

// Parent returns the path without its last step, or "" at the top.
func (p Path) Parent() Path {
	s := string(p)
	if strings.HasSuffix(s, `"]`) {
		for i := len(s) - 3; i >= 1; i-- {
			if s[i] == '"' && s[i-1] == '[' && !escaped(s, i) {
				return Path(s[:i-1])
			}
		}
	}
	return Path(s[:max(strings.LastIndexByte(s, '.'), strings.LastIndexByte(s, '['), 0)])
}

// escaped reports whether an odd number of backslashes precedes the byte at
// i.
func escaped(s string, i int) bool {
	n := 0
	for i--; i >= 0 && s[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}

// SourceMap maps a path to the position of its value.
type SourceMap map[Path]hcl.Range

// Range returns the position of a path, or of its nearest ancestor with a
// position. It returns the zero Range if the position is unknown.
func (m SourceMap) Range(p Path) hcl.Range {
	for {
		if r, ok := m[p]; ok {
			return r
		}
		if p == "" {
			return hcl.Range{}
		}
		p = p.Parent()
	}
}

// Merge copies the entries of other into m.
func (m SourceMap) Merge(other SourceMap) {
	for p, r := range other {
		m[p] = r
	}
}
