package cli

import (
	"fmt"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// progress prints what apply does, one line per step that is done.
type progress struct{ streams *Streams }

var doneWords = map[cluster.Step]string{
	cluster.StepDelete: "deleted",
	cluster.StepCreate: "submitted",
	cluster.StepUpdate: "updated",
}

// Begin implements cluster.Progress. Only deletions last long enough to be
// announced.
func (p *progress) Begin(c *planner.Change, step cluster.Step) {
	if step == cluster.StepDelete {
		fmt.Fprintf(p.streams.out, "%s: deleting\n", c.Address)
	}
}

// End implements cluster.Progress. Errors are reported by who called apply.
func (p *progress) End(c *planner.Change, step cluster.Step, err error) {
	if err == nil {
		fmt.Fprintf(p.streams.out, "%s: %s\n", c.Address, doneWords[step])
	}
}
