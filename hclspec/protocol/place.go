// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"strconv"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// place is the location of a value: its path in the model and in the file.
type place struct {
	path hclspec.Path
	// shown is the path in protocol spelling, for messages:
	// taskRoles.worker.commands[0].
	shown string
	// secret is set if messages must not contain the value.
	secret bool
	// item is set in the definition of a prerequisite, where placeholders are
	// allowed.
	item bool
	// printed is set for a job parameter. OpenPAI inserts parameters into
	// commands.
	printed bool
	// open is set for a value whose structure the protocol does not define. In
	// such a value, unknown keys cause only warnings, and a required key
	// without a value is absent.
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

// field returns the place of a field in the field table.
func (p place) field(f *hclspec.Field) place {
	return p.attr(p.path.Attr(f.Name), f.Protocol)
}

// key returns the place of a labeled element, or of a value in a free-form
// mapping.
func (p place) key(name string) place { return p.attr(p.path.Key(name), name) }

// index returns the place of a list element.
func (p place) index(i int) place {
	p.path = p.path.Index(i)
	p.shown += "[" + strconv.Itoa(i) + "]"
	return p
}
