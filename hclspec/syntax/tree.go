// SPDX-License-Identifier: MPL-2.0

package syntax

import "github.com/openpai/terraform-provider-openpai/hclspec"

// block is a block to write, in either notation.
type block struct {
	comments
	path       hclspec.Path
	name       string
	labels     []string
	attributes []attribute
	blocks     []*block
}

// attribute is an argument of a block or a key of an object.
type attribute struct {
	comments
	path  hclspec.Path
	name  string
	value value
}

// comments contains the comment lines above a block, attribute or element,
// and the comment at the end of its line.
type comments struct {
	above  []string
	beside string
}

// value is the value of an argument: template, expression, address, literal,
// list or object.
type value any

type (
	// template is a string that may contain references to secrets. In the
	// file, it is a quoted string or a heredoc.
	template []templatePart
	// expression is an HCL expression, such as prerequisite.data.mnist. The
	// printers write the expression unchanged.
	expression string
	// address is written like an expression, but never evaluated. In JSON, an address
	// is a string without ${ }.
	address string
	// literal is a number, true, false or null.
	literal string
	list    []element
	// object keeps its keys in order.
	object []attribute
)

// element is an element of a list.
type element struct {
	comments
	path  hclspec.Path
	value value
}

// templatePart is either plain text or an interpolated expression.
type templatePart struct {
	plain  string
	interp expression
}

func (b *block) set(name string, v value) {
	b.attributes = append(b.attributes, attribute{path: b.path.Attr(name), name: name, value: v})
}
