// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	tags "github.com/openpai/terraform-provider-openpai/internal/template"
)

// A module can use only the secrets that it declares and the secrets that its caller
// passes. A tag in a module therefore refers to a secret that the module declares,
// with one exception. A value can have the mark of a passed secret. In such a value,
// a tag that contains the [passedName] of the secret refers to the passed secret. A
// module cannot access a secret by writing such a tag itself, because only
// [scope.passSecrets] marks a value.

// passedName returns the name of a secret in tags that one module passes to
// another. No module can declare a secret with this name.
func passedName(reference string) string {
	if module, _ := hclspec.Address(reference).Split(); module != "" {
		return reference
	}
	return hclspec.NewAddress("secret", reference).String()
}

// passed returns the value of an expression that a module passes to another
// module. If an error occurs, passed reports the error and returns false.
func (s *scope) passed(expr hcl.Expression, fr frame) (cty.Value, bool) {
	value, ok := s.evaluate(expr, fr)
	if !ok || !s.tagsIntact(value, expr.Range()) {
		return cty.DynamicVal, false
	}
	return s.passSecrets(value, expr.Range())
}

// passSecrets converts a value that this module passes to another module. In the
// result, each tag of a secret contains the [passedName] of the secret. A string with
// such a tag has the mark of the secret.
func (s *scope) passSecrets(v cty.Value, at hcl.Range) (cty.Value, bool) {
	return s.renameSecrets(v, at, func(text string, rename func(string) string) cty.Value {
		marks := cty.ValueMarks{}
		text = tags.RenameSecrets(text, func(name string) string {
			reference := rename(name)
			marks[secretMark(reference)] = struct{}{}
			return passedName(reference)
		}, secretTag)
		return cty.StringVal(text).WithMarks(marks)
	})
}

// declaredSecrets converts a value of this module to the form that the model uses.
// In the result, each tag contains the [hclspec.Secret.Reference] of the declared
// secret, and strings have no marks.
func (s *scope) declaredSecrets(v cty.Value, at hcl.Range) cty.Value {
	v, ok := s.renameSecrets(v, at, func(text string, rename func(string) string) cty.Value {
		return cty.StringVal(tags.RenameSecrets(text, rename, secretTag))
	})
	if !ok {
		return cty.DynamicVal
	}
	v, _ = v.UnmarkDeep()
	return v
}

// renameSecrets renames the secrets in the tagged strings of a value. It
// replaces each of these strings with the result of convert. The second
// argument of convert maps the name in a tag to the reference of the secret.
// If the result is too large, renameSecrets reports this and returns false.
func (s *scope) renameSecrets(v cty.Value, at hcl.Range, convert func(text string, rename func(string) string) cty.Value) (cty.Value, bool) {
	if !containsTag(v, "<%") {
		return v, true
	}
	size, passed := 0, passedSecrets(v)
	rename := func(name string) string { return s.reference(name, passed, &size) }
	out, _ := cty.Transform(v, func(_ cty.Path, inner cty.Value) (cty.Value, error) {
		plain, marks := inner.Unmark()
		if size > maxValueBytes || plain.Type() != cty.String || !plain.IsKnown() || plain.IsNull() {
			return inner, nil
		}
		return convert(plain.AsString(), rename).WithMarks(marks), nil
	})
	if size > maxValueBytes {
		s.decoder.report(hclspec.ResultTooLarge.At(at, "The secret references in this value exceed %d MiB in total. Use fewer references.", maxValueBytes>>20))
		return cty.DynamicVal, false
	}
	return out, true
}

// passedSecrets returns the secrets that mark a value. The result maps the
// [passedName] of each secret to the reference of the secret.
func passedSecrets(v cty.Value) map[string]string {
	references := map[string]string{}
	_, marks := v.UnmarkDeep()
	for m := range marks {
		if reference, ok := m.(secretMark); ok {
			references[passedName(string(reference))] = string(reference)
		}
	}
	return references
}

// reference converts the name of a secret in a tag of this module to the reference
// of the secret. It adds the length of the reference to *size. In the root, the name
// is the reference.
func (s *scope) reference(name string, passed map[string]string, size *int) string {
	reference, ok := passed[name]
	switch {
	case ok:
	case s.decoder.module == "":
		reference = name
	default:
		reference = s.decoder.secretName(name)
	}
	if *size += len(reference); *size > maxValueBytes {
		return name
	}
	return reference
}
