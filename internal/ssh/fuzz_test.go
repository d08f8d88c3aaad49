// SPDX-License-Identifier: MPL-2.0

//go:build unix

package ssh

import (
	"crypto/rand"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
)

// FuzzAuthorizedKeys checks that ParseAuthorized either rejects a line or returns a
// sufficiently strong key.
func FuzzAuthorizedKeys(f *testing.F) {
	f.Add("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA a\n")
	f.Add("from=\"x\" ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQ==\n#c\n\nssh-dss AAAA\n")
	f.Fuzz(func(t *testing.T, text string) {
		keys, refused := ParseAuthorized(text)
		lines := 0
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				lines++
			}
		}
		if len(keys)+len(refused) != lines {
			t.Errorf("%d keys and %d rejected lines, want a total of %d lines", len(keys), len(refused), lines)
		}
		for _, k := range keys {
			if bits := rsaBits(k); bits > 0 && bits < minRSABits {
				t.Errorf("a key of %d bits is accepted", bits)
			}
		}
	})
}

// FuzzJobKey checks that ParseJobKey accepts only Ed25519 keys.
func FuzzJobKey(f *testing.F) {
	text, err := NewJobKey(rand.Reader)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add("-----BEGIN OPENSSH PRIVATE KEY-----\n")
	f.Fuzz(func(t *testing.T, text string) {
		k, err := ParseJobKey(text)
		if err == nil && (k.Public().Type() != ssh.KeyAlgoED25519 || k.Host().Type() != ssh.KeyAlgoED25519) {
			t.Errorf("ParseJobKey accepts a key of type %s", k.Public().Type())
		}
	})
}

// FuzzSessionRequests checks for panics on invalid payloads. A session must
// accept only LANG and LC_* variables without NUL bytes.
func FuzzSessionRequests(f *testing.F) {
	f.Add(ssh.Marshal(struct{ Name, Value string }{"LC_ALL", "C"}))
	f.Add(ssh.Marshal(struct{ Name, Value string }{"LC_\x00", "a"}))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, payload []byte) {
		s := &session{c: &connection{server: &Server{}}}
		s.setVariable(payload)
		s.signal(payload)
		for _, v := range s.environ {
			name, _, _ := strings.Cut(v, "=")
			if strings.ContainsRune(v, 0) || name != "LANG" && !strings.HasPrefix(name, "LC_") {
				t.Errorf("the variable %q is set", v)
			}
		}
	})
}
