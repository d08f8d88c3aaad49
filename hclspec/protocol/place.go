package protocol

import (
	"strconv"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// place is a value of the model with the way to it in the file.
type place struct {
	path hclspec.Path
	// shown is the way in the protocol's own spelling, for messages:
	// taskRoles.worker.commands[0].
	shown string
	// secret says that the value is not to be repeated in a message.
	secret bool
	// item says that the value belongs to the definition of a prerequisite,
	// where placeholders are allowed.
	item bool
	// printed says that the value is a parameter, which OpenPAI prints into
	// commands.
	printed bool
	// open says that the protocol leaves the shape to the reader: unknown keys
	// and keys without a value have no effect there, elsewhere they are errors.
	open bool
}

func (p place) attr(path hclspec.Path, shown string) place {
	p.path = path
	if p.shown != "" {
		shown = p.shown + "." + shown
	}
	p.shown = shown
	return p
}

// field is the place of a field of the table.
func (p place) field(f *hclspec.Field) place {
	return p.attr(p.path.Attr(f.Name), f.Protocol)
}

// key is the place of a labeled element or of a value in a free mapping.
func (p place) key(name string) place { return p.attr(p.path.Key(name), name) }

// index is the place of a list element.
func (p place) index(i int) place {
	p.path = p.path.Index(i)
	p.shown += "[" + strconv.Itoa(i) + "]"
	return p
}
