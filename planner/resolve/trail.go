package resolve

import (
	"fmt"
	"slices"
)

// maxTrail is how many steps of a way a message names.
const maxTrail = 10

// trail is the way from one prerequisite over what requires it, for a message.
// Of a long way only the two ends are kept: a workspace can have as many
// messages as prerequisites.
type trail struct {
	steps   []string
	leftOut int
}

func (t *trail) add(step string) {
	if len(t.steps) == maxTrail {
		t.steps = slices.Delete(t.steps, maxTrail/2, maxTrail/2+1)
		t.leftOut++
	}
	t.steps = append(t.steps, step)
}

// named returns the steps in the order they were added.
func (t *trail) named() []string {
	if t.leftOut == 0 {
		return t.steps
	}
	return slices.Insert(slices.Clone(t.steps), maxTrail/2, fmt.Sprintf("%d more", t.leftOut))
}
