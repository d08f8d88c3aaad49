// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
)

// item returns a data source for the item mnist.
func item(name, source, arguments string) string {
	return fmt.Sprintf("data \"openpai_marketplace_item\" %q {\n  source = %q\n  name   = \"mnist\"\n  %s\n}\n", name, filepath.ToSlash(source), arguments)
}

func TestAnItemIsPinnedByItsHash(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "data.yaml"), twoItems)
	parsed, _ := marketplace.ParseFile("data.yaml", []byte(twoItems))
	full := parsed[1].Hash()
	short := full[:len("h1:")+12]
	pinned := func(name, hash string) string { return item(name, dir, fmt.Sprintf("hash = %q", hash)) }
	testResource(t, resource.TestStep{
		Config:            localIn(dir, item("version", dir, `item_version = "1.0"`)+pinned("full", full)+pinned("short", short)),
		ConfigStateChecks: expectValues("data.openpai_marketplace_item.version", map[string]knownvalue.Check{"hash": knownvalue.StringExact(short)}),
	})
	testRefusals(t, map[string]refusal{
		"fewer digits":       {localIn(dir, pinned("test", short[:10])), "Item has another hash"},
		"another hash":       {localIn(dir, pinned("test", "h1:"+strings.Repeat("0", 64))), `mnist 1.0 has the hash "` + short + `", not "h1:000000000000".`},
		"another last digit": {localIn(dir, pinned("test", full[:66]+"x")), `mnist 1.0 has the hash "` + full + `"`},
	})
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// locked writes a workspace with the item mnist to dir, and its lock file.
func locked(t *testing.T, dir, source string) {
	t.Helper()
	write(t, filepath.Join(dir, "main.pai.hcl"), `marketplace "team" {
  source = "`+source+`"
}

job "a" {
  task_role "w" {
    image         = "ubuntu:22.04"
    prerequisites = [{ use = "marketplace://data/mnist", with = { dataPath = "d" } }]
    commands      = ["true"]
    resources {
      cpu       = 1
      memory_mb = 64
      gpu       = 0
    }
  }
}
`)
	(&workspace{t: t, dir: dir}).openpai(0, "init")
}

// TestALockedItemStaysAsItIsLocked publishes a newer version, deletes the cache of
// items, changes the locked version, and damages the lock file.
func TestALockedItemStaysAsItIsLocked(t *testing.T) {
	t.Parallel()
	for name, source := range map[string]string{"a directory": "./market", "a git repository": "git::./market"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			market := filepath.Join(dir, "market")
			publish := func(name, text string) {
				write(t, filepath.Join(market, name), text)
				git(t, market, "add", "-A")
				git(t, market, "commit", "-qm", name)
			}
			uncache := func() {
				if err := os.RemoveAll(filepath.Join(dir, ".openpai", "items")); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Mkdir(market, 0o755); err != nil {
				t.Fatal(err)
			}
			git(t, market, "init", "-q")
			publish("data-1.0.yaml", twoItems)
			locked(t, dir, source)
			same := statecheck.CompareValue(compare.ValuesSame())
			reads := func(before func()) resource.TestStep {
				checks := expectValues("data.openpai_marketplace_item.test", map[string]knownvalue.Check{"version": knownvalue.StringExact("1.0"), "title": knownvalue.StringExact("MNIST")})
				checks = append(checks, same.AddStateValue("data.openpai_marketplace_item.test", tfjsonpath.New("definition")))
				return resource.TestStep{PreConfig: before, Config: localIn(dir, item("test", source, "")), ConfigStateChecks: checks}
			}
			refuses := func(before func(), source, arguments, want string) resource.TestStep {
				return resource.TestStep{PreConfig: before, Config: localIn(dir, item("test", source, arguments)), PlanOnly: true, ExpectError: says(want)}
			}
			steps := []resource.TestStep{
				reads(nil),
				reads(func() { publish("data-1.1.yaml", strings.ReplaceAll(changedItems(), "1.0", "1.1")) }),
				reads(uncache),
				{
					Config:            localIn(dir, item("test", source, `item_version = "1.1"`)),
					ConfigStateChecks: expectValues("data.openpai_marketplace_item.test", map[string]knownvalue.Check{"version": knownvalue.StringExact("1.1")}),
				},
				refuses(nil, source, `hash = "h1:`+strings.Repeat("0", 64)+`"`, "Item has another hash"),
				refuses(nil, "./market/../other", "", "Marketplace cannot be reached"),
			}
			if source == "./market" { // a lock file contains the commit of a git repository
				steps = append(steps, refuses(func() { uncache(); publish("data-1.0.yaml", changedItems()) }, source, "", "Item differs from the lock file"))
			}
			steps = append(steps, refuses(func() { write(t, filepath.Join(dir, ".openpai.lock.hcl"), "item {") }, source, "", ".openpai.lock.hcl"))
			testResource(t, steps...)
		})
	}
}
