package protocol

import (
	"fmt"
	"reflect"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func reflectValue(pointer any) reflect.Value { return reflect.ValueOf(pointer).Elem() }

// setDefaults gives the fields of a struct the defaults of the table, those of
// blocks that always exist included. Fields that only HCL can set get theirs
// too: the model does not depend on the syntax.
func setDefaults(b *hclspec.Block, out reflect.Value) {
	for i := range b.Fields {
		f := &b.Fields[i]
		v := out.FieldByName(f.Go)
		if f.Kind == hclspec.Object {
			setDefaults(f.Block, v)
		}
		if f.Default != nil {
			setDefault(f, v)
		}
	}
}

func setDefault(f *hclspec.Field, v reflect.Value) {
	switch value := f.Default.(type) {
	case bool:
		v.SetBool(value)
	case int:
		v.SetInt(int64(value))
	case string:
		if f.Kind == hclspec.Dur {
			span, err := hclspec.ParseDuration(value)
			if err != nil {
				panic(fmt.Sprintf("protocol: default of %s: %v", f.Name, err))
			}
			v.SetInt(int64(span))
			return
		}
		v.SetString(value)
	default:
		panic("protocol: default of " + f.Name + " has an unexpected type")
	}
}

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
