// SPDX-License-Identifier: MPL-2.0

package check

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzReadLogins checks that errors from ReadLogins do not contain the content of
// the file. It also checks that every login has a username.
func FuzzReadLogins(f *testing.F) {
	f.Add([]byte(`{"auths":{"https://index.docker.io/v1/":{"auth":"YWxpY2U6Z2hlaW0="},"r.example.org":{"username":"u","password":"p"}}}`))
	f.Add([]byte(`{"auths":{"x":{"auth":"!"}}}`))
	f.Add([]byte(`{"auths":[]}`))
	name := filepath.Join(f.TempDir(), "config.json")
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		logins, err := ReadLogins(name)
		if err != nil && len(text) > 40 && strings.Contains(err.Error(), string(text)) {
			t.Errorf("the error shows the file: %v", err)
		}
		for registry, l := range logins {
			if l.Username == "" || strings.Contains(registry, "/") {
				t.Errorf("login %q for %q", l.Username, registry)
			}
		}
	})
}
