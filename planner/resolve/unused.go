// SPDX-License-Identifier: MPL-2.0

package resolve

// checkUnused reports invalid references, cycles, and unknown plugins and
// events in unused definitions. It does not report errors that depend on
// values of template variables or on marketplace items.
func (r *reporter) checkUnused(s *scope) {
	var unused []*definition
	for _, name := range s.names {
		for _, d := range s.byName[name] {
			if !d.used {
				d.used = true
				unused = append(unused, d)
			}
		}
	}
	role := &roleScope{name: "the workspace", secrets: map[string]bool{}}
	e := newExpansion(r, newDefinitions(r, nil), role)
	for _, d := range unused {
		i := e.instances[d.address]
		if i == nil {
			i = &instance{definition: d, address: d.address, filled: d.Prerequisite}
			e.instances[d.address] = i
			e.uses.Add(d.address)
			e.require(i, nil)
		}
		e.checkDefinition(d)
	}
	e.reportCycles()
}

func (e *expansion) checkDefinition(d *definition) {
	t := e.renderer(nil, d.scope.sources, d.address)
	e.fill(d, nil)
	t.plugin(d.Plugin, defaultPlugin(d.Prerequisite), d.Path.Attr("plugin"))
	for _, c := range d.Callbacks {
		t.event(c.Event, t.sources.Range(c.Path.Attr("event")))
	}
}
