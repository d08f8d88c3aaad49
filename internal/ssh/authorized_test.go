// SPDX-License-Identifier: MPL-2.0

package ssh

import (
	"crypto/rsa"
	"math/big"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
)

// rsaLine returns an authorized_keys line. The RSA public key has no matching
// private key.
func rsaLine(t *testing.T, bits uint) string {
	t.Helper()
	n := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), bits), big.NewInt(1))
	key, err := ssh.NewPublicKey(&rsa.PublicKey{N: n, E: 65537})
	if err != nil {
		t.Fatal(err)
	}
	return string(ssh.MarshalAuthorizedKey(key))
}

func TestEachLineOfAuthorizedKeysIsChecked(t *testing.T) {
	t.Parallel()
	text, err := NewJobKey(strings.NewReader(strings.Repeat("k", 32)))
	if err != nil {
		t.Fatal(err)
	}
	job, err := ParseJobKey(text)
	if err != nil {
		t.Fatal(err)
	}
	line := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(job.Public())))
	for name, c := range map[string]struct {
		text    string
		keys    int
		refused string
	}{
		"nothing":              {"", 0, ""},
		"comments and blanks":  {"# mine\n\n  \n", 0, ""},
		"a key":                {line, 1, ""},
		"a key with a comment": {line + " alice@laptop\n", 1, ""},
		"two keys":             {line + "\r\n" + line + "\n", 2, ""},
		"a broken one between": {line + "\nssh-ed25519 broken\n" + line, 2, "is not a public key"},
		"a restriction":        {`from="10.0.0.0/8" ` + line, 0, "has options"},
		"a short RSA key":      {rsaLine(t, 1024), 0, "with 1024 bits"},
		"an RSA key":           {rsaLine(t, 2048), 1, ""},
		"a private key":        {"-----BEGIN OPENSSH PRIVATE KEY-----", 0, "is not a public key"},
	} {
		keys, refused := ParseAuthorized(c.text)
		if len(keys) != c.keys || (c.refused == "") != (len(refused) == 0) || len(refused) > 0 && !strings.Contains(refused[0].Error(), c.refused) {
			t.Errorf("%s: %d keys, rejected lines %v", name, len(keys), refused)
		}
	}
}
