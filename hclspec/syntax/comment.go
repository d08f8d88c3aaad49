// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func (r *comments) trailing() string {
	if r.beside == "" {
		return ""
	}
	return " " + r.beside
}

func (r *comments) hasComments() bool { return len(r.above) > 0 || r.beside != "" }

// add appends a comment. Call it in line order.
func (r *comments) add(c hclspec.Comment, inLine bool) {
	r.above = append(r.above, c.Above...)
	switch {
	case c.Beside == "":
	case inLine && r.beside == "":
		r.beside = c.Beside
	default:
		r.above = append(r.above, c.Beside)
	}
}

// annotate attaches each comment to the item at its path, or to the item that
// [commentSlots.nearest] selects. It returns the comment lines before and after
// all blocks.
func annotate(blocks []*block, comments []hclspec.Comment) (above, below []string) {
	p := &commentSlots{found: map[hclspec.Path]*commentSlot{}}
	for _, b := range blocks {
		p.block(b)
	}
	slices.Sort(p.paths)
	for _, c := range comments {
		c.Above, c.Below = commentLines(c.Above), commentLines(c.Below)
		if at := p.nearest(c.Path); at != nil {
			at.add(c, at.inLine && at.path == c.Path)
		} else {
			above = append(above, c.Above...)
			if c.Beside != "" {
				above = append(above, c.Beside)
			}
		}
		below = append(below, c.Below...)
	}
	return above, below
}

// commentLines drops lines that are not valid HCL comments.
func commentLines(lines []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(s string) bool { return !strings.HasPrefix(s, "#") || strings.ContainsAny(s, "\n\r") })
}

// commentSlot is a place for comments in the output.
type commentSlot struct {
	*comments
	path hclspec.Path
	// inLine reports whether a comment can follow the item on the same line.
	inLine bool
}

// commentSlots holds the slots, keyed by path.
type commentSlots struct {
	found map[hclspec.Path]*commentSlot
	paths []hclspec.Path
}

func (p *commentSlots) add(path hclspec.Path, r *comments, inLine bool) {
	if path == "" || p.found[path] != nil {
		return
	}
	p.found[path] = &commentSlot{r, path, inLine}
	p.paths = append(p.paths, path)
}

func (p *commentSlots) block(b *block) {
	p.add(b.path, &b.comments, false)
	for i := range b.attributes {
		p.attribute(&b.attributes[i])
	}
	for _, nested := range b.blocks {
		p.block(nested)
	}
}

func (p *commentSlots) attribute(a *attribute) {
	p.add(a.path, &a.comments, oneLine(a.value))
	p.value(a.value)
}

func (p *commentSlots) value(v value) {
	switch v := v.(type) {
	case list:
		for i := range v {
			p.add(v[i].path, &v[i].comments, oneLine(v[i].value))
			p.value(v[i].value)
		}
	case object:
		for i := range v {
			p.attribute(&v[i])
		}
	}
}

// oneLine reports whether a value always fits on one line.
func oneLine(v value) bool {
	switch v := v.(type) {
	case expression, address, literal:
		return true
	case template:
		return !strings.Contains(v.render(identity), "\n")
	}
	return false
}

// nearest returns the slot of path, of the first path below it, or of the nearest
// path above it. It returns nil if no path has a slot.
func (p *commentSlots) nearest(path hclspec.Path) *commentSlot {
	if path == "" {
		return nil
	}
	if at := p.found[path]; at != nil {
		return at
	}
	for _, next := range []hclspec.Path{path + ".", path + "["} {
		i, _ := slices.BinarySearch(p.paths, next)
		if i < len(p.paths) && strings.HasPrefix(string(p.paths[i]), string(next)) {
			return p.found[p.paths[i]]
		}
	}
	for path = path.Parent(); path != ""; path = path.Parent() {
		if at := p.found[path]; at != nil {
			return at
		}
	}
	return nil
}
