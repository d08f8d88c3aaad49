// SPDX-License-Identifier: MPL-2.0

package exports

import "testing"

func FuzzParse(f *testing.F) {
	for _, s := range []string{`declare -x A="b"`, "export A='b'\nexport B", `declare -ax L=([0]="x")`, `declare -x A=$'\101\x41\u00e4'`, "'", `export "`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		vars, err := Parse(text)
		if err != nil && vars != nil {
			t.Fatal("variables and an error")
		}
	})
}
