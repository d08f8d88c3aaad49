// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"fmt"
	"reflect"
)

// SetDefault stores the default of f in the struct field into. It does nothing
// if f has no default.
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
		panic(fmt.Sprintf("hclspec: the default of %s has type %T", f.Name, v))
	}
}

// SetDefaults sets the fields of a struct to their defaults. It includes nested
// blocks that always exist. It also sets fields that the current syntax cannot set,
// because the model does not depend on the syntax. into is the struct.
func (b *Block) SetDefaults(into reflect.Value) {
	for i := range b.Fields {
		f := &b.Fields[i]
		if f.Go == "" {
			continue // the field exists only in a Terraform resource, not in the model
		}
		v := f.In(into)
		if f.Kind == Object {
			f.Block.SetDefaults(v)
			continue
		}
		f.SetDefault(v)
	}
}
