// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	tags "github.com/openpai/terraform-provider-openpai/internal/template"
)

// A module can use only its own secrets and the secrets from its caller. A tag in a
// module therefore refers to a secret of the module, with one exception. If a caller
// passes a secret, the passed value has the mark of the secret. In a marked value, a
// tag with the [passedName] of the secret refers to the passed secret. A module
// cannot access a secret by writing the tag itself, because only [scope.passSecrets]
// marks a value.

// passedName returns the secret name in the tag of a passed secret. No module
// can declare a secret with a passed name.
func passedName(reference string) string {
	if module, _ := hclspec.Address(reference).Split(); module != "" {
		return reference
	}
	return hclspec.NewAddress("secret", reference).String()
}

// passed returns the value that a module passes to another module. If an
// error occurs, it reports the error and returns false.
func (s *scope) passed(expr hcl.Expression, fr frame) (cty.Value, bool) {
	value, ok := s.evaluate(expr, fr)
	if !ok || !s.tagsIntact(value, expr.Range()) {
		return cty.DynamicVal, false
	}
	return s.passSecrets(value, expr.Range())
}

// passSecrets converts a value for another module. Each tag in the result contains
// the [passedName] of a secret. A string with a tag has the mark of the secret.
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

// declaredSecrets converts a value for the model. Each tag in the result contains
// the [hclspec.Secret.Reference] of a declared secret. Strings have no marks.
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

// renameSecrets replaces each tagged string by the result of convert. The
// argument rename of convert maps the name in a tag to the secret reference.
// If the result is too large, renameSecrets reports an error and returns
// false.
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

// passedSecrets maps the [passedName] of each secret that marks a value to
// its reference.
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

// reference returns the secret reference for a name in a tag of this module. It adds
// the length of the reference to *size. In the root module, the reference is the
// name.
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
