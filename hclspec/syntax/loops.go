// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// maxLoopBytes is the budget for all loop iterations in one expression. An iteration
// costs stepBytes plus the size of its result. The iterations of nested loops multiply:
// three nested loops of a thousand iterations would take hours.
const (
	maxLoopBytes = 64 << 20
	stepBytes    = 256
)

// value evaluates an expression within the loop budget. Its diagnostics do not
// contain values.
func (d *decoder) value(expr hcl.Expression, ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	return d.valueWithin(&loopBudget{remaining: maxLoopBytes}, expr, ctx)
}

// valueWithin is like value, but uses the caller's budget.
func (d *decoder) valueWithin(b *loopBudget, expr hcl.Expression, ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	if src := expr.Range().SliceBytes(d.files[expr.Range().Filename]); mayLoop(src) {
		nodes := d.scope.nodes(expr)
		defer b.meter(nodes)()
		if _, native := expr.(hclsyntax.Expression); !native {
			b.charge(nodes, ctx) // the JSON syntax parses its strings again on each access
		}
	}
	return b.evaluate(expr, ctx)
}

// nativeValue evaluates an expression like decoder.value, but without a
// decoder. src must contain the whole expression.
func nativeValue(src []byte, expr hclsyntax.Expression, ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	b := &loopBudget{remaining: maxLoopBytes}
	if mayLoop(src) {
		defer b.meter([]hclsyntax.Expression{expr})()
	}
	return b.evaluate(expr, ctx)
}

// mayLoop reports whether a source can contain a loop. In JSON, the word "for"
// may be escaped.
func mayLoop(src []byte) bool {
	return bytes.Contains(src, []byte("for")) || bytes.Contains(src, []byte(`\u`))
}

// loopBudget is the remaining budget for the loops in one expression.
type loopBudget struct{ remaining int }

// evaluate returns the value of an expression with metered loops. It returns
// a diagnostic if the loops exceed the budget.
func (b *loopBudget) evaluate(expr hcl.Expression, ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	if b.remaining >= 0 {
		if v, diags := expr.Value(ctx); b.remaining >= 0 {
			return v, InvalidExpression.Adopt(withoutScope(closeOnce(diags)))
		}
	}
	return cty.DynamicVal, hcl.Diagnostics{
		TooManyRounds.At(expr.Range(), "The loops in this expression compute more than %d MiB.", maxLoopBytes>>20),
	}
}

// meter charges the cost of each loop in the expressions to the budget. undo
// restores the expressions.
func (b *loopBudget) meter(nodes []hclsyntax.Expression) (undo func()) {
	var undone []func()
	replace := func(place *hclsyntax.Expression, cost func(cty.Value) int, exhausted cty.Value) {
		original := *place
		*place = &metered{original, b, cost, exhausted}
		undone = append(undone, func() { *place = original })
	}
	var loops []*hclsyntax.ForExpr
	for _, node := range nodes {
		_ = hclsyntax.VisitAll(node, func(n hclsyntax.Node) hcl.Diagnostics {
			if loop, ok := n.(*hclsyntax.ForExpr); ok {
				loops = append(loops, loop)
			}
			return nil
		})
	}
	for _, loop := range loops {
		replace(&loop.CollExpr, loopCost, cty.EmptyTupleVal)
		replace(&loop.ValExpr, b.resultCost, cty.DynamicVal)
		if loop.KeyExpr != nil {
			replace(&loop.KeyExpr, b.resultCost, cty.DynamicVal)
		}
	}
	return func() {
		for _, f := range undone {
			f()
		}
	}
}

// charge evaluates expressions only to count their cost.
func (b *loopBudget) charge(nodes []hclsyntax.Expression, ctx *hcl.EvalContext) {
	for _, node := range nodes {
		_, _ = node.Value(ctx)
	}
}

// loopCost returns the minimum cost of looping over a collection.
func loopCost(collection cty.Value) int {
	bare, _ := collection.Unmark()
	if !bare.IsKnown() || bare.IsNull() || !bare.CanIterateElements() {
		return 0
	}
	return stepBytes * bare.LengthInt()
}

// resultCost returns the cost of the result v of an iteration.
func (b *loopBudget) resultCost(v cty.Value) int { return valueSize(v, max(b.remaining, 0)+1) }

// metered wraps a part of a loop. It evaluates the part and subtracts the cost of the
// value from the budget. When the budget is exhausted, metered does not evaluate the
// part.
type metered struct {
	hclsyntax.Expression
	budget    *loopBudget
	cost      func(cty.Value) int
	exhausted cty.Value
}

// Value implements hcl.Expression.
func (m *metered) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	if m.budget.remaining >= 0 {
		v, diags := m.Expression.Value(ctx)
		if m.budget.remaining -= m.cost(v); m.budget.remaining >= 0 {
			return v, diags
		}
	}
	return m.exhausted, nil
}
