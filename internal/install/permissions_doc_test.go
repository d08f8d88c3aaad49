// SPDX-License-Identifier: MPL-2.0

package install

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	permissionsStart = "<!-- permissions: UPDATE=1 go test ./internal/install writes this table -->\n"
	permissionsEnd   = "<!-- end of permissions -->\n"
	kubernetesPage   = "../../docs/guides/kubernetes.md"
)

// TestThePageListsWhatEachVerbIsFor compares the table in docs/guides/kubernetes.md with
// UserPermissions.
func TestThePageListsWhatEachVerbIsFor(t *testing.T) {
	var table strings.Builder
	table.WriteString("| resource | verbs | for |\n| --- | --- | --- |\n")
	for _, p := range UserPermissions() {
		fmt.Fprintf(&table, "| `%s` | %s | %s |\n", strings.Join(p.Resources, "`, `"), strings.Join(p.Verbs, ", "), p.Uses)
	}
	page, err := os.ReadFile(kubernetesPage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(page), permissionsStart)
	got, after, closed := strings.Cut(rest, permissionsEnd)
	if !found || !closed {
		t.Fatalf("%s does not have the markers of the table", kubernetesPage)
	}
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(kubernetesPage, []byte(before+permissionsStart+table.String()+permissionsEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(table.String(), got); diff != "" {
		t.Errorf("the table of permissions (-want +got)\n%s", diff)
	}
}
