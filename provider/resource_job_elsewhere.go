package provider

import (
	"fmt"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// place is where jobs are: a namespace, as in namespace:gpu, or the local
// cluster. "" is not known.
type place string

const localPlace place = "local"

// namespacePrefix begins a place that is a namespace.
const namespacePrefix = "namespace:"

// UnmarshalText reads a place, also from an older private state, which has it
// in words.
func (p *place) UnmarshalText(text []byte) error {
	var namespace string
	switch _, err := fmt.Sscanf(string(text), "the namespace %q", &namespace); {
	case err == nil:
		*p = place(namespacePrefix + namespace)
	case string(text) == localPlace.words():
		*p = localPlace
	default:
		*p = place(text)
	}
	return nil
}

// words names the place in a sentence.
func (p place) words() string {
	if namespace, ok := strings.CutPrefix(string(p), namespacePrefix); ok {
		return fmt.Sprintf("the namespace %q", namespace)
	}
	return "the local cluster"
}

// place returns where the jobs of this connection are.
func (c *connection) place() place {
	opened, err := c.Cluster()
	if err != nil {
		return ""
	}
	if of, ok := opened.(cluster.Namespacer); ok {
		namespace, err := of.Namespace()
		if err != nil {
			return ""
		}
		return place(namespacePrefix + namespace)
	}
	return localPlace
}

// leftBehind warns of a job that is not found because the provider block means
// another place now: it would be created there, beside the one that was applied.
// It returns "" when the job was applied here, or nobody knows where.
func leftBehind(m memory, here place, last planner.JobState) string {
	if m.Place == "" || here == "" || m.Place == here {
		return ""
	}
	there := "goes on there"
	if last.Finished() {
		there = "ended there as " + string(last)
	}
	return fmt.Sprintf("job.%s was applied in %s and %s, as far as is known, but the provider block means %s now, where it is not found. A plan creates it there, and nothing is done with the other one. To move a job, destroy it with the old provider block first.", m.Name, m.Place.words(), there, here.words())
}
