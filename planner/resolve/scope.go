// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"maps"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// definition is a declared prerequisite and the scope for the references in
// it.
type definition struct {
	*hclspec.Prerequisite
	// address is unique among all definitions of the job.
	address string
	scope   *scope
	// source is the origin of a marketplace item; item describes that item. Both
	// are empty for other definitions.
	source string
	item   UsedItem
	// used is set if a task role uses the definition.
	used bool
}

// scope is a set of prerequisites that references can use. A failed lookup
// continues in the outer scope.
type scope struct {
	outer *scope
	// modules contains the modules of a workspace by address, including the
	// root. workspace contains the declarations of all modules; all modules
	// share this map.
	modules   map[hclspec.Address]*scope
	workspace map[hclspec.Address]*definition
	byName    map[string][]*definition
	byAddress map[hclspec.Address]*definition
	names     []string // in order of declaration
	siblings  map[string]string
	sources   hclspec.SourceMap
	// places describes the searched scopes, for example "the job and the
	// workspace".
	places string
}

// newScope returns the scope of the root module, with the scopes of the other
// modules.
func newScope(ws *hclspec.Workspace) *scope {
	root := emptyScope(ws.Sources, "the workspace")
	root.workspace = map[hclspec.Address]*definition{}
	root.modules = map[hclspec.Address]*scope{"": root}
	for _, p := range ws.Prerequisites {
		d := root.module(p.Module).add(p, string(p.Address()), "")
		if root.workspace[p.Address()] == nil {
			root.workspace[p.Address()] = d
		}
	}
	return root
}

func (s *scope) module(address hclspec.Address) *scope {
	if s.modules[address] == nil {
		made := emptyScope(s.sources, address.String())
		made.modules, made.workspace = s.modules, s.workspace
		s.modules[address] = made
	}
	return s.modules[address]
}

func emptyScope(sources hclspec.SourceMap, places string) *scope {
	return &scope{byName: map[string][]*definition{}, byAddress: map[hclspec.Address]*definition{}, sources: sources, places: places}
}

// forJob returns a scope that searches job prerequisites before workspace
// prerequisites. A role may use both a job prerequisite and the workspace
// prerequisite that it hides. The address of a job prerequisite that hides a
// workspace prerequisite therefore begins with the job address.
func (s *scope) forJob(job *hclspec.Job, ws *hclspec.Workspace) *scope {
	outer := s.module(job.Module)
	inner := emptyScope(ws.Sources, "the job and "+outer.places)
	inner.outer, inner.modules, inner.workspace = outer, s.modules, s.workspace
	for _, p := range slices.Concat(job.Prerequisites, job.ReferencePrerequisites) {
		address := string(p.Address())
		if p.Type == "" {
			address = string(hclspec.NewAddress("prerequisite", "script", p.Name))
		}
		if s.workspace[p.Address()] != nil {
			address = string(job.Address()) + "." + address
		}
		inner.add(p, address, "")
	}
	return inner
}

// add adds a prerequisite to the scope and returns the definition. Of two
// prerequisites with the same type and name, the scope keeps the first.
// Validation reports the second prerequisite.
func (s *scope) add(p *hclspec.Prerequisite, address, source string) *definition {
	d := &definition{Prerequisite: p, address: address, scope: s, source: source}
	if s.byAddress[p.Address()] != nil {
		return d
	}
	s.byAddress[p.Address()] = d
	s.byName[p.Name] = append(s.byName[p.Name], d)
	s.names = append(s.names, p.Name)
	return d
}

// named returns the definitions from the innermost scope that contains the
// name.
func (s *scope) named(name string) []*definition {
	for ; s != nil; s = s.outer {
		if found := s.byName[name]; len(found) > 0 {
			return found
		}
	}
	return nil
}

func (s *scope) images() []string {
	var all []string
	for ; s != nil; s = s.outer {
		for _, name := range s.names {
			if slices.ContainsFunc(s.byName[name], func(d *definition) bool { return d.Type == "dockerimage" }) {
				all = append(all, name)
			}
		}
	}
	return all
}

// at returns the definition from the innermost scope that contains the
// address.
func (s *scope) at(address string) *definition {
	normal := normalAddress(address)
	for in := s; in != nil; in = in.outer {
		for _, a := range []hclspec.Address{hclspec.Address(address), normal} {
			if d := in.byAddress[a]; d != nil {
				return d
			}
		}
	}
	return s.workspace[normal]
}

// maxKnown is the maximum number of names for which [scope.known] returns
// candidates.
const maxKnown = 300

// known returns addresses or names as candidates for a suggestion. It returns
// nil if the scope has more than maxKnown names.
func (s *scope) known(address bool) []string {
	if len(s.siblings)+len(s.names) > maxKnown {
		return nil
	}
	all := slices.Sorted(maps.Keys(s.siblings))
	for ; s != nil; s = s.outer {
		for _, name := range s.names {
			if !address {
				all = append(all, name)
				continue
			}
			for _, d := range s.byName[name] {
				all = append(all, string(d.Address()))
			}
		}
	}
	return all
}
