// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/lockfile"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

const digitsItems = `
-- market/items.yaml --
- name: tools
  version: "1.0"
  callbacks:
    - {event: taskStarts, commands: [command -v curl]}
- name: digits
  type: data
  version: "1.0"
  require: [tools]
  callbacks:
    - {event: taskStarts, commands: ["mkdir -p {{ root }}"]}
  template_variables: [{name: root}]
`

func digitsJob(source string) string {
	return `
-- main.pai.hcl --
marketplace "team" {
  source = "` + source + `"
}
job "train" {
  task_role "worker" {
    image         = "busybox"
    prerequisites = [{ use = "marketplace://name/digits", with = { root = "/data" } }]
    commands      = ["true"]
    resources {
      gpu       = 0
      cpu       = 1
      memory_mb = 64
    }
  }
}
`
}

// load fails the test if the workspace has errors.
func load(t *testing.T, dir string) *Loaded {
	t.Helper()
	loaded, diags := Load(Options{Path: dir, Environ: os.Environ()})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return loaded
}

// initialize runs Init and maps addresses of changed items to their actions.
func initialize(t *testing.T, dir string, o InitOptions) (map[string]string, hcl.Diagnostics) {
	t.Helper()
	o.Sources.Limits = impatient()
	changes, diags, err := load(t, dir).Init(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	actions := map[string]string{}
	for _, c := range changes {
		actions[c.Address] = c.Action
	}
	return actions, diags
}

// initialized runs Init, which must report no diagnostics.
func initialized(t *testing.T, dir string) {
	t.Helper()
	if _, diags := initialize(t, dir, InitOptions{}); len(diags) > 0 {
		t.Fatal(diags)
	}
}

func impatient() *marketplace.Limits {
	l := marketplace.DefaultLimits
	l.Pause, l.Tries = time.Millisecond, 2
	return &l
}

// resolved plans a workspace from its lock file and cache.
func resolved(t *testing.T, dir string) ([]*resolve.Job, hcl.Diagnostics) {
	t.Helper()
	loaded := load(t, dir)
	items, diags := loaded.Items()
	jobs, more := resolve.All(resolve.Input{Workspace: loaded.Workspace, User: "ada", Items: items})
	return jobs, append(diags, more...)
}

// onlyDiagnostic requires exactly one diagnostic, of the given kind and with
// the text.
func onlyDiagnostic(t *testing.T, diags hcl.Diagnostics, kind *hclspec.Entry, text string) {
	t.Helper()
	if len(diags) != 1 || hclspec.EntryOf(diags[0]) != kind || !strings.Contains(hclspec.Detail(diags[0], phrase.Of), text) {
		t.Errorf("diagnostics are %v, want one %s that contains %q", diags, kind.Code, text)
	}
}

const (
	digits = "marketplace://data/digits?from=team"
	tools  = "marketplace://script/tools?from=team"
)

func TestAWorkspaceIsPlannedAfterInit(t *testing.T) {
	t.Parallel()
	dir := unpack(t, digitsItems+digitsJob("./market"))
	_, diags := resolved(t, dir)
	onlyDiagnostic(t, diags, hclspec.ItemsNotInitialized, "openpai init")
	if _, err := os.Stat(filepath.Join(dir, lockfile.Name)); err == nil {
		t.Error("the plan wrote the lock file")
	}
	actions, diags := initialize(t, dir, InitOptions{})
	if diff := cmp.Diff(map[string]string{digits: "added", tools: "added"}, actions); diff != "" || len(diags) > 0 {
		t.Fatalf("%v (-want +got)\n%s", diags, diff)
	}
	jobs, diags := resolved(t, dir)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	var steps []string
	for _, s := range jobs[0].TaskRoles[0].Steps {
		steps = append(steps, s.Address+" "+s.Callbacks[0].Commands[0])
	}
	if diff := cmp.Diff([]string{tools + " command -v curl", digits + `{root="/data"} mkdir -p /data`}, steps); diff != "" {
		t.Errorf("steps (-want +got)\n%s", diff)
	}
	before, _ := os.ReadFile(filepath.Join(dir, lockfile.Name))
	if actions, _ = initialize(t, dir, InitOptions{}); actions[digits] != "kept" {
		t.Errorf("a second init: %v", actions)
	}
	if after, _ := os.ReadFile(filepath.Join(dir, lockfile.Name)); !bytes.Equal(before, after) {
		t.Errorf("a second init changes the lock file:\n%s", after)
	}
}

func TestAnEditedLockedItemIsAnError(t *testing.T) {
	t.Parallel()
	dir := unpack(t, digitsItems+digitsJob("./market"))
	initialized(t, dir)
	name := filepath.Join(dir, "market", "items.yaml")
	rewrite(t, name, "command -v curl", "command -v wget")
	_, diags := resolved(t, dir)
	onlyDiagnostic(t, diags, hclspec.LockMismatch, " --update '"+tools+"'")
	actions, diags := initialize(t, dir, InitOptions{Update: true, Addresses: []string{tools}})
	if actions[tools] != "updated" || actions[digits] != "kept" || len(diags) > 0 {
		t.Errorf("%v, %v", actions, diags)
	}
	if _, diags = resolved(t, dir); len(diags) > 0 {
		t.Errorf("after the update: %v", diags)
	}
	_, diags = initialize(t, dir, InitOptions{Update: true, Addresses: []string{"marketplace://name/digts"}})
	onlyDiagnostic(t, diags, hclspec.ItemNotFound, "not in the lock file")
	// Init uses a newer version only with Update.
	rewrite(t, name, `"1.0"`, `"1.1"`)
	if _, diags = resolved(t, dir); len(diags) > 0 {
		t.Errorf("a newer version causes diagnostics: %v", diags)
	}
	upstream := load(t, dir).Upstream(context.Background(), marketplace.Options{Limits: impatient()})
	if len(upstream) != 2 || !strings.Contains(upstream[0].Detail, `the newest version is "1.1"`) || upstream.HasErrors() {
		t.Errorf("upstream: %v", upstream)
	}
	if actions, _ = initialize(t, dir, InitOptions{Update: true}); actions[digits] != "updated" || actions[tools] != "updated" {
		t.Errorf("update of all: %v", actions)
	}
}

// TestAnInterruptedInitWritesNothing checks that an interrupted Init neither reports
// diagnostics about items nor writes files.
func TestAnInterruptedInitWritesNothing(t *testing.T) {
	t.Parallel()
	dir := unpack(t, digitsItems+digitsJob("./market"))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	changes, diags, err := load(t, dir).Init(ctx, InitOptions{})
	if !errors.Is(err, context.Canceled) || len(changes)+len(diags) > 0 {
		t.Errorf("%v, %v, %v", changes, diags, err)
	}
	if _, err := os.Stat(filepath.Join(dir, lockfile.Name)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the lock file: %v", err)
	}
}

// TestItemsOfAnotherWorkspaceCanBeUpdated updates an item that only another
// workspace with the same lock file uses.
func TestItemsOfAnotherWorkspaceCanBeUpdated(t *testing.T) {
	t.Parallel()
	dir := unpack(t, digitsItems+digitsJob("./market"))
	initialized(t, dir)
	rewrite(t, filepath.Join(dir, "main.pai.hcl"), `[{ use = "marketplace://name/digits", with = { root = "/data" } }]`, "[]")
	rewrite(t, filepath.Join(dir, "market", "items.yaml"), "command -v curl", "command -v wget")
	actions, diags := initialize(t, dir, InitOptions{Update: true, Addresses: []string{tools}})
	if diff := cmp.Diff(map[string]string{tools: "updated"}, actions); diff != "" || len(diags) > 0 {
		t.Errorf("(-want +got)\n%s%v", diff, diags)
	}
	rewrite(t, filepath.Join(dir, "market", "items.yaml"), "name: tools", "name: others")
	_, diags = initialize(t, dir, InitOptions{Update: true, Addresses: []string{tools}})
	onlyDiagnostic(t, diags, hclspec.ItemNotFound, tools+" is not available")
}

func rewrite(t *testing.T, name, old, text string) {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(strings.ReplaceAll(string(src), old, text)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestInitFetchesDamagedContentAgain checks that changed or missing content is
// reported, and that Init fetches it again.
func TestInitFetchesDamagedContentAgain(t *testing.T) {
	t.Parallel()
	dir := unpack(t, digitsItems+digitsJob("./market"))
	initialized(t, dir)
	cached, err := filepath.Glob(filepath.Join(dir, ".openpai", "items", "*.yaml"))
	if err != nil || len(cached) != 2 {
		t.Fatalf("%v, %v", cached, err)
	}
	for _, name := range cached {
		rewrite(t, name, "name", "Name")
	}
	_, diags := resolved(t, dir)
	onlyDiagnostic(t, diags, hclspec.LockMismatch, "does not match the hash")
	if actions, diags := initialize(t, dir, InitOptions{}); actions[digits] != "fetched" || actions[tools] != "fetched" || len(diags) > 0 {
		t.Errorf("%v, %v", actions, diags)
	}
	if err := os.RemoveAll(filepath.Join(dir, ".openpai")); err != nil {
		t.Fatal(err)
	}
	_, diags = resolved(t, dir)
	onlyDiagnostic(t, diags, hclspec.ItemsNotInitialized, "not on this machine")
	rewrite(t, filepath.Join(dir, "market", "items.yaml"), "command -v curl", "echo new")
	_, diags = initialize(t, dir, InitOptions{})
	onlyDiagnostic(t, diags, hclspec.LockMismatch, "now has the hash h1:")
}

// TestLockedItemsArePlannedWithoutANetwork plans with locked items whose sources are
// unreachable. A clone of the workspace fetches the locked commit although the branch
// has newer commits.
func TestLockedItemsArePlannedWithoutANetwork(t *testing.T) {
	t.Parallel()
	market := unpack(t, strings.ReplaceAll(digitsItems, "market/", ""))
	runGit(t, market, "init", "--quiet", "--initial-branch=main")
	runGit(t, market, "add", ".")
	runGit(t, market, "commit", "--quiet", "--message=items")
	server := httptest.NewServer(http.FileServer(http.Dir(market)))
	t.Cleanup(server.Close)
	hashes := map[string]string{}
	for name, source := range map[string]string{
		"directory": market, "git": "git::" + market + "?ref=main", "file": server.URL + "/items.yaml",
	} {
		dir := unpack(t, digitsJob(source))
		if _, diags := initialize(t, dir, InitOptions{}); len(diags) > 0 {
			t.Fatalf("%s: %v", name, diags)
		}
		jobs, diags := resolved(t, dir)
		if diags.HasErrors() {
			t.Fatalf("%s: %v", name, diags)
		}
		jobs[0].Workspace = ""
		hashes[name], _ = planner.Hashes(jobs[0])
	}
	if hashes["directory"] != hashes["git"] || hashes["git"] != hashes["file"] {
		t.Errorf("the job depends on the source of its items: %v", hashes)
	}

	dir := unpack(t, digitsJob("git::"+market+"?ref=main"))
	initialized(t, dir)
	rewrite(t, filepath.Join(market, "items.yaml"), "command -v curl", "echo new")
	runGit(t, market, "commit", "--quiet", "--all", "--message=more")
	if err := os.RemoveAll(filepath.Join(dir, ".openpai")); err != nil {
		t.Fatal(err)
	}
	if actions, diags := initialize(t, dir, InitOptions{}); actions[digits] != "fetched" || len(diags) > 0 {
		t.Fatalf("init in a fresh clone: %v, %v", actions, diags)
	}
	if err := os.RemoveAll(market); err != nil {
		t.Fatal(err)
	}
	if _, diags := resolved(t, dir); len(diags) > 0 {
		t.Errorf("without the repository: %v", diags)
	}
}

func runGit(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
}

// TestInitReportsAllUnavailableItems checks that Init reports all unavailable items
// and then writes no files.
func TestInitReportsAllUnavailableItems(t *testing.T) {
	t.Parallel()
	down := httptest.NewServer(http.NotFoundHandler())
	down.Close()
	closed := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "who are you", http.StatusUnauthorized) }))
	t.Cleanup(closed.Close)
	for name, c := range map[string]struct {
		files string
		kind  *hclspec.Entry
		text  string
	}{
		"not found":     {digitsJob("./empty") + "-- empty/README.md --\n", hclspec.ItemNotFound, "no marketplace contains the item"},
		"server down":   {digitsJob(down.URL), hclspec.MarketplaceUnreachable, "connection refused"},
		"not logged in": {digitsJob(closed.URL), hclspec.MarketplaceNotPermitted, "who are you"},
		"cycle of two": {digitsJob("./a") + `-- more.pai.hcl --
marketplace "other" {
  source = "./b"
}
-- a/digits.yaml --
{name: digits, type: data, require: ["marketplace://name/tools"]}
-- b/tools.yaml --
{name: tools, require: ["marketplace://name/digits"]}
`, hclspec.PrerequisiteCycle, "marketplace://data/digits?from=team requires marketplace://script/tools?from=other (digits.yaml:1)\n  marketplace://script/tools?from=other requires marketplace://data/digits?from=team (tools.yaml:1)"},
		"missing for a required item": {digitsJob("./a") + "-- a/digits.yaml --\n{name: digits, type: data, require: [\"marketplace://name/a\"]}\n-- a/a.yaml --\n{name: a, require: [\"marketplace://name/b\"]}\n", hclspec.ItemNotFound, "marketplace://name/b, which marketplace://script/a?from=team requires,"},
		"missing further down":        {digitsJob("./a") + "-- a/digits.yaml --\n{name: digits, type: data, require: [tools]}\n", hclspec.ItemNotFound, "tools, which marketplace://data/digits?from=team requires,"},
		"broken lock file":            {digitsItems + digitsJob("./market") + "-- .openpai.lock.hcl --\nitem {\n", lockfile.InvalidLockFile, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := unpack(t, c.files)
			before, _ := os.ReadFile(filepath.Join(dir, lockfile.Name))
			_, diags := initialize(t, dir, InitOptions{})
			onlyDiagnostic(t, diags, c.kind, c.text)
			if diags[0].Subject == nil {
				t.Error("the diagnostic has no range")
			}
			if after, _ := os.ReadFile(filepath.Join(dir, lockfile.Name)); !bytes.Equal(before, after) {
				t.Errorf("the lock file is now\n%s", after)
			}
		})
	}
}

