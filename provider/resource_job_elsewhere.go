package provider

import (
	"fmt"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// location is where jobs are: a namespace, as in namespace:gpu, or the local
// cluster. "" is not known.
type location string

const localLocation location = "local"

// namespacePrefix begins a place that is a namespace.
const namespacePrefix = "namespace:"

// UnmarshalText reads a place, also from an older private state, which has it
// in words.
func (p *location) UnmarshalText(text []byte) error {
	var namespace string
	switch _, err := fmt.Sscanf(string(text), "the namespace %q", &namespace); {
	case err == nil:
		*p = location(namespacePrefix + namespace)
	case string(text) == localLocation.describe():
		*p = localLocation
	default:
		*p = location(text)
	}
	return nil
}

// describe names the place in a sentence.
func (p location) describe() string {
	if namespace, ok := strings.CutPrefix(string(p), namespacePrefix); ok {
		return fmt.Sprintf("the namespace %q", namespace)
	}
	return "the local cluster"
}

// location returns where the jobs of this connection are.
func (c *connection) location() location {
	opened, err := c.Cluster()
	if err != nil {
		return ""
	}
	if of, ok := opened.(cluster.Namespacer); ok {
		namespace, err := of.Namespace()
		if err != nil {
			return ""
		}
		return location(namespacePrefix + namespace)
	}
	return localLocation
}

// relocationWarning warns of a job that is not found because the provider block means
// another place now: it would be created there, beside the one that was applied.
// It returns "" when the job was applied here, or nobody knows where.
func relocationWarning(m jobPrivate, here location, last planner.JobState) string {
	if m.Location == "" || here == "" || m.Location == here {
		return ""
	}
	there := "continues there"
	if last.Finished() {
		there = "ended there as " + string(last)
	}
	return fmt.Sprintf("job.%s was applied in %s and %s, as far as is known, but the provider block means %s now, where it is not found. A plan creates it there, and nothing is done with the other one. To move a job, destroy it with the old provider block first.", m.Name, m.Location.describe(), there, here.describe())
}
