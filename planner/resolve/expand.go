// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"fmt"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/graph"
)

// instance is one use of a definition in a task role, with values for the
// template variables.
type instance struct {
	definition *definition
	address    string
	module     hclspec.Address // see [expansion.module]
	with       map[string]string
	// filled is the definition with values instead of template variables ({{
	// }}).
	filled *hclspec.Prerequisite
	// listed is set if the task role lists the instance directly.
	listed     bool
	requires   []*instance
	requiredBy []string

	// values is set by [expansion.render].
	values *values
}

// expansion collects the instances that a list of references adds.
type expansion struct {
	*reporter
	definitions *definitions
	role        *roleScope
	// uses contains an edge from each instance to each of its required
	// instances.
	uses      *graph.Graph[string]
	instances map[string]*instance
	// edges maps each edge to the position of the require entry that causes the
	// edge.
	edges map[[2]string]site
	// stack contains the instances that are being visited. open contains the
	// same instances, keyed by definition.
	stack []*instance
	open  map[*definition]*instance
}

func newExpansion(r *reporter, d *definitions, role *roleScope) *expansion {
	return &expansion{
		reporter: r, definitions: d, role: role, uses: graph.New[string](), instances: map[string]*instance{},
		edges: map[[2]string]site{}, open: map[*definition]*instance{},
	}
}

// expand follows references and the require lists of their targets,
// depth-first and in declared order. want is the required type of the targets,
// "" for any.
func (r *resolver) expand(role *roleScope, refs []hclspec.Reference, want string) *expansion {
	e := newExpansion(r.reporter, r.definitions, role)
	for _, ref := range refs {
		at := site{scope: r.scope, owner: role.name, wantType: want, path: ref.Path}
		text := e.renderer(role.lookup(nil), r.sources, role.name).render
		if i := e.visit(ref, at, text); i != nil {
			i.listed = true
		}
	}
	e.reportCycles()
	return e
}

// visit returns a new or already visited instance.
func (e *expansion) visit(ref hclspec.Reference, at site, text func(string, hclspec.Path) string) *instance {
	d := e.definitions.find(ref.Target, at)
	if d == nil {
		return nil
	}
	d.used = true
	with := e.bind(d, ref, at, text)
	address := instanceAddress(d, with)
	if open := e.open[d]; open != nil {
		// The expansion of a definition that requires itself would not end,
		// even with different values. visit therefore uses the open instance.
		address = open.address
	}
	e.connect(address, at)
	i, met := e.instances[address]
	if !met {
		i = &instance{definition: d, address: address, module: e.module(d), with: with, filled: e.fill(d, with)}
		i.filled = e.localize(i, ref.With)
		e.instances[address] = i
		e.uses.Add(address)
		e.require(i, &at)
	}
	return i
}

// connect records that the instance being visited requires address.
func (e *expansion) connect(address string, at site) {
	if len(e.stack) == 0 {
		return
	}
	from := e.stack[len(e.stack)-1].address
	edge := [2]string{from, address}
	if _, known := e.edges[edge]; !known {
		e.edges[edge] = at
	}
	e.uses.Connect(from, address, "requires")
}

// require visits the instances that i requires. from is the site of the
// reference to i. from is nil if no declaration refers to i; the values of
// template variables are then unknown.
func (e *expansion) require(i *instance, from *site) {
	d := i.definition
	e.stack, e.open[d] = append(e.stack, i), i
	defer func() {
		e.stack = e.stack[:len(e.stack)-1]
		delete(e.open, d)
	}()
	unbound := from == nil || from.unbound
	text := e.renderer(e.role.lookup(e.unrendered(i)), d.scope.sources, i.address).render
	if unbound {
		text = func(s string, _ hclspec.Path) string { return s }
	}
	for _, ref := range i.filled.Require {
		next := site{scope: d.scope, owner: i.address, from: from, path: ref.Path, unbound: unbound}
		needed := e.visit(ref, next, text)
		if needed == nil {
			continue
		}
		if !slices.Contains(i.requires, needed) {
			i.requires = append(i.requires, needed)
			needed.requiredBy = append(needed.requiredBy, i.address)
		}
	}
}

// order returns the instances in start order.
func (e *expansion) order() []*instance {
	addresses := e.uses.Order()
	order := make([]*instance, len(addresses))
	for n, a := range addresses {
		order[n] = e.instances[a]
	}
	return order
}

// reportCycles lists all require references of each cycle. Each cycle begins
// with its smallest address, so that two roles with the same cycle report the
// same diagnostic.
func (e *expansion) reportCycles() {
	for _, cycle := range e.uses.Cycles() {
		first := slices.Index(cycle, slices.Min(cycle))
		cycle = append(slices.Clone(cycle[first:]), cycle[:first]...)
		lines := make([]string, len(cycle))
		for n, from := range cycle {
			to := cycle[(n+1)%len(cycle)]
			lines[n] = fmt.Sprintf("  %s requires %s%s", from, to, position(e.edges[[2]string{from, to}]))
		}
		at := e.edges[[2]string{cycle[0], cycle[1%len(cycle)]}]
		e.reportAt(hclspec.PrerequisiteCycle, at.sourceRange(), "The requirements of these prerequisites form a cycle:\n%s", strings.Join(lines, "\n"))
	}
}

// position returns " (file:line)", " (attribute)" for Terraform, or "" if
// unknown.
func position(s site) string {
	rng := s.sourceRange()
	if rng.Filename == "" {
		return ""
	}
	if rng.Start.Line == 0 {
		return " (" + rng.Filename + ")"
	}
	return fmt.Sprintf(" (%s:%d)", rng.Filename, rng.Start.Line)
}
