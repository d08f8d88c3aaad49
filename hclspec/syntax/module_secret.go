// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	tags "github.com/openpai/terraform-provider-openpai/internal/template"
)

// A module can use only the secrets that it declares and the secrets that its
// caller passes. A tag in a module therefore refers to a secret of that module. The
// exception is a tag in the form of [passedName], in a value with the mark of that
// secret. Such a tag refers to a passed secret. A module can write any tag, but only
// [scope.passSecrets] marks a value.

// passedName returns the name by which a tag refers to a secret in a value that
// one module passes to another. No module can declare a secret with such a name.
func passedName(reference string) string {
	if module, _ := hclspec.Address(reference).Split(); module != "" {
		return reference
	}
	return hclspec.NewAddress("secret", reference).String()
}

// passed returns the value of an expression that a module passes to another
// module. After reporting an error, it returns false.
func (s *scope) passed(expr hcl.Expression, fr frame) (cty.Value, bool) {
	value, ok := s.evaluate(expr, fr)
	if !ok || !s.tagsIntact(value, expr.Range()) {
		return cty.DynamicVal, false
	}
	return s.passSecrets(value, expr.Range())
}

// passSecrets converts a value of this module for another module. In the result, each
// tag has the form of [passedName], and its string has the mark of the secret.
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

// declaredSecrets converts a value of this module for the model. In the result, each
// tag contains the reference of the declared secret, and strings do not have marks.
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

// renameSecrets converts the strings with tags in a value. It calls convert for
// each string, with a function that maps the name in a tag to the reference of the
// secret. It returns false after reporting a result that is too large.
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
		s.decoder.report(hclspec.ResultTooLarge.At(at, "The references to secrets in this value have more than %d MiB.", maxValueBytes>>20))
		return cty.DynamicVal, false
	}
	return out, true
}

// passedSecrets returns the references of the secrets in the marks of a value, by
// their passed names.
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

// reference returns the reference of the secret in a tag of this module, and adds the
// length of the reference to size. In the root, a tag contains the reference.
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
