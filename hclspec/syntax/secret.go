package syntax

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/zclconf/go-cty/cty"
)

// secretMark marks a value that holds the tag of the secret of that name.
type secretMark string

var tagName = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// secretTag is what stands for a secret in a text until the task runs.
func secretTag(name string) string {
	if tagName.MatchString(name) {
		return "<% $secrets." + name + " %>"
	}
	quote := "'" // which jsonencode leaves as it is
	if strings.Contains(name, quote) {
		quote = `"`
	}
	return "<% $secrets[" + quote + name + quote + "] %>"
}

// secretValue is the value of secret.<name> in expressions.
func secretValue(name string) cty.Value {
	return cty.StringVal(secretTag(name)).Mark(secretMark(name))
}

// intact reports whether the tag of every secret that a value was made from is
// still in it, and makes a finding otherwise.
func (s *scope) intact(v cty.Value, at hcl.Range) bool {
	lost := map[string]bool{}
	findLost(v, lost)
	for _, name := range sortedKeys(lost) {
		s.decoder.report(hclspec.SecretChanged.At(at, "This expression computes with %s, whose value is known only where the job runs. Put it into a text as it is, such as \"token=${%s}\".", s.secretSource(name), s.secretSource(name)))
	}
	return len(lost) == 0
}

// secretSource is what the user wrote for a secret.
func (s *scope) secretSource(name string) string {
	if _, ok := s.sensitive[name]; ok {
		return "var." + strings.TrimPrefix(name, variableSecret(""))
	}
	return hclspec.NewAddress("secret", name).String()
}

// findLost notes the secrets whose mark is on a value that lacks the tag.
func findLost(v cty.Value, lost map[string]bool) {
	plain, marks := v.Unmark()
	for m := range marks {
		if name, ok := m.(secretMark); ok && !holds(plain, secretTag(string(name))) {
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

// holds reports whether a tag is in a text anywhere in the value.
func holds(v cty.Value, tag string) bool {
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

// decides looks for a condition over a secret. Its outcome would be that of
// the tag, whatever the value.
func (s *scope) decides(expr hcl.Expression, ctx *hcl.EvalContext) bool {
	node, ok := expr.(hclsyntax.Expression)
	if !ok {
		return false
	}
	found := false
	_ = hclsyntax.VisitAll(node, func(n hclsyntax.Node) hcl.Diagnostics {
		c, ok := n.(*hclsyntax.ConditionalExpr)
		if !ok || found {
			return nil
		}
		for _, t := range c.Condition.Variables() {
			v, diags := t.TraverseAbs(ctx)
			if !diags.HasErrors() && v.ContainsMarked() {
				found = true
				s.decoder.report(hclspec.SecretChanged.At(c.Condition.Range(), "This condition depends on the value of a secret, which is known only where the job runs."))
				return nil
			}
		}
		return nil
	})
	return found
}

// variableSecret is the name of the secret that a sensitive variable becomes.
func variableSecret(variable string) string { return fmt.Sprintf("var_%s", variable) }
