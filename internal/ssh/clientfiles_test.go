// SPDX-License-Identifier: MPL-2.0

package ssh

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every task has two aliases of the form <role>-<index>. One alias contains the
// declared role name, the other the role name in the Framework.
func TestAliasesOfSSHAreThoseOfOpenPAI(t *testing.T) {
	t.Parallel()
	text, err := NewJobKey(strings.NewReader(strings.Repeat("k", 32)))
	if err != nil {
		t.Fatal(err)
	}
	key, err := ParseJobKey(text)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "100% ssh")
	for range 2 { // a retried task finds the files that its previous attempt wrote
		config, err := WriteClientFiles(dir, key, []Peer{
			{[]string{"worker-0"}, "10.0.0.1:1234"}, {[]string{"worker-1"}, "10.0.0.2:4321"}, {[]string{"ps1-0", "ps_1-0"}, "[fd00::1]:22"},
		})
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(config)
		if err != nil {
			t.Fatal(err)
		}
		escaped := strings.ReplaceAll(dir, "%", "%%")
		want := "Host worker-0\n  HostName 10.0.0.1\n  Port 1234\n" +
			"Host worker-1\n  HostName 10.0.0.2\n  Port 4321\n" +
			"Host ps1-0 ps_1-0\n  HostName fd00::1\n  Port 22\n" +
			"Host worker-* ps1-* ps_1-*\n  User root\n  IdentityFile \"" + escaped + "/id_ed25519\"\n  IdentitiesOnly yes\n" +
			"  UserKnownHostsFile \"" + escaped + "/known_hosts\"\n  HostKeyAlias openpai-job\n  StrictHostKeyChecking yes\n"
		if string(got) != want {
			t.Errorf("configuration\n%s\nwant\n%s", got, want)
		}
	}
	for name, mode := range map[string]os.FileMode{".": 0o700 | os.ModeDir, "id_ed25519": 0o600, "config": 0o600, "known_hosts": 0o600} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode() != mode {
			t.Errorf("%s: %v, error %v", name, info.Mode(), err)
		}
	}
}
