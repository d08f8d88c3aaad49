// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// decodePolicy checks the expressions of a policy. Only plans evaluate these
// expressions.
func (d *decoder) decodePolicy(b *hcl.Block) {
	p := &hclspec.Policy{Name: b.Labels[0], Range: b.DefRange, Path: hclspec.Path(hclspec.NewAddress("policy", b.Labels...))}
	d.ws.Sources[p.Path] = b.DefRange
	content := d.content(b.Body, blockShape(hclspec.PolicyBlock))
	if p.Name == "" {
		d.report(hclspec.InvalidSpelling.At(labelRange(b, 0), "The label of this policy block is empty. Set the label to the name of the policy."))
	}
	p.ForEach = d.policyWord(p, b, content, "for_each")
	p.Level = d.policyWord(p, b, content, "level")
	p.Field = d.policyWord(p, b, content, "field")
	if p.Level == "" {
		p.Level = hclspec.PolicyDeny
	}
	p.When = d.policyExpression(p, b, content, "when")
	p.Condition = d.policyExpression(p, b, content, "condition")
	p.Message = d.policyExpression(p, b, content, "message")
	d.checkPolicyField(p)
	d.ws.Policies = append(d.ws.Policies, p)
}

// policyWord decodes a constant string. Quotes are optional for a field with a
// fixed set of values.
func (d *decoder) policyWord(p *hclspec.Policy, b *hcl.Block, content *hcl.BodyContent, name string) string {
	f, a := hclspec.PolicyBlock.Field(name), content.Attributes[name]
	if a == nil {
		if f.Required {
			d.missingOfPolicy(b, f)
		}
		return ""
	}
	path := p.Path.Attr(name)
	d.ws.Sources[path] = a.Expr.Range()
	word := hcl.ExprAsKeyword(a.Expr)
	if word == "" || len(f.Values) == 0 {
		word = ""
		d.constant(a, cty.String, func(v cty.Value) { word = v.AsString() })
	}
	if word != "" {
		d.report(hclspec.CheckField(f, word, path, d.ws.Sources)...)
	}
	return word
}

func (d *decoder) missingOfPolicy(b *hcl.Block, f *hclspec.Field) {
	d.report(hclspec.MissingArgument.At(b.DefRange, "This policy block needs the argument %s. %s", f.Name, f.Doc))
}

// policyExpression returns an unevaluated expression. It returns nil for a
// missing argument and for an invalid reference or function call.
func (d *decoder) policyExpression(p *hclspec.Policy, b *hcl.Block, content *hcl.BodyContent, name string) hclspec.Expression {
	a := content.Attributes[name]
	if a == nil {
		if f := hclspec.PolicyBlock.Field(name); f.Required {
			d.missingOfPolicy(b, f)
		}
		return nil
	}
	d.ws.Sources[p.Path.Attr(name)] = a.Expr.Range()
	e := &policyExpression{decoder: d, expr: a.Expr, variables: map[string]cty.Value{}}
	if !d.bindPolicy(e) || !d.checkPolicyCalls(e) {
		return nil
	}
	return e
}

// policyRoots lists the names that a reference in a policy can begin with.
var policyRoots = []string{"each", "plan", "var"}

// bindPolicy checks the references in an expression and stores the values of
// its variables.
func (d *decoder) bindPolicy(e *policyExpression) bool {
	known := len(d.diags)
	for _, t := range e.expr.Variables() {
		root := t.RootName()
		name, _ := stepName(t, 1)
		switch {
		case root == "var":
			d.bindPolicyVariable(e, t, name)
			continue
		case root == "each" && name != "value" && name != "change":
			d.report(UnknownReference.At(t.SourceRange(), "In a policy, each has only the attributes value (the object to check) and change (the change to the object's job)."))
		case !slices.Contains(policyRoots, root):
			d.report(UnknownReference.At(t.SourceRange(), "A policy cannot refer to %s. It can use each.value, each.change, plan and var.", root))
		}
		e.references = append(e.references, t)
	}
	return len(d.diags) == known
}

