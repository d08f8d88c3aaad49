// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// local is a value of a locals block.
type local struct {
	attribute *hcl.Attribute
	done      bool
	ok        bool
	value     cty.Value
	spelling  string // spelling of a number
}

// local returns the value of a local, evaluated on first use. It returns false
// after an error, which is already reported.
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
	return l.value, l.ok
}

// evaluateLocals also evaluates unreferenced locals, so that their errors are
// reported.
func (s *scope) evaluateLocals() {
	for _, name := range slices.Sorted(maps.Keys(s.locals)) {
		s.local(name)
	}
}

// maxChain is the maximum number of values under evaluation at the same time. It
// keeps the stack small.
const maxChain = 500

// enter marks a name as being evaluated. If it already is, enter reports the
// cycle and returns false.
func (s *scope) enter(name string, at hcl.Range) bool {
	for i, other := range s.evaluating {
		if other == name {
			cycle := append(append([]string(nil), s.evaluating[i:]...), name)
			s.decoder.report(ReferenceCycle.At(at, "These values refer to each other in a cycle: %s. Remove one of the references.", strings.Join(cycle, " -> ")))
			return false
		}
	}
	if len(s.evaluating) >= maxChain {
		s.decoder.report(ReferencesTooDeep.At(at, "More than %d values refer to each other in a chain that ends at %s. Compute the value in fewer steps.", maxChain, name))
		return false
	}
	s.evaluating = append(s.evaluating, name)
	return true
}

func (s *scope) leave() { s.evaluating = s.evaluating[:len(s.evaluating)-1] }
