// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"reflect"
	"sync"
)

// fieldIndexes caches the fields of each struct of the model by name.
// reflect.Value.FieldByName searches all embedded structs each time.
var fieldIndexes sync.Map // reflect.Type to map[string][]int

// In returns the struct field for f in an object of the model. It panics if the
// object has no such field.
func (f *Field) In(object reflect.Value) reflect.Value {
	index, ok := indexesOf(object.Type())[f.Go]
	if !ok {
		panic("hclspec: " + object.Type().String() + " has no field " + f.Go)
	}
	return object.FieldByIndex(index)
}

func indexesOf(t reflect.Type) map[string][]int {
	if known, ok := fieldIndexes.Load(t); ok {
		return known.(map[string][]int)
	}
	all := map[string][]int{}
	for _, field := range reflect.VisibleFields(t) {
		all[field.Name] = field.Index
	}
	fieldIndexes.Store(t, all)
	return all
}