func (d *decoder) bindPolicyVariable(e *policyExpression, t hcl.Traversal, name string) {
	value, declared := d.scope.variables[name]
	switch {
	case name == "":
		d.report(UnknownReference.At(t.SourceRange(), "A policy must refer to a variable by name, such as var.limit."))
	case !declared:
		d.report(UnknownReference.At(t.SourceRange(), "The variable %q is not declared.%s", name, nearestKey(name, d.scope.variables)))
	case value.ContainsMarked():
		d.report(UnknownReference.At(t.SourceRange(), "The variable %q is sensitive, and a policy cannot use secrets.", name))
	default:
		e.variables[name] = value
	}
}

// policyFunctions are the functions that do not read files.
var policyFunctions = pureFunctions()

// checkPolicyCalls reports functions that policies cannot call.
func (d *decoder) checkPolicyCalls(e *policyExpression) bool {
	known := len(d.diags)
	for _, node := range d.scope.nodes(e.expr) {
		_ = hclsyntax.VisitAll(node, func(n hclsyntax.Node) hcl.Diagnostics {
			call, ok := n.(*hclsyntax.FunctionCallExpr)
			if _, there := policyFunctions[callName(call)]; ok && !there {
				d.report(InvalidExpression.At(e.Range(), "A policy cannot call the function %q. A policy can call only language functions that do not read files.", call.Name))
			}
			return nil
		})
	}
	return len(d.diags) == known
}

func callName(call *hclsyntax.FunctionCallExpr) string {
	if call == nil {
		return ""
	}
	return call.Name
}

// checkPolicyField checks the argument "field". Verdicts point to the field
// that this argument selects.
func (d *decoder) checkPolicyField(p *hclspec.Policy) {
	if p.Field == "" {
		return
	}
	at := d.ws.Sources[p.Path.Attr("field")]
	block := policyBlocks[p.ForEach]
	switch {
	case p.ForEach == "":
	case block == nil:
		d.report(hclspec.ValueNotAllowed.At(at, "The argument \"field\" is not allowed with for_each = %s. This argument selects a field in a job, task role, prerequisite or storage. Remove the argument.", p.ForEach))
	case block.Lookup(hclspec.Path(p.Field)) == nil:
		first, _, _ := strings.Cut(p.Field, ".")
		d.report(hclspec.ValueNotAllowed.At(at, "There is no field %q in %s.%s", p.Field, fmt.Sprintf("%s %s block", article(block.Name), block.Name), hclspec.Suggest(first, fieldNames(block))))
	}
}

// policyBlocks maps each for_each value of a policy to a block type. The
// argument "field" of the policy selects a field of this block type.
var policyBlocks = map[string]*hclspec.Block{
	"jobs": hclspec.JobBlock, "changes": hclspec.JobBlock, "task_roles": hclspec.JobBlock.Field("task_role").Block,
	"prerequisites": hclspec.PrerequisiteBlock, "storages": hclspec.StorageBlock,
}

// policyExpression implements [hclspec.Expression].
type policyExpression struct {
	decoder    *decoder
	expr       hcl.Expression
	references []hcl.Traversal
	variables  map[string]cty.Value

	evaluating sync.Mutex // locked by Evaluate: metering the loops changes expr
}

// Range implements [hclspec.Expression].
func (e *policyExpression) Range() hcl.Range { return e.expr.Range() }

// Variables implements [hclspec.Expression].
func (e *policyExpression) Variables() []hcl.Traversal { return e.references }

// Evaluate implements [hclspec.Expression].
func (e *policyExpression) Evaluate(names map[string]cty.Value, bytes *int) (cty.Value, hcl.Diagnostics) {
	values := map[string]cty.Value{"var": cty.ObjectVal(e.variables)}
	for name, v := range names {
		values[name] = v
	}
	e.evaluating.Lock()
	defer e.evaluating.Unlock()
	b := &loopBudget{remaining: min(maxLoopBytes, *bytes)}
	before := b.remaining
	value, diags := e.decoder.valueWithin(b, e.expr, &hcl.EvalContext{Variables: values, Functions: policyFunctions})
	*bytes -= before - b.remaining
	if !diags.HasErrors() && valueSize(value, maxValueBytes) > maxValueBytes {
		return cty.DynamicVal, hcl.Diagnostics{hclspec.ResultTooLarge.At(e.Range(), "The result of this expression exceeds %d MiB.", maxValueBytes>>20)}
	}
	return value, diags
}
