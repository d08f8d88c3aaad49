// SPDX-License-Identifier: MPL-2.0

package wire_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/provider/wire"
)

var (
	itemType = tftypes.Object{AttributeTypes: map[string]tftypes.Type{"name": tftypes.String, "count": tftypes.Number, "on": tftypes.Bool}}
	allType  = tftypes.Object{AttributeTypes: map[string]tftypes.Type{
		"name": tftypes.String, "items": tftypes.List{ElementType: itemType}, "by_name": tftypes.Map{ElementType: itemType}, "free": tftypes.DynamicPseudoType,
		"words": tftypes.Set{ElementType: tftypes.String}, "pair": tftypes.Tuple{ElementTypes: []tftypes.Type{tftypes.String, tftypes.Bool}},
		"frees": tftypes.List{ElementType: tftypes.DynamicPseudoType},
	}}
)

func text(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }

func item(name string, count any, on bool) tftypes.Value {
	return tftypes.NewValue(itemType, map[string]tftypes.Value{
		"name": text(name), "count": tftypes.NewValue(tftypes.Number, count), "on": tftypes.NewValue(tftypes.Bool, on),
	})
}

// all returns a value with all attributes; attributes not in set are null.
func all(set map[string]any) tftypes.Value {
	members := map[string]tftypes.Value{}
	for name, typ := range allType.AttributeTypes {
		switch v := set[name].(type) {
		case tftypes.Value:
			members[name] = v
		default:
			members[name] = tftypes.NewValue(typ, v)
		}
	}
	return tftypes.NewValue(allType, members)
}

func values() map[string]tftypes.Value {
	huge, _, _ := big.ParseFloat("1e999", 10, 512, big.ToNearestEven)
	return map[string]tftypes.Value{
		"null":        tftypes.NewValue(allType, nil),
		"unknown":     tftypes.NewValue(allType, tftypes.UnknownValue),
		"all null":    all(nil),
		"all unknown": all(map[string]any{"name": tftypes.UnknownValue, "items": tftypes.UnknownValue, "by_name": tftypes.UnknownValue, "free": tftypes.UnknownValue}),
		"strings":     all(map[string]any{"name": strings.Repeat("ü", 70000)}),
		"lists and maps": all(map[string]any{
			"items":   []tftypes.Value{item("", 0, true), tftypes.NewValue(itemType, nil), tftypes.NewValue(itemType, tftypes.UnknownValue)},
			"by_name": map[string]tftypes.Value{"b": item("x", 1, false), "a": item("y", nil, false)},
		}),
		"empty lists and maps": all(map[string]any{"items": []tftypes.Value{}, "by_name": map[string]tftypes.Value{}}),
		"numbers": all(map[string]any{"items": []tftypes.Value{
			item("", -1, true), item("", 1<<40, true), item("", -1<<63, true), item("", uint64(1<<63), true), item("", 0.1, true), item("", huge, true), item("", tftypes.UnknownValue, true),
		}}),
		"a value of any type":    all(map[string]any{"free": item("x", 1, true)}),
		"null of any type":       all(map[string]any{"free": tftypes.NewValue(itemType, nil)}),
		"unknown of any type":    all(map[string]any{"free": tftypes.NewValue(tftypes.String, tftypes.UnknownValue)}),
		"a set and a tuple":      all(map[string]any{"words": []tftypes.Value{text("a"), text("b")}, "pair": []tftypes.Value{text("a"), tftypes.NewValue(tftypes.Bool, nil)}}),
		"a value of a primitive": text("x"),
	}
}

// The expected results are from terraform-plugin-go.
func TestValuesAreThoseOfTerraformPluginGo(t *testing.T) {
	t.Parallel()
	for name, v := range values() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reference, err := tfprotov6.NewDynamicValue(v.Type(), v)
			if err != nil {
				t.Fatal(err)
			}
			encoded, err := wire.Encode(v)
			if err != nil {
				t.Fatal(err)
			}
			for what, d := range map[string]*tfprotov6.DynamicValue{"of terraform-plugin-go": &reference, "of Encode": encoded} {
				want, err := d.Unmarshal(v.Type())
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				got, err := wire.Decode(d, v.Type())
				if err != nil || !want.Equal(v) || !got.Equal(v) {
					t.Errorf("%s: decoded %s, %v, want %s and %s", what, got, err, want, v)
				}
			}
		})
	}
}

