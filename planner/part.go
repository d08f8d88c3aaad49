// SPDX-License-Identifier: MPL-2.0

package planner

// Part contains the members of a group that have the same kind of change.
type Part struct {
	Action  Action
	Cluster string
	// Reason is the reason for the first member's change. For the other
	// members, the reason differs only in the job address.
	Reason   Reason
	Outdated bool
	// Impact is the sum of the impacts of the members.
	Impact  Impact
	Members []Member
}

// Parts divides the members of the group by kind of change. The parts are in
// the order of their first members.
func (g Group) Parts() []Part {
	var parts []Part
	at := map[string]int{}
	for _, m := range g.Members {
		c := m.Change
		key := c.Cluster + "\n" + sameKind(c)
		i, known := at[key]
		if !known {
			at[key] = len(parts)
			parts = append(parts, Part{Action: c.Action, Cluster: c.Cluster, Reason: c.Reason, Outdated: c.Outdated, Impact: c.Impact, Members: []Member{m}})
			continue
		}
		parts[i].Members = append(parts[i].Members, m)
		parts[i].Impact = parts[i].Impact.plus(c.Impact)
	}
	return parts
}

// plus adds two impacts of the same kind. For rescaled task roles with the
// same name, it adds the numbers of added tasks.
func (i Impact) plus(other Impact) Impact {
	sum := i
	sum.Tasks += other.Tasks
	sum.OthersRunning = i.OthersRunning || other.OthersRunning
	sum.Rescaled = append([]Rescaled(nil), i.Rescaled...)
	for _, r := range other.Rescaled {
		sum.addRescaled(r)
	}
	return sum
}

func (i *Impact) addRescaled(r Rescaled) {
	for n := range i.Rescaled {
		if same := &i.Rescaled[n]; same.TaskRole == r.TaskRole {
			same.By += r.By
			same.Known = same.Known && r.Known
			return
		}
	}
	i.Rescaled = append(i.Rescaled, r)
}
