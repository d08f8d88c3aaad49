// SPDX-License-Identifier: MPL-2.0

//go:build acc && unix

package acceptance

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// queried contains a list block for each resource type that a workspace may
// contain.
const queried = `
list "openpai_job" "all" {
  provider = openpai
}

list "openpai_prerequisite" "all" {
  provider = openpai
}

list "openpai_storage" "all" {
  provider = openpai
}

list "openpai_marketplace_item" "all" {
  provider = openpai
  config { to = "MARKET" }
}
`

// TestAWorkspaceIsImportedFromAQuery imports everything with the configuration that
// Terraform generates, and expects an empty plan.
func TestAWorkspaceIsImportedFromAQuery(t *testing.T) {
	markets := map[string]string{"local": "market", "kubernetes": "kubernetes://"}
	each(t, func(t *testing.T, program string) {
		for name, open := range environments {
			t.Run(name, func(t *testing.T) {
				p := newProject(t, program)
				if !p.isTerraform("1.14.0") {
					return // this version does not support lists; protocol tests cover them
				}
				at := open(t, p.dir)
				storage, exists := at.owned(t, p, name)
				uses := job("sleep 1000", 1, `storage = [{ use = openpai_storage.data.definition }]`)
				p.configure(at.provider, storage(`on_destroy = "delete"`), published(markets[name], "1.0", "echo hello"), uses)
				p.apply()
				if err := at.run(t.Context()); err != nil {
					t.Fatal(err)
				}
				waitFor(t, at, cluster.Running)
				p.must("state", "rm", "openpai_job.mnist", "openpai_prerequisite.greet", "openpai_storage.data", "openpai_marketplace_item.greet")
				p.configure(at.provider)
				write(t, filepath.Join(p.dir, "all.tfquery.hcl"), strings.ReplaceAll(queried, "MARKET", markets[name]))
				out := p.must("query", "-generate-config-out=found.tf")
				for _, want := range []string{"mnist (RUNNING)", "script.greet", "data", "greet 1.0"} {
					if !strings.Contains(out, want) {
						t.Errorf("no %q in\n%s", want, out)
					}
				}
				if out := p.apply(); !strings.Contains(out, "4 imported, 0 added, 0 changed, 0 destroyed") {
					t.Errorf("%s\n%s", out, read(t, filepath.Join(p.dir, "found.tf")))
				}
				p.mustBeEmpty()
				p.must("destroy", "-auto-approve", "-input=false")
				if !exists() { // a different resource may own an imported storage
					t.Error("destroy deleted an imported storage")
				}
			})
		}
	})
}
