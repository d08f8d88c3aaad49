// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"fmt"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// location is where jobs run: a namespace ("namespace:gpu") or the local
// cluster ("local"). "" means unknown.
type location string

const localLocation location = "local"

// namespacePrefix is the prefix of a location that is a namespace.
const namespacePrefix = "namespace:"

// UnmarshalText decodes a location. It also accepts phrases from earlier
// provider versions, such as "the local cluster".
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

// describe returns a phrase such as "the local cluster".
func (p location) describe() string {
	if namespace, ok := strings.CutPrefix(string(p), namespacePrefix); ok {
		return fmt.Sprintf("the namespace %q", namespace)
	}
	return "the local cluster"
}

// location returns "" if the location is unknown.
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

// relocationWarning returns a warning if the provider block now refers to a
// different location, where apply would create a second job. It returns ""
// for the same location, or if a location is unknown.
func relocationWarning(m jobPrivate, here location, last planner.JobState) string {
	if m.Location == "" || here == "" || m.Location == here {
		return ""
	}
	there := "continues there"
	if last.Finished() {
		there = "ended there as " + string(last)
	}
	return fmt.Sprintf("job.%s was applied in %s and %s, according to its last known state. The provider block now refers to %s, where the job does not exist. Apply creates a new job there and does not change the old job. To move a job, destroy the job with the old provider block first.", m.Name, m.Location.describe(), there, here.describe())
}
