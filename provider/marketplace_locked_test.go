// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/workspace"
)

// lockedWorkspace writes a workspace and a lock file with items from source
// to dir.
func lockedWorkspace(t *testing.T, dir, source string) {
	t.Helper()
	file := filepath.Join(dir, "main.pai.hcl")
	text := "marketplace \"team\" {\n  source = \"" + source + "\"\n}\n\njob \"a\" {\n  task_role \"w\" {\n    image         = \"ubuntu:22.04\"\n" +
		"    prerequisites = [{ use = \"marketplace://data/mnist\", with = { dataPath = \"d\" } }]\n    commands      = [\"true\"]\n    resources {\n      cpu       = 1\n      memory_mb = 64\n      gpu       = 0\n    }\n  }\n}\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	loaded, diags := workspace.Load(workspace.Options{Path: dir})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	if _, diags, err := loaded.Init(t.Context(), workspace.InitOptions{}); err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// newVersion is twoItems with different commands and a higher version.
var newVersion = strings.ReplaceAll(strings.ReplaceAll(twoItems, "echo wget", "echo changed"), "1.0", "1.1")

func writeItems(t *testing.T, market, name, text string) {
	t.Helper()
	if err := os.MkdirAll(market, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(market, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestALockedItemIsReadAsItIsLocked(t *testing.T) {
	t.Parallel()
	read := func(t *testing.T, dir, source string, more tree) (map[string]any, string) {
		config := tree{"source": source, "name": "mnist"}
		for k, v := range more {
			config[k] = v
		}
		tf := start(t, dir)
		v, text := tf.tryRead("openpai_marketplace_item", config)
		if strings.Contains(text, "error: ") {
			return nil, text
		}
		return outputs(v), text
	}
	sources := map[string]struct {
		source string
		commit func(market string)
	}{
		"a directory":      {"./market", func(string) {}},
		"a git repository": {"git::./market", func(market string) { git(t, market, "add", "-A"); git(t, market, "commit", "-qm", "items") }},
	}
	for name, tt := range sources {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			market := filepath.Join(dir, "market")
			writeItems(t, market, "data-1.0.yaml", twoItems)
			git(t, market, "init", "-q")
			tt.commit(market)
			lockedWorkspace(t, dir, tt.source)
			first, text := read(t, dir, tt.source, nil)
			if first["version"] != "1.0" || text != "" || first["title"] != "MNIST" {
				t.Fatalf("%v\n%s", first, text)
			}
			writeItems(t, market, "data-1.1.yaml", newVersion)
			tt.commit(market)
			for _, step := range []string{"a newer version", "no cache"} {
				if got, text := read(t, dir, tt.source, nil); got["definition"] != first["definition"] || got["version"] != "1.0" || text != "" {
					t.Errorf("%s: %v\n%s", step, got, text)
				}
				if err := os.RemoveAll(filepath.Join(dir, ".openpai", "items")); err != nil {
					t.Fatal(err)
				}
			}
			if got, text := read(t, dir, tt.source, tree{"item_version": "1.1"}); got["version"] != "1.1" || text != "" {
				t.Errorf("a written version: %v\n%s", got, text)
			}
			if _, text := read(t, dir, tt.source, tree{"hash": "h1:" + strings.Repeat("0", 64)}); !strings.Contains(text, "Item has another hash") {
				t.Errorf("another hash: %s", text)
			}
			if got, _ := read(t, dir, "./market/../other", nil); got != nil {
				t.Errorf("the item is found in another source: %v", got)
			}
		})
	}
}

func TestALockedItemThatChangedIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	market := filepath.Join(dir, "market")
	writeItems(t, market, "data.yaml", twoItems)
	lockedWorkspace(t, dir, "./market")
	if err := os.RemoveAll(filepath.Join(dir, ".openpai", "items")); err != nil {
		t.Fatal(err)
	}
	writeItems(t, market, "data.yaml", strings.Replace(twoItems, "mkdir -p", "mkdir -m 700 -p", 1))
	_, text := start(t, dir).tryRead("openpai_marketplace_item", tree{"source": "./market", "name": "mnist"})
	if !strings.Contains(text, "error: AttributeName(\"name\"): Item differs from the lock file") || !strings.Contains(text, "update the lock file") {
		t.Errorf("%s", text)
	}
	if err := os.WriteFile(filepath.Join(dir, ".openpai.lock.hcl"), []byte("item {"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, text := start(t, dir).tryRead("openpai_marketplace_item", tree{"source": "./market", "name": "mnist"}); !strings.Contains(text, "error: ") || !strings.Contains(text, ".openpai.lock.hcl") {
		t.Errorf("a broken lock file: %s", text)
	}
}

func TestAPlaceIsFromItsSource(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		place, source string
		want          bool
	}{
		{"./market//sub/a.yaml#b", "market", true},
		{"../market//a.yaml", "./market", false},
		{"git::https://example.org/items.git//items/a.yaml?ref=0123456789abcdef#b", "git::https://example.org/items.git//items?ref=main", true},
		{"git::https://example.org/items.git//a.yaml?ref=0123456789abcdef", "git::https://example.org/others.git", false},
		{"https://example.org/a.yaml#b", "https://example.org/a.yaml", true},
		{"rest::https://example.org/api/items/17", "https://example.org/api/", true},
		{"rest::https://example.org/api2/items/17", "https://example.org/api", false},
		{"kubernetes://gpu/team/items-1", "kubernetes://", true},
		{"kubernetes://gpu/team/items-1", "kubernetes://team", true},
		{"kubernetes://gpu/team/items-1", "kubernetes://other", false},
		{"./market//a.yaml", "kubernetes://", false},
	} {
		if got := isFrom(tt.place, tt.source); got != tt.want {
			t.Errorf("%s from %s: %t", tt.place, tt.source, got)
		}
	}
}
