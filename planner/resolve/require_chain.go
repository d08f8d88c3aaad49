package resolve

import (
	"fmt"
	"slices"
)

// maxSteps is how many steps of a way a message names.
const maxSteps = 10

// requireChain is the way from one prerequisite over what requires it, for a message.
// Of a long way only the two ends are kept: a workspace can have as many
// messages as prerequisites.
type requireChain struct {
	shown   []string
	omitted int
}

func (c *requireChain) add(step string) {
	if len(c.shown) == maxSteps {
		c.shown = slices.Delete(c.shown, maxSteps/2, maxSteps/2+1)
		c.omitted++
	}
	c.shown = append(c.shown, step)
}

// list returns the steps in the order they were added.
func (c *requireChain) list() []string {
	if c.omitted == 0 {
		return c.shown
	}
	return slices.Insert(slices.Clone(c.shown), maxSteps/2, fmt.Sprintf("%d more", c.omitted))
}
