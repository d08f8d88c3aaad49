// SPDX-License-Identifier: MPL-2.0

package runtime

import "testing"

func TestPredicateAgreesWithItsSubject(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		predicate    predicate
		one, several string
	}{
		"an active verb": {did("exited with code %d", 7), "exited with code 7", "exited with code 7"},
		"a passive verb": {was("ended by %s", "SIGKILL"), "was ended by SIGKILL", "were ended by SIGKILL"},
		"a value that begins like a passive verb": {did("%s", "was here"), "was here", "was here"},
		"no data about a script":                  {predicate{}, "", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if one, several := tt.predicate.String(), tt.predicate.plural(); one != tt.one || several != tt.several {
				t.Errorf("got %q and %q, want %q and %q", one, several, tt.one, tt.several)
			}
		})
	}
}
