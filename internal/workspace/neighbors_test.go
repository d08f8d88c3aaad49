// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"os"
	"path/filepath"
	"testing"
)

// TestNeighborsProvideOnlyMarketplaces checks that a job file uses the
// marketplaces in its directory and their credentials. The job must not use
// storages, clusters or secrets that the directory declares.
func TestNeighborsProvideOnlyMarketplaces(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"main.pai.hcl": `secret "market" { env = "MARKET" }
storage "data" { host_path = "/data" }
cluster "gpu" { context = "gpu" }
marketplace "team" {
  source = "https://example.org/api"
  token  = secret.market
}
`,
		"job.yaml": "prerequisites: [{type: dockerimage, name: i, uri: a}]\ntaskRoles: {w: {dockerImage: i, resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}, commands: [a]}}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	loaded, diags := Load(Options{Path: filepath.Join(dir, "job.yaml"), Environ: []string{"MARKET=hunter2"}})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	declared := loaded.declared()
	if len(declared) != 1 || declared[0].Name != "team" {
		t.Fatalf("the marketplaces are %v", declared)
	}
	if token, err := loaded.marketplaceToken(declared[0]); err != nil || token != "hunter2" {
		t.Errorf("the token is %q, %v", token, err)
	}
	if ws := loaded.Workspace; len(ws.Storages)+len(ws.Clusters)+len(ws.Secrets)+len(ws.Marketplaces) > 0 {
		t.Errorf("the workspace uses other declarations: %+v", ws)
	}
}
