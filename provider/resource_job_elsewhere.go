// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"fmt"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// location is the location of jobs: a namespace, for example namespace:gpu, or
// the local cluster. "" means unknown.
type location string

const localLocation location = "local"

// namespacePrefix is the prefix of a location that is a namespace.
const namespacePrefix = "namespace:"

// UnmarshalText decodes a location. It also accepts the wording of earlier
// private states.
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

// describe describes the location in a sentence.
func (p location) describe() string {
	if namespace, ok := strings.CutPrefix(string(p), namespacePrefix); ok {
		return fmt.Sprintf("the namespace %q", namespace)
	}
	return "the local cluster"
}

// location returns the location of the jobs of this connection.
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

// relocationWarning warns about a job that is not found because the provider
// block now refers to another location. Apply would create the job there, in
// addition to the applied job. It returns "" if the job was applied here, or if
// its location is unknown.
func relocationWarning(m jobPrivate, here location, last planner.JobState) string {
	if m.Location == "" || here == "" || m.Location == here {
		return ""
	}
	there := "continues there"
	if last.Finished() {
		there = "ended there as " + string(last)
	}
	return fmt.Sprintf("job.%s was applied in %s and %s, as far as is known, but the provider block now refers to %s, where the job does not exist. A plan creates the job there and does not change the other job. To move a job, destroy the job with the old provider block first.", m.Name, m.Location.describe(), there, here.describe())
}
