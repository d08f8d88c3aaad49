// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"maps"
	"slices"
)

// maxPort is the highest port number.
const maxPort = 65535

// fixedRange is the port range of one label for all tasks of a role.
type fixedRange struct {
	label       string
	first, last int
}

// fixedPorts checks three rules. Each label except ssh and http must be
// declared in ports. The port numbers of all tasks must be valid. The port
// ranges of labels must not overlap.
func (v *validator) fixedPorts(job *Job, role *TaskRole) {
	var ranges []fixedRange
	for _, label := range slices.Sorted(maps.Keys(role.Resources.FixedPorts)) {
		at := role.Path.Attr("resources").Attr("fixed_ports").Key(label)
		count, declared := role.Resources.Ports[label]
		if !declared {
			if label != "ssh" && label != "http" {
				v.report(InvalidFixedPorts, at, "Task role %q of job %q has fixed ports for the label %q, which is not declared in ports.%s", role.Name, job.Name, label, v.suggest(label, func() []string {
					return slices.Sorted(maps.Keys(role.Resources.Ports))
				}))
				continue
			}
			count = 1
		}
		first := role.Resources.FixedPorts[label]
		r := fixedRange{label, first, first + max(role.Instances, 1)*count - 1}
		if r.last > maxPort {
			v.report(InvalidFixedPorts, at, "The label %q of task role %q in job %q uses ports %d to %d for all tasks, but the highest valid port is %d. Use a lower first port.", label, role.Name, job.Name, r.first, r.last, maxPort)
		}
		for _, other := range ranges {
			if r.first <= other.last && other.first <= r.last {
				v.report(InvalidFixedPorts, at, "The label %q of task role %q in job %q uses ports %d to %d for all tasks, but the label %q uses ports %d to %d. Choose ports that do not overlap.",
					label, role.Name, job.Name, r.first, r.last, other.label, other.first, other.last)
			}
		}
		ranges = append(ranges, r)
	}
}
