// SPDX-License-Identifier: MPL-2.0

package local

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func TestFilesBelowTheWorkspaceAreChecked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"data", "closed"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "data", "there.csv"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct{ url, want string }{
		"a file that exists":                      {"data/there.csv", ""},
		"a file that does not exist":              {"data/absent.csv", "prerequisite.data.x of job.j fetches data/absent.csv, which does not exist in the workspace."},
		"a file outside the workspace":            {"../absent.csv", "which is outside the workspace directory"},
		"a directory":                             {"data", "which is not a regular file."},
		"a file below a file":                     {"data/there.csv/x", "which cannot be read."},
		"a file from the network":                 {"https://example.org/absent.csv", ""},
		"a file of the machine":                   {"/absent.csv", ""},
		"an unknown name":                         {"<% $secrets.place %>", ""},
		"a file that the job may write":           {"results/absent.csv", ""},
		"a file outside its writable directories": {"results2/absent.csv", "does not exist"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			role := newRole("worker", "true")
			onStorage(role, "out", "results", "/mnt/out", false)
			fetch := &resolve.Fetch{URL: tt.url}
			role.Steps = []*resolve.Step{{Address: "prerequisite.data.x", Fetch: []*resolve.Fetch{fetch, fetch}}}
			diags := CheckFiles(newJob("j", role), dir, nil)
			switch {
			case tt.want == "" && len(diags) > 0:
				t.Errorf("found %s", diags)
			case tt.want != "" && (len(diags) != 1 || !strings.Contains(diags[0].Detail, tt.want)):
				t.Errorf("diagnostics %v, want one with %q", diags, tt.want)
			}
		})
	}
}
