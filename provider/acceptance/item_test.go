// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
)

// published returns the configuration for an item and its data source.
func published(to, version, command string) string {
	return fmt.Sprintf(`
resource "openpai_marketplace_item" "greet" {
  to      = %q
  name    = "greet"
  content = <<-EOT
    - name: greet
      type: script
      version: %q
      callbacks: [{event: taskStarts, commands: [%q]}]
  EOT
}

data "openpai_marketplace_item" "greet" {
  source     = %[1]q
  name       = "greet"
  depends_on = [openpai_marketplace_item.greet]
}

output "found" {
  value = data.openpai_marketplace_item.greet.version
}
`, to, version, command)
}

func TestTheProviderManagesTheLifecycleOfItems(t *testing.T) {
	markets := map[string]string{"local": "market", "kubernetes": "kubernetes://"}
	each(t, func(t *testing.T, program string) {
		for name, place := range environments {
			t.Run(name, func(t *testing.T) {
				p := newProject(t, program)
				at := place(t, p.dir)
				to := markets[name]
				p.configure(at.provider, published(to, "1.0", "echo hello"))
				p.expectChange("openpai_marketplace_item.greet", "create")
				p.apply()
				p.mustBeEmpty()

				p.must("state", "rm", "openpai_marketplace_item.greet")
				p.configure(at.provider, published(to, "1.0", "echo changed")) // of another owner now
				p.refused("Published version cannot change", "plan", "-input=false")
				p.configure(at.provider, published(to, "1.0", "echo hello"))
				p.must("import", "openpai_marketplace_item.greet", to+"#greet")
				p.mustBeEmpty()

				p.configure(at.provider, published(to, "1.0", "echo changed"))
				for _, args := range [][]string{{"plan", "-input=false"}, {"apply", "-auto-approve", "-input=false"}} {
					p.refused("Published version cannot change", args...)
				}
				p.configure(at.provider, published(to, "1.1", "echo changed"))
				p.expectChange("openpai_marketplace_item.greet", "update")
				if out := p.apply(); !strings.Contains(out, `found = "1.1"`) {
					t.Errorf("%s", out)
				}
				p.mustBeEmpty()
				removeItems[name](t, p, at)
				p.expectChange("openpai_marketplace_item.greet", "create")
				p.apply()
				p.mustBeEmpty()
				p.apply("-replace=openpai_marketplace_item.greet")
				p.mustBeEmpty()
				p.must("destroy", "-auto-approve", "-input=false")
			})
		}
	})
}

// removeItems removes the published items.
var removeItems = map[string]func(*testing.T, *project, *environment){
	"local": func(t *testing.T, p *project, _ *environment) {
		if err := os.RemoveAll(filepath.Join(p.dir, "market")); err != nil {
			t.Fatal(err)
		}
	},
	"kubernetes": func(t *testing.T, _ *project, at *environment) {
		maps := apiServer(t).Dynamic().Resource(configMapKind).Namespace(namespaceOf(at))
		if err := maps.DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
			t.Fatal(err)
		}
	},
}

// TestAPublishedVersionThatChangesEndsNoJob changes a published item without
// a new version, while a job uses the item. Plan and apply must fail, and the
// job must continue.
func TestAPublishedVersionThatChangesEndsNoJob(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		at := localEnvironment(t, p.dir)
		uses := strings.ReplaceAll(jobAlone("sleep 1000", 1, ""), "openpai_prerequisite.greet", "openpai_marketplace_item.greet")
		p.configure(at.provider, published("market", "1.0", "echo hello"), uses)
		p.apply()
		waitFor(t, at, cluster.Running)
		p.configure(at.provider, published("market", "1.0", "echo changed"), uses)
		for _, args := range [][]string{{"plan", "-input=false"}, {"apply", "-auto-approve", "-input=false"}} {
			p.refused("Published version cannot change", args...)
		}
		waitFor(t, at, cluster.Running)
		p.must("destroy", "-auto-approve", "-input=false", "-refresh=false")
	})
}

func TestItemsMoveToAnotherPlace(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		at := localEnvironment(t, p.dir)
		p.configure(at.provider, published("one", "1.0", "echo hello"))
		p.apply()
		p.configure(at.provider, published("two", "1.0", "echo hello"))
		p.expectChange("openpai_marketplace_item.greet", "delete create")
		p.apply()
		p.mustBeEmpty()
		for _, dir := range []string{"one", "two"} {
			if _, err := os.Stat(filepath.Join(p.dir, dir, "greet-1.0.yaml")); err != nil {
				t.Error(err)
			}
		}
	})
}

// TestALockedItemIsReadAsItIsLocked publishes a newer version, which must not
// change the job.
func TestALockedItemIsReadAsItIsLocked(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		at := localEnvironment(t, p.dir)
		uses := strings.NewReplacer("openpai_prerequisite.greet", "data.openpai_marketplace_item.greet").Replace(jobAlone("sleep 1000", 1, ""))
		market := filepath.Join(p.dir, "market")
		if err := os.Mkdir(market, 0o755); err != nil {
			t.Fatal(err)
		}
		item := "- name: greet\n  type: script\n  version: %q\n  callbacks: [{event: taskStarts, commands: [%q]}]\n"
		write(t, filepath.Join(market, "greet-1.0.yaml"), fmt.Sprintf(item, "1.0", "echo hello"))
		source := "data \"openpai_marketplace_item\" \"greet\" {\n  source = \"market\"\n  name   = \"greet\"\n}\n"
		p.configure(at.provider, source, "output \"hash\" {\n  value = data.openpai_marketplace_item.greet.hash\n}\n")
		if out := p.apply(); !strings.Contains(out, "Item is not pinned") {
			t.Errorf("%s", out)
		}
		items, _ := marketplace.ParseFile("greet-1.0.yaml", fmt.Appendf(nil, item, "1.0", "echo hello"))
		hash := items[0].Hash()
		if out := p.must("output", "-raw", "hash"); len(out) != len("h1:")+12 || !strings.HasPrefix(hash, out) {
			t.Errorf("%q is not the beginning of %s", out, hash)
		}
		write(t, filepath.Join(p.dir, ".openpai.lock.hcl"), fmt.Sprintf("item \"marketplace://script/greet?from=team\" {\n  source  = \"./market//greet-1.0.yaml\"\n  version = \"1.0\"\n  hash    = %q\n}\n", hash))
		p.configure(at.provider, source, uses)
		if out := p.apply(); strings.Contains(out, "Item is not pinned") {
			t.Errorf("%s", out)
		}
		write(t, filepath.Join(market, "greet-1.1.yaml"), fmt.Sprintf(item, "1.1", "echo changed"))
		p.mustBeEmpty()
		write(t, filepath.Join(market, "greet-1.0.yaml"), fmt.Sprintf(item, "1.0", "echo changed"))
		if out, code := p.run("plan", "-input=false"); code == 0 || !strings.Contains(out, "Item differs from the lock file") {
			t.Errorf("%d\n%s", code, out)
		}
		if err := os.Remove(filepath.Join(p.dir, ".openpai.lock.hcl")); err != nil {
			t.Fatal(err)
		}
		expect(t, p, "delete create", "Item is not pinned")
		write(t, filepath.Join(market, "greet-1.0.yaml"), fmt.Sprintf(item, "1.0", "echo hello"))
		p.must("destroy", "-auto-approve", "-input=false")
	})
}
