// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/message"
)

// given is a value that a module block passes to a variable.
type given struct {
	value    cty.Value
	spelling string
	keyAt    hcl.Range
	at       hcl.Range
	// ok is false if the evaluation reported an error.
	ok bool
}

// moduleVariables sets each variable to its value from the module block or to
// its default. Values keep their secret marks.
func (m *moduleInstance) moduleVariables(caller *scope, call *moduleCall, in *instance) {
	values, complete := caller.givenVariables(call, frame{each: in})
	var known []string
	for _, b := range m.blocks["variable"] {
		known = append(known, b.Labels[0])
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(known, name) {
			caller.decoder.report(UndeclaredVariable.At(values[name].keyAt, "%s has no variable %q.%s", m.module, name, nearest(name, known)))
		}
	}
	for _, b := range m.blocks["variable"] {
		v := m.variable(b)
		g, isGiven := values[v.Name]
		value := m.givenValue(v, g, isGiven, call, complete)
		if !value.ContainsMarked() { // a secret is known only where the job runs
			m.validate(v, value)
		}
		m.scope.variables[v.Name] = m.hideSensitive(v, value)
		m.scope.spellings[v.Name] = g.spelling
		if !isGiven {
			m.scope.spellings[v.Name] = m.spellingOf(v, nil)
		}
	}
}

// givenValue converts the value from the module block, or returns the default.
// It returns an unknown value after an error, or if both are missing.
func (m *moduleInstance) givenValue(v *variable, g given, isGiven bool, call *moduleCall, complete bool) cty.Value {
	switch {
	case isGiven && !g.ok:
		return cty.UnknownVal(v.typ)
	case isGiven && !(g.value.IsNull() && v.HasDefault):
		return m.convertTo(v, g.value, g.at, message.Textf("The value"))
	case v.HasDefault:
		return v.fallback
	}
	if complete {
		m.report(hclspec.MissingVariableValue.At(call.block.DefRange, "%s needs a value for its variable %q (%s). Add the variable to variables = { ... }.", m.module, v.Name, formatPosition(v.block.DefRange)))
	}
	return cty.UnknownVal(v.typ)
}

// givenVariables evaluates the variables of a module block. complete is true
// if the names of all given variables are known.
func (s *scope) givenVariables(call *moduleCall, fr frame) (values map[string]given, complete bool) {
	values = map[string]given{}
	a := call.content.Attributes["variables"]
	if a == nil {
		return values, true
	}
	if pairs, diags := hcl.ExprMap(a.Expr); !diags.HasErrors() {
		return s.givenPairs(pairs, fr, values)
	}
	value, ok := s.passed(a.Expr, fr)
	if !ok {
		return values, false
	}
	object, _ := value.Unmark()
	if object.IsNull() {
		return values, true
	}
	if !object.IsKnown() || !object.Type().IsObjectType() && !object.Type().IsMapType() {
		s.decoder.report(hclspec.WrongType.At(a.Expr.Range(), "The argument \"variables\" must be an object, variables = { name = value }, but it is %s.", describe(object)))
		return values, false
	}
	for it := object.ElementIterator(); it.Next(); {
		key, element := it.Element()
		values[key.AsString()] = given{value: element, keyAt: a.Expr.Range(), at: a.Expr.Range(), ok: true}
	}
	return values, true
}

func (s *scope) givenPairs(pairs []hcl.KeyValuePair, fr frame, values map[string]given) (map[string]given, bool) {
	complete := true
	for _, p := range pairs {
		key := s.node(p.Key, fr)
		name, ok := stringOf(key.value, key.spelling)
		if !ok {
			if key.value.IsWhollyKnown() {
				s.decoder.report(hclspec.WrongType.At(key.at, "A variable name must be a string, but this name is %s.", describe(key.value)))
			}
			complete = false
			continue
		}
		if first, twice := values[name]; twice {
			s.decoder.report(hclspec.DuplicateDeclaration.At(key.at, "The key %q is already set at %s.", name, formatPosition(first.keyAt)))
			continue
		}
		g := given{keyAt: key.at, at: p.Value.Range(), spelling: s.spelling(p.Value)}
		g.value, g.ok = s.passed(p.Value, fr)
		values[name] = g
	}
	return values, complete
}

// output is an output block in a module.
type output struct {
	block *hcl.Block
	value *hcl.Attribute
	done  bool
	ok    bool
	is    cty.Value
}

func (d *decoder) declareOutputs() {
	for _, b := range d.blocks["output"] {
		content := d.content(b.Body, blockShape(hclspec.OutputBlock))
		d.constant(content.Attributes["description"], cty.String, func(cty.Value) {})
		o := &output{block: b, value: content.Attributes["value"]}
		if o.value == nil {
			d.report(hclspec.MissingArgument.At(b.DefRange, "This output block needs the \"value\" argument. %s", hclspec.OutputBlock.Field("value").Doc))
		}
		d.scope.outputs[b.Labels[0]] = o
	}
}

// output evaluates an output on first use. If the evaluation fails, the first
// call reports the error. Every call then returns false.
func (s *scope) output(name string) (cty.Value, bool) {
	o := s.outputs[name]
	if o.done || o.value == nil {
		return o.is, o.ok
	}
	if !s.enter(fmt.Sprintf("the output %s", name), o.block.DefRange) {
		return cty.DynamicVal, false
	}
	defer s.leave()
	o.is, o.ok = s.passed(o.value.Expr, frame{})
	o.done = true
	return o.is, o.ok
}

// evaluateOutputs evaluates all outputs, to report also the errors in
// unreferenced outputs.
func (s *scope) evaluateOutputs() {
	for _, name := range slices.Sorted(maps.Keys(s.outputs)) {
		s.output(name)
	}
}
