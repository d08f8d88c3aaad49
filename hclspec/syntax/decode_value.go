// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"math/big"
	"reflect"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// set stores a value in a model field. It reports an invalid value. It returns
// false for an invalid value and after a failed evaluation.
func (r *reader) set(f *hclspec.Field, n *node, into reflect.Value, path hclspec.Path) bool {
	switch f.Kind {
	case hclspec.String, hclspec.OptionalString:
		return assign(into, func() (string, bool) { return r.decodeString(f, n) })
	case hclspec.Bool, hclspec.OptionalBool:
		return assign(into, func() (bool, bool) { return r.decodeBool(f, n) })
	case hclspec.Int, hclspec.OptionalInt:
		return assign(into, func() (int, bool) { return r.decodeInt(f, f.Name, n) })
	case hclspec.Dur:
		return assign(into, func() (hclspec.Duration, bool) { return r.decodeDuration(f, n) })
	case hclspec.Strings:
		return assign(into, func() ([]string, bool) { return r.stringList(f, n, path) })
	case hclspec.OneOrMore:
		return assign(into, func() ([]string, bool) { return r.stringOrList(f, n, path) })
	case hclspec.StringMap:
		return assign(into, func() (map[string]string, bool) { return r.stringMap(f, n, path) })
	case hclspec.IntMap:
		return assign(into, func() (map[string]int, bool) { return r.intMap(f, n, path) })
	case hclspec.Text:
		return assign(into, func() (*hclspec.Sensitive, bool) { return r.sensitiveString(n) })
	case hclspec.Ref:
		return r.setReference(f, n, into, path)
	case hclspec.Refs:
		return assign(into, func() ([]hclspec.Reference, bool) { return r.references(f, n, path) })
	case hclspec.StorageUses:
		return assign(into, func() ([]*hclspec.StorageUse, bool) { return r.storageUses(f, n, path) })
	default:
		return r.setDynamic(f, n, into, path)
	}
}

// assign stores a value in a field of type T or *T.
func assign[T any](into reflect.Value, get func() (T, bool)) bool {
	v, ok := get()
	if !ok {
		return false
	}
	if into.Kind() == reflect.Pointer && into.Type() == reflect.TypeFor[*T]() {
		into.Set(reflect.ValueOf(&v))
		return true
	}
	into.Set(reflect.ValueOf(v).Convert(into.Type()))
	return true
}

// wrongType reports a value of the wrong type, unless the evaluation of the
// value failed.
func (r *reader) wrongType(name, wanted string, n *node, advice string) {
	if !n.failed() {
		r.report(hclspec.WrongType.At(n.at, "%s must be %s, but it is %s.%s", name, wanted, describe(n.value), advice))
	}
}

func (r *reader) decodeString(f *hclspec.Field, n *node) (string, bool) {
	if n.isReference() {
		return n.attribute("name"), true
	}
	text, ok := stringOf(n.value, n.spelling)
	if !ok {
		r.wrongType(f.Name, "a string", n, "")
	}
	return text, ok
}

func (r *reader) decodeBool(f *hclspec.Field, n *node) (bool, bool) {
	v, err := convert.Convert(n.value, cty.Bool)
	if err != nil || !v.IsKnown() || v.IsNull() {
		r.wrongType(f.Name, "a bool", n, "")
		return false, false
	}
	return v.True(), true
}

func (r *reader) decodeInt(f *hclspec.Field, name string, n *node) (int, bool) {
	v, err := convert.Convert(n.value, cty.Number)
	if err != nil || !v.IsKnown() || v.IsNull() {
		r.wrongType(name, "an integer", n, "")
		return 0, false
	}
	number := v.AsBigFloat()
	i, accuracy := number.Int64()
	switch {
	case accuracy == big.Exact && int64(int(i)) == i:
		return int(i), true
	case number.IsInt():
		r.report(hclspec.OutOfRange(f, name, number.Text('g', 20), n.at))
	default:
		r.report(hclspec.WrongType.At(n.at, "%s must be an integer, but it is %s.", name, number.Text('g', 10)))
	}
	return 0, false
}

func (r *reader) decodeDuration(f *hclspec.Field, n *node) (hclspec.Duration, bool) {
	if n.value.Type() == cty.Number {
		r.wrongType(f.Name, "a duration", n, ` Write it with a unit, such as "30m".`)
		return 0, false
	}
	text, ok := stringOf(n.value, "")
	if !ok {
		r.wrongType(f.Name, "a duration", n, "")
		return 0, false
	}
	d, err := hclspec.ParseDuration(text)
	if err != nil {
		r.report(hclspec.InvalidSpelling.At(n.at, "%s is %q, but %s.", f.Name, text, err))
		return 0, false
	}
	return d, true
}

// sensitiveString returns the value of a sensitive variable. n must be a bare
// reference to a sensitive variable.
func (r *reader) sensitiveString(n *node) (*hclspec.Sensitive, bool) {
	text, _ := stringOf(n.value, "")
	for name, value := range r.scope.sensitive {
		if text == secretTag(name) {
			return hclspec.NewSensitive(value), true
		}
	}
	if !n.failed() {
		r.report(SecretNotFromVariable.At(n.at, "The \"value\" argument must refer to a variable with sensitive = true, for example value = var.password. To read the secret from its source, use env, file or a kubernetes block."))
	}
	return nil, false
}
