// SPDX-License-Identifier: MPL-2.0

package wire_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/provider/wire"
)

// BenchmarkWire compares this package with terraform-plugin-go, for a value with 600
// members in nested objects. The results are in contributing/dependencies.md.
func BenchmarkWire(b *testing.B) {
	byName := map[string]tftypes.Value{}
	for i := range 200 {
		byName[fmt.Sprint("item-", i)] = item("a name", i, i%2 == 0)
	}
	v := all(map[string]any{"by_name": byName})
	encoded, err := wire.Encode(v)
	if err != nil {
		b.Fatal(err)
	}
	for name, do := range map[string]func() error{
		"encode":                        func() error { _, err := wire.Encode(v); return err },
		"encode by terraform-plugin-go": func() error { _, err := tfprotov6.NewDynamicValue(v.Type(), v); return err },
		"decode":                        func() error { _, err := wire.Decode(encoded, v.Type()); return err },
		"decode by terraform-plugin-go": func() error { _, err := encoded.Unmarshal(v.Type()); return err },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := do(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
