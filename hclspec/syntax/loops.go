package syntax

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/zclconf/go-cty/cty"
)

// The loops of one expression may compute this many bytes, all rounds together.
// A round counts as stepBytes and what it gives. Loops in loops multiply: three
// of a thousand rounds each would take hours.
const (
	maxLoopBytes = 64 << 20
	stepBytes    = 256
)

// value evaluates an expression within bounds. The findings show no values.
func (d *decoder) value(expr hcl.Expression, ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	b := &loopBudget{left: maxLoopBytes}
	if src := expr.Range().SliceBytes(d.files[expr.Range().Filename]); mayLoop(src) {
		nodes := d.scope.nodes(expr)
		defer b.watch(nodes)()
		if _, native := expr.(hclsyntax.Expression); !native {
			b.spend(nodes, ctx) // JSON parses its texts again each time
		}
	}
	if b.left < 0 {
		return cty.DynamicVal, hcl.Diagnostics{b.finding(expr)}
	}
	v, diags := expr.Value(ctx)
	if b.left < 0 {
		return cty.DynamicVal, hcl.Diagnostics{b.finding(expr)}
	}
	return v, withoutScope(diags)
}

// nativeValue is value for an expression that was parsed from src alone.
func nativeValue(src []byte, expr hclsyntax.Expression, ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	b := &loopBudget{left: maxLoopBytes}
	if mayLoop(src) {
		b.watch([]hclsyntax.Expression{expr})
	}
	v, diags := expr.Value(ctx)
	if b.left < 0 {
		return cty.DynamicVal, hcl.Diagnostics{b.finding(expr)}
	}
	return v, withoutScope(diags)
}

// mayLoop reports whether a source can have a loop; in JSON the word may be
// escaped.
func mayLoop(src []byte) bool {
	return bytes.Contains(src, []byte("for")) || bytes.Contains(src, []byte(`\u`))
}

// loopBudget is what the loops of one expression may still compute.
type loopBudget struct{ left int }

func (b *loopBudget) finding(expr hcl.Expression) *hcl.Diagnostic {
	return hclspec.TooManyRounds.At(expr.Range(), "The loops of this expression compute more than %d MB.", maxLoopBytes>>20)
}

// watch makes all loops of the expressions pay. The function that it returns
// undoes that.
func (b *loopBudget) watch(nodes []hclsyntax.Expression) (undo func()) {
	var undone []func()
	replace := func(place *hclsyntax.Expression, by hclsyntax.Expression) {
		original := *place
		*place = by
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
		replace(&loop.CollExpr, &roundsOf{loop.CollExpr, b})
		replace(&loop.ValExpr, &resultOf{loop.ValExpr, b})
		if loop.KeyExpr != nil {
			replace(&loop.KeyExpr, &resultOf{loop.KeyExpr, b})
		}
	}
	return func() {
		for _, f := range undone {
			f()
		}
	}
}

// spend evaluates expressions for what they cost.
func (b *loopBudget) spend(nodes []hclsyntax.Expression, ctx *hcl.EvalContext) {
	for _, node := range nodes {
		_, _ = node.Value(ctx)
	}
}

// roundsOf is the collection of a loop. Once nothing is left it has no elements.
type roundsOf struct {
	hclsyntax.Expression
	budget *loopBudget
}

// Value charges the rounds.
func (e *roundsOf) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	if e.budget.left < 0 {
		return cty.EmptyTupleVal, nil
	}
	v, diags := e.Expression.Value(ctx)
	if bare, _ := v.Unmark(); bare.IsKnown() && !bare.IsNull() && bare.CanIterateElements() {
		e.budget.left -= stepBytes * bare.LengthInt()
	}
	if e.budget.left < 0 {
		return cty.EmptyTupleVal, nil
	}
	return v, diags
}

// resultOf is what a round of a loop gives, nothing once nothing is left.
type resultOf struct {
	hclsyntax.Expression
	budget *loopBudget
}

// Value charges what the round gives.
func (e *resultOf) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	if e.budget.left < 0 {
		return cty.DynamicVal, nil
	}
	v, diags := e.Expression.Value(ctx)
	e.budget.left -= size(v, max(e.budget.left, 0)+1)
	return v, diags
}
