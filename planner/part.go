package planner

// Part is the members of a group to which the same happens.
type Part struct {
	Action  Action
	Cluster string
	// Reason is that of the first member; those of the others differ in the
	// job alone.
	Reason   Reason
	Outdated bool
	// Impact adds up the numbers of tasks.
	Impact  Impact
	Members []Member
}

// Parts returns the members of the group by what happens to them, in the order
// of the first of each.
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

// plus adds an impact of the same kind. Task roles that are rescaled are added
// by name.
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
