package provider

import (
	"fmt"

	"github.com/openpai/terraform-provider-openpai/planner"
)

// place says in words where the jobs of this connection are; "" when that
// cannot be told.
func (c *connection) place() string {
	opened, err := c.Cluster()
	if err != nil {
		return ""
	}
	if of, ok := opened.(interface{ Namespace() (string, error) }); ok {
		namespace, err := of.Namespace()
		if err != nil {
			return ""
		}
		return fmt.Sprintf("the namespace %q", namespace)
	}
	return "the local cluster"
}

// leftBehind warns of a job that is not found because the provider block means
// another place now: it would be created there, beside the one that was applied.
// It returns "" when the job was applied here, or nobody knows where.
func leftBehind(m memory, here string, last planner.JobState) string {
	if m.Place == "" || here == "" || m.Place == here {
		return ""
	}
	there := "goes on there"
	if last.Finished() {
		there = "ended there as " + string(last)
	}
	return fmt.Sprintf("job.%s was applied in %s and %s, as far as is known, but the provider block means %s now, where it is not found. A plan creates it there, and nothing is done with the other one. To move a job, destroy it with the old provider block first.", m.Name, m.Place, there, here)
}
