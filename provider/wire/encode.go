// SPDX-License-Identifier: MPL-2.0

package wire

import (
	"bytes"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/vmihailenco/msgpack/v5"
)

// unknown is the encoding of an unknown value.
const unknown = "\xd4\x00\x00"

// Encode encodes a value, with the same result as tfprotov6.NewDynamicValue.
// The keys of maps are sorted.
func Encode(v tftypes.Value) (*tfprotov6.DynamicValue, error) {
	e := &encoder{}
	e.msgpack = msgpack.NewEncoder(&e.out)
	if err := e.encode(v.Type(), v); err != nil {
		return nil, fmt.Errorf("encode a value for Terraform: %w", err)
	}
	return &tfprotov6.DynamicValue{MsgPack: e.out.Bytes()}, nil
}

type encoder struct {
	out     bytes.Buffer
	msgpack *msgpack.Encoder // writes to out, unbuffered
}

// encode writes a value. The schema's type typ differs from the value's type
// if the schema accepts any type.
func (e *encoder) encode(typ tftypes.Type, v tftypes.Value) error {
	switch {
	case typ.Is(tftypes.DynamicPseudoType):
		return e.delegate(typ, v)
	case !v.IsKnown():
		_, err := e.out.WriteString(unknown)
		return err
	case v.IsNull():
		return e.msgpack.EncodeNil()
	}
	switch typ := typ.(type) {
	case tftypes.Object:
		return e.members(v, func(name string) tftypes.Type { return typ.AttributeTypes[name] })
	case tftypes.Map:
		return e.members(v, func(string) tftypes.Type { return typ.ElementType })
	case tftypes.List:
		return e.list(typ.ElementType, v)
	}
	return e.primitive(typ, v)
}

func (e *encoder) primitive(typ tftypes.Type, v tftypes.Value) error {
	switch {
	case typ.Is(tftypes.String):
		var s string
		mustAs(v, &s)
		return e.msgpack.EncodeString(s)
	case typ.Is(tftypes.Bool):
		var b bool
		mustAs(v, &b)
		return e.msgpack.EncodeBool(b)
	case typ.Is(tftypes.Number):
		var n big.Float
		mustAs(v, &n)
		if i, accuracy := n.Int64(); accuracy == big.Exact {
			return e.msgpack.EncodeInt(i)
		}
	}
	return e.delegate(typ, v)
}

func (e *encoder) members(v tftypes.Value, typeOf func(name string) tftypes.Type) error {
	var members map[string]tftypes.Value
	mustAs(v, &members)
	if err := e.msgpack.EncodeMapLen(len(members)); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if err := e.msgpack.EncodeString(name); err != nil {
			return err
		}
		if err := e.encode(typeOf(name), members[name]); err != nil {
			return err
		}
	}
	return nil
}

func (e *encoder) list(element tftypes.Type, v tftypes.Value) error {
	var elements []tftypes.Value
	mustAs(v, &elements)
	if err := e.msgpack.EncodeArrayLen(len(elements)); err != nil {
		return err
	}
	for _, v := range elements {
		if err := e.encode(element, v); err != nil {
			return err
		}
	}
	return nil
}

// delegate encodes a value with terraform-plugin-go.
func (e *encoder) delegate(typ tftypes.Type, v tftypes.Value) error {
	d, err := tfprotov6.NewDynamicValue(typ, v)
	if err != nil {
		return err
	}
	_, err = e.out.Write(d.MsgPack)
	return err
}

// mustAs converts v to the matching Go type of into. It panics if the types
// do not match.
func mustAs(v tftypes.Value, into any) {
	if err := v.As(into); err != nil {
		panic("wire: " + err.Error())
	}
}
