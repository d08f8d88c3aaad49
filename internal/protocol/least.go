package protocol

import (
	"reflect"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func reflectValue(pointer any) reflect.Value { return reflect.ValueOf(pointer).Elem() }

// setLeast gives a field that is absent or could not be read the least valid
// value, so that the checks of the whole model do not report it once more.
func setLeast(f *hclspec.Field, v reflect.Value) {
	switch {
	case f.Kind == hclspec.Int && f.Min != nil && v.Int() < int64(*f.Min):
		v.SetInt(int64(*f.Min))
	case f.Kind == hclspec.OneOrMore:
		v.Set(reflect.ValueOf([]string{"unreadable"}))
	case f.Kind == hclspec.Object:
		for i := range f.Block.Fields {
			nested := &f.Block.Fields[i]
			setLeast(nested, v.FieldByName(nested.Go))
		}
	}
}
