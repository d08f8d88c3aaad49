// SPDX-License-Identifier: MPL-2.0

package shape

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/distribution/reference"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// KeepEqual returns the planned value, but keeps the prior notation of each
// part whose meaning has not changed. Therefore, a different notation of a
// duration, a quantity, an image reference or JSON is not a change.
func (o *Object) KeepEqual(prior, planned tftypes.Value) tftypes.Value {
	if !canCompare(prior, planned) {
		return planned
	}
	before, after := members(prior), maps.Clone(members(planned))
	for _, a := range o.Attributes {
		after[a.Name] = a.keepEqual(before[a.Name], after[a.Name])
		if a.definition {
			after[definitionName] = a.keepEqual(before[definitionName], after[definitionName])
		}
	}
	return tftypes.NewValue(planned.Type(), after)
}

// Compare sets the function that determines which references have the same
// meaning, and returns o.
func (o *Object) Compare(same func(x, y string) bool) *Object {
	for _, a := range o.Attributes {
		a.sameReference = same
		if a.Object != nil {
			a.Object.Compare(same)
		}
	}
	return o
}

// canCompare reports whether two values can be compared part by part.
func canCompare(a, b tftypes.Value) bool {
	return a.IsKnown() && b.IsKnown() && !a.IsNull() && !b.IsNull()
}

func (a *Attribute) keepEqual(prior, planned tftypes.Value) tftypes.Value {
	if !canCompare(prior, planned) {
		return planned
	}
	if a.Open {
		if a.equalOpen(prior, planned) {
			return prior
		}
		return planned
	}
	switch a.Form {
	case Single:
		return a.Object.KeepEqual(prior, planned)
	case Map:
		before, after := members(prior), maps.Clone(members(planned))
		for key, v := range after {
			if old, ok := before[key]; ok {
				after[key] = a.Object.KeepEqual(old, v)
			}
		}
		return tftypes.NewValue(planned.Type(), after)
	case List:
		var before, after []tftypes.Value
		must(prior.As(&before))
		must(planned.As(&after))
		after = slices.Clone(after)
		for i := range min(len(before), len(after)) {
			after[i] = a.Object.KeepEqual(before[i], after[i])
		}
		return tftypes.NewValue(planned.Type(), after)
	case String, JSON:
		if a.equal(stringOf(prior), stringOf(planned)) {
			return prior
		}
	}
	return planned
}

// equal reports whether two strings of an attribute have the same meaning.
func (a *Attribute) equal(x, y string) bool {
	switch {
	case a.isReference && a.sameReference != nil && a.sameReference(x, y):
		return true
	case a.Field.Kind == hclspec.Dur, a.Field.Format == hclspec.FormatDuration:
		one, errOne := hclspec.ParseDuration(x)
		two, errTwo := hclspec.ParseDuration(y)
		return errOne == nil && errTwo == nil && one == two
	case a.Form == JSON:
		one, errOne := ParseJSON([]byte(x))
		two, errTwo := ParseJSON([]byte(y))
		return errOne == nil && errTwo == nil && bytes.Equal(MarshalTree(one), MarshalTree(two))
	case a.Field.Format == hclspec.FormatImage:
		return isImage(x) && isImage(y) && imageName(x) == imageName(y)
	case a.Field.Format == hclspec.FormatQuantity:
		one, errOne := resource.ParseQuantity(x)
		two, errTwo := resource.ParseQuantity(y)
		return errOne == nil && errTwo == nil && one.Cmp(two) == 0
	}
	return false
}

// isImage reports whether a string can only be an image reference. A single word
// may be the name of a prerequisite.
func isImage(text string) bool {
	return strings.ContainsAny(text, "/:") && !strings.Contains(text, "://") && !strings.HasPrefix(text, "{")
}

// imageName returns the full name of an image, or the string itself if it is not
// an image reference.
func imageName(text string) string {
	named, err := reference.ParseNormalizedNamed(text)
	if err != nil {
		return text
	}
	return reference.TagNameOnly(named).String()
}
