// SPDX-License-Identifier: MPL-2.0

package ssh

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
)

func TestAJobKeyIsAFunctionOfTheRandomSource(t *testing.T) {
	t.Parallel()
	make1 := func(fill byte) *JobKey {
		text, err := NewJobKey(bytes.NewReader(bytes.Repeat([]byte{fill}, 32)))
		if err != nil {
			t.Fatal(err)
		}
		k, err := ParseJobKey(text)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	text := func(k ssh.PublicKey) string { return string(ssh.MarshalAuthorizedKey(k)) }
	a, b, other := make1(1), make1(1), make1(2)
	if text(a.Public()) != text(b.Public()) || text(a.Host()) != text(b.Host()) {
		t.Error("the same source produced two keys")
	}
	if text(a.Public()) == text(other.Public()) || text(a.Host()) == text(other.Host()) || text(a.Public()) == text(a.Host()) {
		t.Error("two sources produced the same key")
	}
	if _, err := NewJobKey(strings.NewReader("short")); err == nil {
		t.Error("a source with too few bytes produced a key")
	}
}

func TestAnInvalidJobKeyIsRejected(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "ssh-ed25519 AAAA", "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n"} {
		if _, err := ParseJobKey(text); err == nil || !strings.Contains(err.Error(), "read the ssh key of the job") {
			t.Errorf("%q: error %v", text, err)
		}
	}
}
