// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// scope holds the names that expressions can refer to. It evaluates locals and
// for_each keys on first use.
type scope struct {
	decoder   *decoder
	functions map[string]function.Function

	variables map[string]cty.Value
	// spellings holds the values of number variables as the user wrote them.
	spellings map[string]string
	locals    map[string]*local
	// prerequisites maps a type and a name to the prerequisite.
	prerequisites map[string]map[string]*target
	storages      map[string]*target
	clusters      map[string]*target
	secrets       map[string]cty.Value
	modules       map[string]*moduleCall
	outputs       map[string]*output
	// sensitive holds the values of sensitive variables, keyed by the names
	// of their secrets. All modules share this map.
	sensitive map[string]string

	// evaluating lists the names whose evaluation is in progress, outermost
	// first.
	evaluating []string
}

// frame holds additional values for an expression: the for_each instance, and the
// prerequisites and secrets inside the job.
type frame struct {
	each    *instance
	own     map[string]map[string]*target
	secrets map[string]cty.Value
}

func newScope(d *decoder, dir string) *scope {
	files := confined{dir: dir, what: "workspace", record: d.top().fileRead}
	if d.parent != nil {
		files.what = "module"
	}
	s := &scope{
		decoder:       d,
		functions:     functions(files),
		variables:     map[string]cty.Value{},
		spellings:     map[string]string{},
		locals:        map[string]*local{},
		prerequisites: map[string]map[string]*target{},
		storages:      map[string]*target{},
		clusters:      map[string]*target{},
		secrets:       map[string]cty.Value{},
		modules:       map[string]*moduleCall{},
		outputs:       map[string]*output{},
		sensitive:     map[string]string{},
	}
	for _, t := range hclspec.PrerequisiteTypes {
		s.prerequisites[t] = map[string]*target{}
	}
	return s
}

// bindNames makes declarations available to expressions.
func (d *decoder) bindNames() {
	s := d.scope
	for _, b := range d.blocks["prerequisite"] {
		if byName := s.prerequisites[b.Labels[0]]; byName != nil {
			byName[b.Labels[1]] = &target{kind: b.Labels[0], labels: b.Labels, block: b, module: d.module}
		}
	}
	for _, b := range d.blocks["storage"] {
		s.storages[b.Labels[0]] = &target{kind: "storage", labels: b.Labels, block: b, module: d.module}
	}
	for _, b := range d.blocks["cluster"] {
		s.clusters[b.Labels[0]] = &target{kind: "cluster", labels: b.Labels, block: b}
	}
	s.secrets = d.bindSecrets(d.blocks["secret"])
	d.declareOutputs()
}

// bindSecrets maps the label of each secret to its value in expressions.
func (d *decoder) bindSecrets(blocks hcl.Blocks) map[string]cty.Value {
	values := map[string]cty.Value{}
	for _, b := range blocks {
		if d.module != "" && !tagName.MatchString(b.Labels[0]) {
			d.report(hclspec.InvalidSpelling.At(labelRange(b, 0), "The secret name %q in %s must contain only letters, digits, hyphens and underscores.", b.Labels[0], d.module))
			continue
		}
		values[b.Labels[0]] = secretValue(d.secretName(b.Labels[0]))
	}
	return values
}

// context returns an evaluation context with only the names in the expression.
// If a name is unknown or its evaluation fails, context reports an error and
// returns nil.
func (s *scope) context(expr hcl.Expression, fr frame) *hcl.EvalContext {
	roots := newRoots()
	ok := true
	for _, t := range expr.Variables() {
		ok = s.bind(roots, t, fr) && ok
	}
	if !ok {
		return nil
	}
	return &hcl.EvalContext{Variables: roots.values(), Functions: s.functions}
}

// roots contains the variables for an expression as nested maps.
type roots map[string]any

func newRoots() roots { return roots{} }

func (r roots) set(v cty.Value, path ...string) {
	m := map[string]any(r)
	for _, p := range path[:len(path)-1] {
		next, ok := m[p].(map[string]any)
		if !ok {
			next = map[string]any{}
			m[p] = next
		}
		m = next
	}
	m[path[len(path)-1]] = v
}

// touch adds an empty object at the path if the path has no object.
func (r roots) touch(path ...string) {
	m := map[string]any(r)
	for _, p := range path {
		next, ok := m[p].(map[string]any)
		if !ok {
			next = map[string]any{}
			m[p] = next
		}
		m = next
	}
}

func (r roots) values() map[string]cty.Value {
	values := map[string]cty.Value{}
	for name, v := range r {
		values[name] = objectOf(v)
	}
	return values
}

func objectOf(v any) cty.Value {
	m, ok := v.(map[string]any)
	if !ok {
		return v.(cty.Value)
	}
	attributes := map[string]cty.Value{}
	for name, inner := range m {
		attributes[name] = objectOf(inner)
	}
	return cty.ObjectVal(attributes)
}
