// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/zclconf/go-cty/cty"
)

// secretMark is the name of a secret. It marks values computed from the
// secret.
type secretMark string

var tagName = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

func secretTag(name string) string { return hclspec.SecretTag(name) }

// secretValue returns the value of secret.<name> in expressions.
func secretValue(name string) cty.Value {
	return cty.StringVal(secretTag(name)).Mark(secretMark(name))
}

// tagsIntact reports an error if a value was computed from a secret but lost
// the secret's tag.
func (s *scope) tagsIntact(v cty.Value, at hcl.Range) bool {
	lost := map[string]bool{}
	findLost(v, lost)
	for _, name := range slices.Sorted(maps.Keys(lost)) {
		s.decoder.report(SecretChanged.At(at, "This expression uses %s, whose value is known only where the job runs. Put the value into a string unchanged, for example \"token=${%s}\".", s.secretSource(name), s.secretSource(name)))
	}
	return len(lost) == 0
}

// secretSource returns the user's reference to a secret, such as secret.x or
// var.x.
func (s *scope) secretSource(name string) string {
	module, local := hclspec.Address(name).Split()
	label, inModule := strings.CutPrefix(local.String(), "secret.")
	if module == "" || !inModule {
		module, label = "", name
	}
	if module == s.decoder.module {
		module = ""
	}
	if _, ok := s.sensitive[name]; ok {
		return hclspec.Address("var." + strings.TrimPrefix(label, variableSecret(""))).In(module).String()
	}
	return hclspec.NewAddress("secret", label).In(module).String()
}

// findLost adds a secret to the set lost if a value or nested value has the
// mark of the secret but does not contain its tag.
func findLost(v cty.Value, lost map[string]bool) {
	plain, marks := v.Unmark()
	for m := range marks {
		if name, ok := m.(secretMark); ok && !containsTag(plain, secretTag(string(name))) && !containsTag(plain, secretTag(passedName(string(name)))) {
			lost[string(name)] = true
		}
	}
	if !plain.IsKnown() || plain.IsNull() || !plain.CanIterateElements() {
		return
	}
	for it := plain.ElementIterator(); it.Next(); {
		_, element := it.Element()
		findLost(element, lost)
	}
}

func containsTag(v cty.Value, tag string) bool {
	found := false
	v, _ = v.UnmarkDeep()
	_ = cty.Walk(v, func(_ cty.Path, inner cty.Value) (bool, error) {
		if inner.IsKnown() && !inner.IsNull() && inner.Type() == cty.String && strings.Contains(inner.AsString(), tag) {
			found = true
		}
		return !found, nil
	})
	return found
}

// branchesOnSecret reports a condition that depends on a secret. The
// condition would test the tag, not the value.
func (s *scope) branchesOnSecret(expr hcl.Expression, ctx *hcl.EvalContext) bool {
	for _, node := range s.nodes(expr) {
		for _, condition := range conditions(node) {
			for _, t := range condition.Variables() {
				v, diags := t.TraverseAbs(ctx)
				if diags.HasErrors() || !v.ContainsMarked() {
					continue
				}
				at := condition.Range()
				if at.Filename == "" {
					at = expr.Range() // inside a JSON string
				}
				s.decoder.report(SecretChanged.At(at, "A condition must not depend on a secret value, which is known only where the job runs."))
				return true
			}
		}
	}
	return false
}

// conditions returns all conditions in a node, including those in templates.
func conditions(node hclsyntax.Node) []hclsyntax.Expression {
	var found []hclsyntax.Expression
	_ = hclsyntax.VisitAll(node, func(n hclsyntax.Node) hcl.Diagnostics {
		if c, ok := n.(*hclsyntax.ConditionalExpr); ok {
			found = append(found, c.Condition)
		}
		return nil
	})
	return found
}

// hasSecretKey reports a diagnostic if a JSON object key contains a secret.
// HCL would panic on such a key.
func (s *scope) hasSecretKey(expr hcl.Expression, ctx *hcl.EvalContext) bool {
	if _, native := expr.(hclsyntax.Expression); native {
		return false
	}
	_, literals := s.jsonStrings(expr)
	keys := templates(literals)
	defer (&loopBudget{remaining: maxLoopBytes}).meter(keys)()
	for _, node := range keys {
		if v, diags := node.Value(ctx); !diags.HasErrors() && v.ContainsMarked() {
			s.decoder.report(SecretChanged.At(expr.Range(), "An object key must not contain a secret value, which is known only where the job runs."))
			return true
		}
	}
	return false
}

// nodes returns native-syntax nodes: the expression, or the templates in a
// JSON expression.
func (s *scope) nodes(expr hcl.Expression) []hclsyntax.Expression {
	if node, ok := expr.(hclsyntax.Expression); ok {
		return []hclsyntax.Expression{node}
	}
	values, keys := s.jsonStrings(expr)
	return templates(append(values, keys...))
}

func (s *scope) jsonStrings(expr hcl.Expression) (values, keys []string) {
	var value any
	if json.Unmarshal(expr.Range().SliceBytes(s.decoder.files[expr.Range().Filename]), &value) != nil {
		return nil, nil
	}
	var visit func(value any)
	visit = func(value any) {
		switch v := value.(type) {
		case string:
			values = append(values, v)
		case []any:
			for _, e := range v {
				visit(e)
			}
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				keys = append(keys, key)
				visit(v[key])
			}
		}
	}
	visit(value)
	return values, keys
}

// templates parses the strings that may contain an interpolation or directive.
func templates(literals []string) []hclsyntax.Expression {
	var all []hclsyntax.Expression
	for _, text := range literals {
		if !strings.Contains(text, "{") {
			continue
		}
		if node, diags := hclsyntax.ParseTemplate([]byte(text), "", hcl.InitialPos); !diags.HasErrors() {
			all = append(all, node)
		}
	}
	return all
}

// variableSecret returns the secret name of a sensitive variable.
func variableSecret(variable string) string { return fmt.Sprintf("var_%s", variable) }
