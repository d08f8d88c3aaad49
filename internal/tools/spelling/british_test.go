// SPDX-License-Identifier: MPL-2.0

package spelling

import "testing"

func TestBritishWordsAreFoundInEachForm(t *testing.T) {
	for word, want := range map[string]string{
		"colours": "color", "Initialised": "initializ", "cancelled": "cancel", "catalogue": "catalog",
		"color": "", "cancellation": "", "analyses": "analyz", "programmer": "", "programme": "program", "promise": "",
	} {
		if got := American(word); got != want {
			t.Errorf("American(%q) = %q, want %q", word, got, want)
		}
	}
}
