// SPDX-License-Identifier: MPL-2.0

package api

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func writeConfig(t *testing.T, dir, name, host, namespace, current string) string {
	t.Helper()
	file := filepath.Join(dir, name)
	text := fmt.Sprintf(`apiVersion: v1
kind: Config
clusters: [{name: %[1]s, cluster: {server: %[2]q}}]
users: [{name: %[1]s, user: {token: t}}]
contexts: [{name: %[1]s, context: {cluster: %[1]s, user: %[1]s, namespace: %[3]q}}]
current-context: %[4]q
`, name, host, namespace, current)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestKubeconfigsAreFoundLikeKubectl(t *testing.T) {
	dir := t.TempDir()
	one := writeConfig(t, dir, "one", "https://one.example.org", "teamone", "one")
	two := writeConfig(t, dir, "two", "https://two.example.org/prefix", "", "")
	tests := map[string]struct {
		variable         string
		cluster          hclspec.Cluster
		host, ns, failed string
	}{
		"the file of the cluster block":               {"", hclspec.Cluster{Kubeconfig: one}, "https://one.example.org", "teamone", ""},
		"the namespace of the block takes precedence": {"", hclspec.Cluster{Kubeconfig: one, Namespace: "mine"}, "https://one.example.org", "mine", ""},
		"the list of KUBECONFIG, current context":     {one + string(filepath.ListSeparator) + two, hclspec.Cluster{}, "https://one.example.org", "teamone", ""},
		"another context of the list":                 {one + string(filepath.ListSeparator) + two, hclspec.Cluster{Context: "two"}, "https://two.example.org/prefix", "default", ""},
		"a file below the home directory":             {"", hclspec.Cluster{Kubeconfig: "~/one"}, "https://one.example.org", "teamone", ""},
		"a context that does not exist":               {two + string(filepath.ListSeparator) + one, hclspec.Cluster{Context: "three"}, "", "", `context "three" does not exist; available contexts: one, two`},
		"a file that does not exist":                  {"", hclspec.Cluster{Kubeconfig: filepath.Join(dir, "none")}, "", "", "none"},
		"nothing at all":                              {filepath.Join(dir, "none"), hclspec.Cluster{}, "", "", "no kubeconfig was found"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Setenv("KUBECONFIG", tt.variable)
			t.Setenv("HOME", dir)
			t.Setenv("KUBERNETES_SERVICE_HOST", "")
			tt.cluster.Name = "gpu"
			conn, err := Connect(&tt.cluster, DefaultTimeouts)
			if tt.failed != "" {
				if err == nil || !strings.Contains(err.Error(), tt.failed) || !strings.Contains(err.Error(), "gpu") {
					t.Errorf("error %v, want an error with the cluster and %q", err, tt.failed)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimSuffix(conn.host.String(), "/"); got != tt.host || conn.namespace != tt.ns {
				t.Errorf("%s, namespace %s; want %s, %s", got, conn.namespace, tt.host, tt.ns)
			}
		})
	}
}
