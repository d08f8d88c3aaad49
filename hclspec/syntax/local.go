// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// local is a value declared in a locals block.
type local struct {
	attribute *hcl.Attribute
	done      bool
	ok        bool
	value     cty.Value
	spelling  string // spelling of a number
}

// local evaluates a local on first use. After a failed evaluation, which it
// reports, local returns false.
func (s *scope) local(name string) (cty.Value, bool) {
	l := s.locals[name]
	if l.done {
		return l.value, l.ok
	}
	if !s.enter("local."+name, l.attribute.NameRange) {
		return cty.DynamicVal, false
	}
	defer s.leave()
	l.value, l.ok = s.evaluate(l.attribute.Expr, frame{})
	if l.ok && !s.tagsIntact(l.value, l.attribute.Expr.Range()) {
		l.value, l.ok = cty.DynamicVal, false
	}
	l.done = true
	l.spelling = s.spelling(l.attribute.Expr)
	if s.decoder.parent == nil {
		s.decoder.exposeLocal(name, l)
	}
	return l.value, l.ok
}

// exposeLocal adds a local to the workspace. A replacement in the input overrides
// the value of the local.
func (d *decoder) exposeLocal(name string, l *local) {
	if text, ok := d.replaced[name]; ok {
		l.value, l.spelling, l.ok = recordedLocal(text, l.value)
	}
	d.ws.Locals = append(d.ws.Locals, &hclspec.Local{Name: name, Value: shownLocal(l), References: references(l.attribute.Expr)})
}

func references(expr hcl.Expression) []hclspec.Address {
	var all []hclspec.Address
	for _, t := range expr.Variables() {
		if name, ok := stepName(t, 1); ok && (t.RootName() == "var" || t.RootName() == "local") {
			all = append(all, hclspec.NewAddress(t.RootName(), name))
		}
	}
	return all
}

// shownLocal returns the value as JSON, or "" if records must not contain the value.
func shownLocal(l *local) string {
	if !l.ok || l.value.ContainsMarked() || !l.value.IsWhollyKnown() || valueSize(l.value, hclspec.MaxLocal) > hclspec.MaxLocal {
		return ""
	}
	if l.value.Type() == cty.Number && l.spelling != "" {
		return l.spelling
	}
	text, err := ctyjson.Marshal(l.value, l.value.Type())
	if err != nil || len(text) > hclspec.MaxLocal {
		return ""
	}
	return string(text)
}

// recordedLocal parses the JSON of a [hclspec.Local.Value]. If possible, it converts
// the result to the type of the present value.
func recordedLocal(text []byte, present cty.Value) (value cty.Value, spelling string, ok bool) {
	var recorded ctyjson.SimpleJSONValue
	if recorded.UnmarshalJSON(text) != nil {
		return cty.DynamicVal, "", false
	}
	if recorded.Type() == cty.Number {
		spelling = string(text)
	}
	if same, err := convert.Convert(recorded.Value, present.Type()); err == nil {
		return same, spelling, true
	}
	return recorded.Value, spelling, true
}

// evaluateLocals evaluates all locals to report errors in unreferenced locals
// too.
func (s *scope) evaluateLocals() {
	for _, name := range slices.Sorted(maps.Keys(s.locals)) {
		s.local(name)
	}
}

// maxChain is the maximum number of unfinished evaluations. The limit keeps the stack
// small.
const maxChain = 500

// enter marks a name as being evaluated. It returns false after it reports a cycle or
// a chain above maxChain.
func (s *scope) enter(name string, at hcl.Range) bool {
	for i, other := range s.evaluating {
		if other == name {
			cycle := append(append([]string(nil), s.evaluating[i:]...), name)
			s.decoder.report(ReferenceCycle.At(at, "These values refer to each other in a cycle: %s. Remove one of the references.", strings.Join(cycle, " -> ")))
			return false
		}
	}
	if len(s.evaluating) >= maxChain {
		s.decoder.report(ReferencesTooDeep.At(at, "More than %d values form a chain of references that ends at %s. Compute the value in fewer steps.", maxChain, name))
		return false
	}
	s.evaluating = append(s.evaluating, name)
	return true
}

func (s *scope) leave() { s.evaluating = s.evaluating[:len(s.evaluating)-1] }
