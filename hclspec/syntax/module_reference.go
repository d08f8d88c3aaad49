// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// bindModule binds module.x.output or module.x["key"].output. For a whole
// object, such as module.x, it binds all outputs of the object.
func (s *scope) bindModule(r roots, t hcl.Traversal) bool {
	name, named := stepName(t, 1)
	if !named {
		r.touch("module")
		ok := true
		for _, name := range slices.Sorted(maps.Keys(s.modules)) {
			ok = s.bindCall(r, t, s.modules[name], 2) && ok
		}
		return ok
	}
	call := s.modules[name]
	if call == nil {
		s.decoder.report(UnknownReference.At(t.SourceRange(), "The module %q is not declared.%s", name, nearestKey(name, s.modules)))
		return false
	}
	return s.bindCall(r, t, call, 2)
}

// bindCall binds one module. step is the index of the step after the module name.
func (s *scope) bindCall(r roots, t hcl.Traversal, call *moduleCall, step int) bool {
	r.touch("module", call.Name)
	if call.files == nil {
		return false
	}
	all := s.keys(call)
	if !all.ok {
		return false
	}
	if !call.hasForEach() {
		return s.bindOutputs(r, t, s.instance(call, nil), step, "module", call.Name)
	}
	key, chosen := stepName(t, step)
	ok, found := true, false
	for _, in := range all.instances {
		if chosen && in.key != key {
			continue
		}
		found = true
		ok = s.bindOutputs(r, t, s.instance(call, in), step+1, "module", call.Name, in.key) && ok
	}
	if chosen && !found {
		var known []string
		for _, in := range all.instances {
			known = append(known, in.key)
		}
		s.decoder.report(UnknownReference.At(t.SourceRange(), "%s has no instance %q: the module uses for_each, so refer to its outputs as %s[\"key\"].output.%s", call.address(), key, call.address(), nearest(key, known)))
		return false
	}
	return ok
}

// bindOutputs binds the output in a traversal, or all outputs if the
// traversal selects none.
func (s *scope) bindOutputs(r roots, t hcl.Traversal, made *moduleInstance, step int, path ...string) bool {
	r.touch(path...)
	if made == nil {
		return false
	}
	outputs := made.scope.outputs
	name, named := stepName(t, step)
	if named && outputs[name] == nil {
		s.decoder.report(UnknownReference.At(t.SourceRange(), "%s has no output %q.%s%s", made.module, name, nearestKey(name, outputs), inModule(made, t, step)))
		return false
	}
	ok := true
	for _, one := range slices.Sorted(maps.Keys(outputs)) {
		if named && one != name {
			continue
		}
		value, good := made.scope.output(one)
		if !good {
			value = cty.DynamicVal
		}
		r.set(value, append(slices.Clone(path), one)...)
		ok = ok && good
	}
	return ok
}

// inModule explains that callers cannot see declarations inside a module. It
// returns "" for a reference of another kind.
func inModule(made *moduleInstance, t hcl.Traversal, step int) string {
	switch kind, _ := stepName(t, step); kind {
	case "job", "prerequisite", "storage", "var", "local", "secret":
		return " Callers can use only the outputs of " + made.module.String() + "; add an output block to the module."
	}
	return ""
}

// secretName returns the model name of a secret in this module.
func (d *decoder) secretName(label string) string {
	return (&hclspec.Secret{Name: label, Module: d.module}).Reference()
}
