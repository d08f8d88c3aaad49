package hclspec

import (
	"fmt"
	"reflect"
)

// SetDefault stores the default of a field that is not given, if it has one.
// into is the struct field.
func (f *Field) SetDefault(into reflect.Value) {
	switch v := f.Default.(type) {
	case nil:
	case bool:
		into.SetBool(v)
	case int:
		into.SetInt(int64(v))
	case string:
		if f.Kind != Dur {
			into.SetString(v)
			return
		}
		d, err := ParseDuration(v)
		if err != nil {
			panic(fmt.Sprintf("hclspec: default of %s: %v", f.Name, err))
		}
		into.Set(reflect.ValueOf(d))
	default:
		panic(fmt.Sprintf("hclspec: default of %s is a %T", f.Name, v))
	}
}

// SetDefaults stores the defaults of a block that is not written, those of
// blocks that always exist in it included. Fields that only some syntax can
// set get theirs in every syntax: the model does not depend on it. into is the
// struct.
func (b *Block) SetDefaults(into reflect.Value) {
	for i := range b.Fields {
		f := &b.Fields[i]
		if f.Go == "" {
			continue // of a resource, not of the model
		}
		v := into.FieldByName(f.Go)
		if f.Kind == Object {
			f.Block.SetDefaults(v)
			continue
		}
		f.SetDefault(v)
	}
}
