// SPDX-License-Identifier: MPL-2.0

package wire

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

// Decode decodes a value, with the same result as
// tfprotov6.DynamicValue.Unmarshal. If from is nil, the value is null.
func Decode(from *tfprotov6.DynamicValue, typ tftypes.Type) (v tftypes.Value, err error) {
	switch {
	case from == nil:
		return tftypes.NewValue(typ, nil), nil
	case len(from.MsgPack) == 0:
		v, err = from.Unmarshal(typ)
	default:
		v, err = newDecoder(from.MsgPack).decode(typ)
	}
	if err != nil {
		return tftypes.Value{}, fmt.Errorf("decode a value from Terraform: %w", err)
	}
	return v, nil
}

// DecodeAttribute decodes one attribute of an object and skips the other
// attributes. If the object is null or unknown, the attribute is null.
func DecodeAttribute(from *tfprotov6.DynamicValue, typ tftypes.Object, name string) (tftypes.Value, error) {
	if from == nil || len(from.MsgPack) == 0 {
		return decodeWhole(from, typ, name)
	}
	v, err := newDecoder(from.MsgPack).attribute(typ, name)
	if err != nil {
		return tftypes.Value{}, fmt.Errorf("decode the attribute %s of a value from Terraform: %w", name, err)
	}
	return v, nil
}

// decodeWhole decodes a whole object and returns one attribute. Callers use
// it for objects that are not encoded as msgpack.
func decodeWhole(from *tfprotov6.DynamicValue, typ tftypes.Object, name string) (tftypes.Value, error) {
	object, err := Decode(from, typ)
	if err != nil || object.IsNull() || !object.IsKnown() {
		return tftypes.NewValue(typ.AttributeTypes[name], nil), err
	}
	var members map[string]tftypes.Value
	mustAs(object, &members)
	return members[name], nil
}

// decoder reads one value from msgpack.
type decoder struct {
	*msgpack.Decoder
	rest *bytes.Reader
}

func newDecoder(text []byte) decoder {
	rest := bytes.NewReader(text)
	return decoder{msgpack.NewDecoder(rest), rest}
}

func (d decoder) decode(typ tftypes.Type) (tftypes.Value, error) {
	code, err := d.PeekCode()
	if err != nil {
		return tftypes.Value{}, err
	}
	switch {
	case msgpcode.IsExt(code):
		return tftypes.NewValue(typ, tftypes.UnknownValue), d.Skip()
	case code == msgpcode.Nil:
		return tftypes.NewValue(typ, nil), d.Skip()
	case typ.Is(tftypes.String):
		s, err := d.DecodeString()
		return tftypes.NewValue(typ, s), err
	case typ.Is(tftypes.Bool):
		b, err := d.DecodeBool()
		return tftypes.NewValue(typ, b), err
	case typ.Is(tftypes.Number) && msgpcode.IsFixedNum(code):
		n, err := d.DecodeInt64()
		return tftypes.NewValue(typ, new(big.Float).SetInt64(n)), err
	}
	switch typ := typ.(type) {
	case tftypes.Object:
		return d.object(typ)
	case tftypes.Map:
		if !typ.ElementType.Is(tftypes.DynamicPseudoType) {
			return d.mapping(typ)
		}
	case tftypes.List:
		if !typ.ElementType.Is(tftypes.DynamicPseudoType) {
			return d.list(typ)
		}
	}
	return d.delegate(typ)
}

func (d decoder) object(typ tftypes.Object) (tftypes.Value, error) {
	n, err := d.DecodeMapLen()
	if err != nil {
		return tftypes.Value{}, err
	}
	if n != len(typ.AttributeTypes) {
		return tftypes.Value{}, fmt.Errorf("an object has %d attributes instead of %d", n, len(typ.AttributeTypes))
	}
	members := make(map[string]tftypes.Value, n)
	for range n {
		name, err := d.DecodeString()
		if err != nil {
			return tftypes.Value{}, err
		}
		member, ok := typ.AttributeTypes[name]
		if !ok {
			return tftypes.Value{}, fmt.Errorf("unknown attribute %q", name)
		}
		if members[name], err = d.decode(member); err != nil {
			return tftypes.Value{}, err
		}
	}
	if len(members) != n {
		return tftypes.Value{}, errors.New("an object contains an attribute twice")
	}
	return tftypes.NewValue(typ, members), nil
}

func (d decoder) mapping(typ tftypes.Map) (tftypes.Value, error) {
	n, err := d.DecodeMapLen()
	if err != nil {
		return tftypes.Value{}, err
	}
	members := make(map[string]tftypes.Value, min(n, d.rest.Len()))
	for range n {
		key, err := d.DecodeString()
		if err != nil {
			return tftypes.Value{}, err
		}
		if members[key], err = d.decode(typ.ElementType); err != nil {
			return tftypes.Value{}, err
		}
	}
	return tftypes.NewValue(typ, members), nil
}

func (d decoder) list(typ tftypes.List) (tftypes.Value, error) {
	n, err := d.DecodeArrayLen()
	if err != nil {
		return tftypes.Value{}, err
	}
	elements := make([]tftypes.Value, 0, min(n, d.rest.Len()))
	for range n {
		v, err := d.decode(typ.ElementType)
		if err != nil {
			return tftypes.Value{}, err
		}
		elements = append(elements, v)
	}
	return tftypes.NewValue(typ, elements), nil
}

// delegate decodes a value with terraform-plugin-go.
func (d decoder) delegate(typ tftypes.Type) (tftypes.Value, error) {
	raw, err := d.DecodeRaw()
	if err != nil {
		return tftypes.Value{}, err
	}
	return tfprotov6.DynamicValue{MsgPack: raw}.Unmarshal(typ)
}

func (d decoder) attribute(typ tftypes.Object, name string) (tftypes.Value, error) {
	none := tftypes.NewValue(typ.AttributeTypes[name], nil)
	code, err := d.PeekCode()
	if err != nil || msgpcode.IsExt(code) || code == msgpcode.Nil {
		return none, err
	}
	n, err := d.DecodeMapLen()
	if err != nil {
		return none, err
	}
	for range n {
		key, err := d.DecodeString()
		if err != nil {
			return none, err
		}
		if key == name {
			return d.decode(typ.AttributeTypes[name])
		}
		if err := d.Skip(); err != nil {
			return none, err
		}
	}
	return none, fmt.Errorf("the object has no attribute %s", name)
}
