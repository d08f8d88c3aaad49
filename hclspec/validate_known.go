// SPDX-License-Identifier: MPL-2.0

package hclspec

import "slices"

// index finds prerequisites by name and by address.
type index struct {
	all       []*Prerequisite
	byName    map[string][]*Prerequisite
	byAddress map[Address][]*Prerequisite
}

// shared holds the prerequisites of a workspace by name within a module, and
// by address across modules.
type shared struct {
	modules   map[Address]*index
	byAddress map[Address][]*Prerequisite
}

func newShared(all []*Prerequisite) *shared {
	s := &shared{modules: map[Address]*index{}, byAddress: newIndex(all).byAddress}
	byModule := map[Address][]*Prerequisite{}
	for _, p := range all {
		byModule[p.Module] = append(byModule[p.Module], p)
	}
	for module, declared := range byModule {
		s.modules[module] = newIndex(declared)
	}
	return s
}

// in returns an index of the prerequisites for references in a module.
func (s *shared) in(module Address) *index {
	x := newIndex(nil)
	if own := s.modules[module]; own != nil {
		x.all, x.byName = own.all, own.byName
	}
	x.byAddress = s.byAddress
	return x
}

func newIndex(all []*Prerequisite) *index {
	x := &index{all: all, byName: map[string][]*Prerequisite{}, byAddress: map[Address][]*Prerequisite{}}
	for _, p := range all {
		x.byName[p.Name] = append(x.byName[p.Name], p)
		x.byAddress[p.Address()] = append(x.byAddress[p.Address()], p)
	}
	return x
}

func (x *index) find(target string) []*Prerequisite {
	if address, ok := prerequisiteAddress(target); ok {
		return x.byAddress[address]
	}
	return x.byName[target]
}

// names contains the names that a job can refer to: its prerequisites and
// task roles, and the prerequisites of the workspace.
type names struct {
	own, shared *index
	roles       map[string]bool
}

func newNames(job *Job, shared *index) *names {
	n := &names{own: newIndex(slices.Concat(job.Prerequisites, job.ReferencePrerequisites)), shared: shared, roles: map[string]bool{}}
	for _, r := range job.TaskRoles {
		n.roles[r.Name] = true
	}
	return n
}

// lacksRole reports whether no task role has the name. It returns false for a
// job without task roles, because another diagnostic reports that error.
func (n *names) lacksRole(name string) bool { return len(n.roles) > 0 && !n.roles[name] }

func (n *names) find(target string) []*Prerequisite {
	return slices.Concat(n.own.find(target), n.shared.find(target))
}

// candidates returns addresses if target is an address, otherwise names.
func (n *names) candidates(target, want string) func() []string {
	_, isAddress := prerequisiteAddress(target)
	return func() []string {
		var found []string
		for _, p := range slices.Concat(n.own.all, n.shared.all) {
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
