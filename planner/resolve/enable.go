// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// named is the reference in the field data, script or output of a task role.
type named struct {
	context string // name of the field, which is also the type of the prerequisite
	ref     hclspec.Reference
}

// namedBy returns the references in data, script and output, in start order.
func namedBy(role *hclspec.TaskRole) []named {
	all := []named{{"data", role.Data}, {"script", role.Script}, {"output", role.Output}}
	return slices.DeleteFunc(all, func(n named) bool { return n.ref.IsZero() })
}

// enable determines the targets of <% $data %>, <% $script %> and <% $output
// %>. It returns references to targets that have an effect in a task but are
// not in the role's list. These targets start before the listed prerequisites.
func (r *resolver) enable(scope *roleScope, role *hclspec.TaskRole) []hclspec.Reference {
	all := namedBy(role)
	found := map[string]hcl.Diagnostics{}
	for _, n := range all {
		found[n.context] = r.collect(func() { scope.contexts[n.context] = r.context(scope, n) })
	}
	var added []hclspec.Reference
	for _, n := range all {
		i := scope.contexts[n.context]
		if i == nil {
			r.diags = append(r.diags, found[n.context]...)
			continue
		}
		switch listed := r.instancesOf(i.definition, scope, slices.Concat(added, role.Prerequisites)); {
		case len(listed) > 0 && len(n.ref.With) > 0 && found[n.context].HasErrors():
			r.diags = append(r.diags, found[n.context]...)
		case len(listed) > 0:
			r.chooseListed(scope, n, listed)
		default:
			r.diags = append(r.diags, found[n.context]...)
			if actsInTask(i.definition.Prerequisite) {
				added = append(added, r.enabled(scope, n, i.definition))
			}
		}
	}
	return added
}

// context returns the instance for a field data, script or output. It ignores
// instances in the role's list.
func (r *resolver) context(scope *roleScope, n named) *instance {
	var meant *instance
	e := r.expand(scope.with(nil), []hclspec.Reference{n.ref}, n.context)
	for _, i := range e.order() {
		e.renderFields(i, true)
		if i.listed {
			meant = i
		}
	}
	return meant
}

// instancesOf returns the instances of d in the expansion of refs. It does not
// report diagnostics, because the later expansion of refs does.
func (r *resolver) instancesOf(d *definition, scope *roleScope, refs []hclspec.Reference) []*instance {
	var instances []*instance
	size := r.size
	_ = r.collect(func() {
		for _, i := range r.expand(scope.with(scope.contexts), refs, "").order() {
			if i.definition == d {
				instances = append(instances, i)
			}
		}
	})
	r.size = size
	return instances
}

// chooseListed resolves a reference to a listed target. It selects the listed
// instance with the reference's values, or the only listed instance if the
// reference has no values.
func (r *resolver) chooseListed(scope *roleScope, n named, listed []*instance) {
	written := scope.contexts[n.context]
	if slices.ContainsFunc(listed, func(i *instance) bool { return i.address == written.address }) {
		return
	}
	if len(listed) > 1 || len(n.ref.With) > 0 {
		var addresses []string
		for _, i := range listed {
			addresses = append(addresses, i.address)
		}
		r.report(AmbiguousInstance, n.ref.Path, "%s refers to %s in %s, but the prerequisites of the role contain different instances: %s. Set the values of the intended instance in %s.",
			upperFirst(scope.name), written.definition.address, n.context, hclspec.QuoteList(addresses, ""), n.context)
		return
	}
	with := map[string]any{}
	for name, value := range listed[0].with {
		with[name] = value
	}
	n.ref.With = with
	_ = r.collect(func() { scope.contexts[n.context] = r.context(scope, n) })
}

// enabled returns a reference to a prerequisite that is not in the role's
// list. The prerequisite starts only because of this reference.
func (r *resolver) enabled(scope *roleScope, n named, d *definition) hclspec.Reference {
	if !r.native {
		r.report(PrerequisiteEnabled, n.ref.Path, "%s refers to %s in the field %s, so the prerequisite starts in each task. OpenPAI starts only prerequisites that the task role lists in prerequisites.",
			upperFirst(scope.name), d.address, n.context)
	}
	if d.source == "" {
		n.ref.Target = string(d.Address())
	}
	return n.ref
}

// actsInTask reports whether a prerequisite has an effect in a task. A URI alone
// has no effect.
func actsInTask(p *hclspec.Prerequisite) bool {
	return p.Plugin != "" || len(p.Fetch)+len(p.Callbacks)+len(p.Require)+len(p.RequireStorages)+len(p.Environment) > 0 || hasCommandParameters(p.Parameters)
}

// collect returns the diagnostics of a function, but does not add them to r.
func (r *reporter) collect(report func()) hcl.Diagnostics {
	before := r.diags
	r.diags = nil
	report()
	found := r.diags
	r.diags = before
	return found
}

// AddEnabled returns a copy of the declared job in which each role also lists
// the prerequisites in [TaskRole.Enabled]. Implementations that start only
// listed prerequisites then start these prerequisites as well.
func (j *Job) AddEnabled() *hclspec.Job {
	declared := *j.Declared
	declared.TaskRoles = slices.Clone(declared.TaskRoles)
	for n, role := range j.TaskRoles {
		if len(role.Enabled) > 0 {
			copied := *declared.TaskRoles[n]
			copied.Prerequisites = slices.Concat(role.Enabled, copied.Prerequisites)
			declared.TaskRoles[n] = &copied
		}
	}
	return &declared
}
