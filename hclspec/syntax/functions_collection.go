// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"errors"
	"fmt"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// boolSearch creates a function that returns wanted if a list of bools contains
// wanted, else !wanted. Null counts as false.
func boolSearch(wanted bool) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "list", Type: cty.List(cty.Bool)}},
		Type:   function.StaticReturnType(cty.Bool),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			for it := args[0].ElementIterator(); it.Next(); {
				_, v := it.Element()
				if !v.IsKnown() {
					return cty.UnknownVal(cty.Bool), nil
				}
				if (!v.IsNull() && v.True()) == wanted {
					return cty.BoolVal(wanted), nil
				}
			}
			return cty.BoolVal(!wanted), nil
		},
	})
}

var (
	allTrue = boolSearch(false)
	anyTrue = boolSearch(true)
)

// length returns the number of elements in a collection, attributes in an
// object or characters in a string.
var length = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "value", Type: cty.DynamicPseudoType, AllowDynamicType: true}},
	Type:   function.StaticReturnType(cty.Number),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		v := args[0]
		switch {
		case !v.IsKnown():
			return cty.UnknownVal(cty.Number), nil
		case v.Type() == cty.String:
			return stdlib.Strlen(v)
		case v.Type().IsObjectType():
			return cty.NumberIntVal(int64(len(v.Type().AttributeTypes()))), nil
		case v.CanIterateElements():
			return v.Length(), nil
		}
		return cty.NilVal, errors.New("the argument must be a list, set, map, object or string")
	},
})

// one returns the only element of a list or set, or null for an empty list or
// set.
var one = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "list", Type: cty.DynamicPseudoType}},
	Type: func(args []cty.Value) (cty.Type, error) {
		if typ := args[0].Type(); typ.IsListType() || typ.IsSetType() {
			return typ.ElementType(), nil
		}
		return cty.DynamicPseudoType, nil
	},
	Impl: func(args []cty.Value, typ cty.Type) (cty.Value, error) {
		v := args[0]
		if !v.CanIterateElements() || v.Type().IsMapType() || v.Type().IsObjectType() {
			return cty.NilVal, errors.New("the argument must be a list or a set")
		}
		switch v.LengthInt() {
		case 0:
			return cty.NullVal(typ), nil
		case 1:
			it := v.ElementIterator()
			it.Next()
			_, element := it.Element()
			return element, nil
		}
		return cty.NilVal, errors.New("the argument must have at most one element")
	},
})

// index returns the position of the first list element that equals a value.
var index = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "list", Type: cty.DynamicPseudoType}, {Name: "value", Type: cty.DynamicPseudoType}},
	Type:   function.StaticReturnType(cty.Number),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		if typ := args[0].Type(); !typ.IsListType() && !typ.IsTupleType() {
			return cty.NilVal, errors.New("the first argument must be a list")
		}
		for it := args[0].ElementIterator(); it.Next(); {
			position, element := it.Element()
			same, err := stdlib.Equal(element, args[1])
			if err != nil {
				return cty.NilVal, err
			}
			if !same.IsKnown() {
				return cty.UnknownVal(cty.Number), nil
			}
			if same.True() {
				return position, nil
			}
		}
		return cty.NilVal, errors.New("the list does not contain the value")
	},
})

// sum adds the numbers in a list or set. The sum of an empty collection is 0.
var sum = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "list", Type: cty.DynamicPseudoType}},
	Type:   function.StaticReturnType(cty.Number),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		if typ := args[0].Type(); !typ.IsTupleType() && !typ.IsListType() && !typ.IsSetType() {
			return cty.NilVal, errors.New("the argument must be a list or a set of numbers")
		}
		total := cty.Zero
		for it := args[0].ElementIterator(); it.Next(); {
			_, v := it.Element()
			n, err := convert.Convert(v, cty.Number)
			if err != nil || n.IsNull() {
				return cty.NilVal, errors.New("every element must be a number")
			}
			total = total.Add(n)
		}
		return total, nil
	},
})

// transpose swaps the keys and the list elements in a map of string lists.
var transpose = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "map", Type: cty.Map(cty.List(cty.String))}},
	Type:   function.StaticReturnType(cty.Map(cty.List(cty.String))),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		if !args[0].IsWhollyKnown() {
			return cty.UnknownVal(cty.Map(cty.List(cty.String))), nil
		}
		swapped := map[string][]cty.Value{}
		for it := args[0].ElementIterator(); it.Next(); {
			key, list := it.Element()
			if list.IsNull() {
				return cty.NilVal, errors.New("a list is null")
			}
			for inner := list.ElementIterator(); inner.Next(); {
				_, v := inner.Element()
				if v.IsNull() {
					return cty.NilVal, errors.New("an element is null")
				}
				swapped[v.AsString()] = append(swapped[v.AsString()], key)
			}
		}
		if len(swapped) == 0 {
			return cty.MapValEmpty(cty.List(cty.String)), nil
		}
		lists := map[string]cty.Value{}
		for key, values := range swapped {
			lists[key] = cty.ListVal(values)
		}
		return cty.MapVal(lists), nil
	},
})

// maxProduct is the maximum number of combinations that setproduct may
// return. setProduct checks this limit before it computes the combinations.
const maxProduct = 10_000

// setProduct returns every combination of the elements of several lists or
// sets.
var setProduct = bounded(stdlib.SetProductFunc, func(args []cty.Value) error {
	product := 1
	for _, v := range args {
		v, _ = v.Unmark()
		if !v.IsKnown() || v.IsNull() || !v.CanIterateElements() {
			return nil // the call to setproduct handles this argument
		}
		if product *= v.LengthInt(); product > maxProduct {
			return fmt.Errorf("the product has more than %d elements", maxProduct)
		}
	}
	return nil
})

// bounded returns a function that calls f only if check returns no error.
func bounded(f function.Function, check func([]cty.Value) error) function.Function {
	return function.New(&function.Spec{
		Description: f.Description(),
		Params:      f.Params(),
		VarParam:    f.VarParam(),
		Type: func(args []cty.Value) (cty.Type, error) {
			if err := check(args); err != nil {
				return cty.NilType, err
			}
			return f.ReturnTypeForValues(args)
		},
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return f.Call(args) },
	})
}