func TestOnlyValidValuesAreDecoded(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		from *tfprotov6.DynamicValue
		want tftypes.Value
		err  string
	}{
		"an absent value is null":      {nil, tftypes.NewValue(itemType, nil), ""},
		"JSON":                         {&tfprotov6.DynamicValue{JSON: []byte(`{"name":"a","count":1,"on":true}`)}, item("a", 1, true), ""},
		"nothing":                      {&tfprotov6.DynamicValue{}, tftypes.Value{}, "decode a value from Terraform: "},
		"the end within a string":      {packed("\x83\xa2on\xc3\xa4name\xa9a"), tftypes.Value{}, "unexpected EOF"},
		"an unknown attribute":         {packed("\x83\xa2of\xc3"), tftypes.Value{}, `unknown attribute "of"`},
		"a missing attribute":          {packed("\x81\xa2on\xc3"), tftypes.Value{}, "an object has 1 attributes instead of 3"},
		"an attribute twice":           {packed("\x83\xa2on\xc3\xa2on\xc3\xa2on\xc3"), tftypes.Value{}, "an object contains an attribute twice"},
		"a string instead of a bool":   {packed("\x81\xa2on\xa1x"), tftypes.Value{}, "instead of 3"},
		"a number instead of a string": {packed("\x83\xa4name\x01"), tftypes.Value{}, "invalid code"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := wire.Decode(tt.from, itemType)
			if tt.err == "" && (err != nil || !got.Equal(tt.want)) {
				t.Errorf("decoded %s, %v, want %s", got, err, tt.want)
			}
			if tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
				t.Errorf("error %v, want %q", err, tt.err)
			}
		})
	}
}

func packed(text string) *tfprotov6.DynamicValue {
	return &tfprotov6.DynamicValue{MsgPack: []byte(text)}
}

func TestOneAttributeIsDecodedAlone(t *testing.T) {
	t.Parallel()
	encoded, err := wire.Encode(item("a", 1, true))
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		from *tfprotov6.DynamicValue
		want tftypes.Value
	}{
		"an object":              {encoded, text("a")},
		"JSON":                   {&tfprotov6.DynamicValue{JSON: []byte(`{"name":"a","count":1,"on":true}`)}, text("a")},
		"JSON of null":           {&tfprotov6.DynamicValue{JSON: []byte(`null`)}, tftypes.NewValue(tftypes.String, nil)},
		"an absent object":       {nil, tftypes.NewValue(tftypes.String, nil)},
		"an object that is null": {packed("\xc0"), tftypes.NewValue(tftypes.String, nil)},
		"an unknown object":      {packed("\xd4\x00\x00"), tftypes.NewValue(tftypes.String, nil)},
		"an unknown attribute":   {packed("\x81\xa4name\xd4\x00\x00"), tftypes.NewValue(tftypes.String, tftypes.UnknownValue)},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := wire.DecodeAttribute(tt.from, itemType, "name")
			if err != nil || !got.Equal(tt.want) {
				t.Errorf("decoded %s, %v, want %s", got, err, tt.want)
			}
		})
	}
	for _, mistake := range []string{"\x81", "\x81\xa2on", "\x81\xa2on\xc3", "\xa1x", "\x81\xa4name\x01"} {
		if v, err := wire.DecodeAttribute(packed(mistake), itemType, "name"); err == nil {
			t.Errorf("decoded %q as %s", mistake, v)
		}
	}
}

// FuzzDecode compares decoding with terraform-plugin-go. Package wire must
// encode the decoded value again without loss.
func FuzzDecode(f *testing.F) {
	typ := tftypes.Object{AttributeTypes: map[string]tftypes.Type{
		"name": tftypes.String, "items": tftypes.List{ElementType: itemType}, "by_name": tftypes.Map{ElementType: itemType},
	}}
	for _, v := range values() {
		if d, err := wire.Encode(v); err == nil {
			f.Add(d.MsgPack)
		}
	}
	f.Add([]byte("\x83\xa4name\xa1a\xa5items\x91\x83\xa4name\xc0\xa5count\x01\xa2on\xc2\xa7by_name\xdf\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, text []byte) {
		d := packed(string(text))
		got, err := wire.Decode(d, typ)
		if err != nil {
			return
		}
		want, err := d.Unmarshal(typ)
		if err != nil || !want.Equal(got) {
			t.Fatalf("decoded %s, want %s, %v", got, want, err)
		}
		again, err := wire.Encode(got)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := again.Unmarshal(typ); err != nil || !v.Equal(got) {
			t.Errorf("encoded %s as %s, %v", got, v, err)
		}
	})
}
