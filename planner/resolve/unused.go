package resolve

// checkUnused reports what is wrong with the definitions of a scope that no
// task role uses, as far as it can be said without values for their template
// variables and without fetching items: references, circles, plugins, events.
func (r *resolver) checkUnused(s *scope) {
	r.unused = true
	var unused []*definition
	for _, name := range s.names {
		for _, d := range s.byName[name] {
			if !d.used {
				d.used = true
				unused = append(unused, d)
			}
		}
	}
	role := &roleScope{r: r, name: "the workspace", secrets: map[string]bool{}}
	e := r.expand(role, nil, "")
	for _, d := range unused {
		i := e.instances[d.address]
		if i == nil {
			i = &instance{definition: d, address: d.address, filled: d.Prerequisite}
			e.instances[d.address] = i
			e.uses.Add(d.address)
			e.require(i, nil)
		}
		r.checkDefinition(d)
	}
	e.reportCycles()
}

func (r *resolver) checkDefinition(d *definition) {
	sources := d.scope.sources
	r.fill(d, nil)
	r.plugin(d.Plugin, defaultPlugin(d.Prerequisite), d.address, sources.Range(d.Path.Attr("plugin")))
	for _, c := range d.Callbacks {
		r.event(c.Event, d.address, sources.Range(c.Path.Attr("event")))
	}
}
