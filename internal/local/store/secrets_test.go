// SPDX-License-Identifier: MPL-2.0

package store

import "testing"

func TestSecretNamesCannotLeaveTheStore(t *testing.T) {
	t.Parallel()
	l := NewLayout(t.TempDir())
	for _, name := range []string{"", "..", "a/b", "../key"} {
		if err := l.SaveSecrets("abc", map[string]string{name: "x"}); err == nil {
			t.Errorf("a secret named %q was stored", name)
		}
	}
}