func TestInitRemovesUnusedItemsOnlyWithPrune(t *testing.T) {
	t.Parallel()
	dir := unpack(t, digitsItems+digitsJob("./market"))
	initialized(t, dir)
	rewrite(t, filepath.Join(dir, "main.pai.hcl"), `{ use = "marketplace://name/digits", with = { root = "/data" } }`, `"marketplace://name/tools"`)
	if actions, _ := initialize(t, dir, InitOptions{}); actions[digits] != "" {
		t.Errorf("init removed items that other workspaces may use: %v", actions)
	}
	if actions, _ := initialize(t, dir, InitOptions{Prune: true}); actions[digits] != "removed" || actions[tools] != "kept" {
		t.Errorf("prune: %v", actions)
	}
}

// TestAMarketplaceTokenMayReferToASecret checks that a marketplace token can refer to a
// secret.
func TestAMarketplaceTokenMayReferToASecret(t *testing.T) {
	t.Parallel()
	var got string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Get("Authorization")
		_, _ = w.Write([]byte("- {name: digits, type: data, template_variables: [{name: root}]}"))
	}))
	t.Cleanup(server.Close)
	dir := unpack(t, strings.Replace(digitsJob(server.URL+"/x.yaml"), "source =", "token = secret.market\n  source =", 1)+"-- more.pai.hcl --\nsecret \"market\" {\n  file = \"token.txt\"\n}\n-- token.txt --\nhush\n")
	if _, diags := initialize(t, dir, InitOptions{}); len(diags) > 0 || got != "Bearer hush" {
		t.Errorf("diagnostics %v; the server received the credential %q", diags, got)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, lockfile.Name)); bytes.Contains(text, []byte("hush")) {
		t.Error("the lock file contains the token")
	}
	_ = os.Remove(filepath.Join(dir, "token.txt"))
	_, diags := initialize(t, dir, InitOptions{Update: true})
	onlyDiagnostic(t, diags, hclspec.MarketplaceNotPermitted, "token.txt cannot be read")
}
