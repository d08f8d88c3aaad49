package syntax

// block is a block to be written, in either notation.
type block struct {
	name       string
	labels     []string
	attributes []attribute
	blocks     []*block
}

type attribute struct {
	name  string
	value value
}

// value is what an argument is set to: text, expression, address, literal, list
// or object.
type value any

type (
	// text is written as a quoted text or heredoc, with the references to
	// secrets in it.
	text []textPart
	// expression is written as it is: prerequisite.data.mnist.
	expression string
	// address is written like an expression, but never evaluated: in JSON it is
	// a text without ${ }.
	address string
	// literal is a number, true, false or null.
	literal string
	list    []value
	// object keeps its keys in order.
	object []attribute
)

// textPart is either plain text or an expression to be interpolated.
type textPart struct {
	plain  string
	interp expression
}

func (b *block) set(name string, v value) {
	b.attributes = append(b.attributes, attribute{name, v})
}
