// SPDX-License-Identifier: MPL-2.0

package hclspec

import "testing"

func TestAPlainNameHasNoBrackets(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"wget": "wget", "3d-unet": "3d-unet", `part["a.b"]`: "part_a_b", `part["x y"]`: "part_x_y"} {
		if got := (&Prerequisite{Name: name}).PlainName(); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}
