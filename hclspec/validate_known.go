package hclspec

import "slices"

// names are the prerequisites that a job can name: its own, then those of the
// workspace.
type names struct {
	all       []*Prerequisite
	byName    map[string][]*Prerequisite
	byAddress map[Address][]*Prerequisite
	roles     map[string]bool
}

func newNames(ws *Workspace, job *Job) *names {
	n := &names{byName: map[string][]*Prerequisite{}, byAddress: map[Address][]*Prerequisite{}, roles: map[string]bool{}}
	n.all = slices.Concat(job.Prerequisites, job.ReferencePrerequisites, ws.Prerequisites)
	for _, p := range n.all {
		n.byName[p.Name] = append(n.byName[p.Name], p)
		n.byAddress[p.Address()] = append(n.byAddress[p.Address()], p)
	}
	for _, r := range job.TaskRoles {
		n.roles[r.Name] = true
	}
	return n
}

// lacksRole reports a name that no task role has. Without any task role, which
// is reported where they are read, nothing is said about names.
func (n *names) lacksRole(name string) bool { return len(n.roles) > 0 && !n.roles[name] }

// find returns the prerequisites of a name or of an address.
func (n *names) find(target string) []*Prerequisite {
	if address, ok := prerequisiteAddress(target); ok {
		return n.byAddress[address]
	}
	return n.byName[target]
}

// candidates lists what could have been meant, in the way it was written.
func (n *names) candidates(target, want string) func() []string {
	_, isAddress := prerequisiteAddress(target)
	return func() []string {
		var found []string
		for _, p := range n.all {
			switch {
			case want != "" && p.Type != want:
			case isAddress:
				found = append(found, p.Address().String())
			default:
				found = append(found, p.Name)
			}
		}
		return found
	}
}
