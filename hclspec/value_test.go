// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"encoding/json"
	"testing"
)

func TestNumbersKeepTheirSpellingInJSON(t *testing.T) {
	t.Parallel()
	for spelling, want := range map[Number]string{
		"1":      `1`,
		"1.0":    `1.0`,
		"-0.50":  `-0.50`,
		"1e-3":   `1e-3`,
		"0x1F":   `"0x1F"`,
		"+1":     `"+1"`,
		"007":    `"007"`,
		".5":     `".5"`,
		".inf":   `".inf"`,
		"1_000":  `"1_000"`,
		"":       `""`,
		"1\n":    `"1\n"`,
		"12e309": `12e309`,
	} {
		got, err := json.Marshal(map[string]any{"n": spelling})
		if err != nil {
			t.Errorf("%q: %v", spelling, err)
			continue
		}
		if string(got) != `{"n":`+want+`}` {
			t.Errorf("%q is written as %s, want %s", spelling, got, want)
		}
	}
}
