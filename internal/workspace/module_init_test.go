// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"archive/tar"
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func initModules(t *testing.T, dir string, o InitOptions) ([]LockChange, hcl.Diagnostics) {
	t.Helper()
	loaded, diags := LoadForInit(t.Context(), Options{Path: dir}, o)
	if diags.HasErrors() {
		return nil, diags
	}
	changes, diags, err := loaded.Init(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return changes, diags
}

// serveModule returns the URL of a tar archive of the files.
func serveModule(t *testing.T, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for name, text := range files {
		err := w.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(text))})
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(b.Bytes()) }))
	t.Cleanup(server.Close)
	return server.URL + "/recipes.tar"
}

// TestModulesFromTheNetworkStayInTheirPackage checks that a fetched module cannot
// call local modules outside its package.
func TestModulesFromTheNetworkStayInTheirPackage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ source, want string }{
		"a module of the package":          {"../common", ""},
		"the root of the package":          {"..", ""},
		"a directory above the package":    {"../../../..", "is outside the package of module.a"},
		"a directory of the package's own": {"..//common", ""},
		"a repository on this machine":     {"git::file:///srv/recipes.git", "which is a repository on this machine"},
		"a missing directory":              {"../none", "does not contain the directory specified in source"},
		"an absolute path":                 {"/etc", "absolute path"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := serveModule(t, map[string]string{
				"train/main.pai.hcl": `module "b" { source = "` + c.source + `" }`, "common/main.pai.hcl": `output "x" { value = 1 }`, "main.pai.hcl": `output "y" { value = 2 }`,
			})
			dir := unpack(t, "-- main.pai.hcl --\nmodule \"a\" { source = \""+url+"//train\" }\n")
			changes, diags := initModules(t, dir, InitOptions{})
			if c.want == "" && (diags.HasErrors() || len(changes) != 1) || c.want != "" && !strings.Contains(diags.Error(), c.want) {
				t.Errorf("%v, %v, want %q", changes, diags, c.want)
			}
			if _, err := os.Stat(filepath.Join(dir, ".openpai.lock.hcl")); (err == nil) != (c.want == "") {
				t.Errorf("the lock file: %v", err)
			}
		})
	}
}

// TestCredentialOfAModuleIsNotShown checks that the diagnostic has no source
// line, which would show the credential.
func TestCredentialOfAModuleIsNotShown(t *testing.T) {
	t.Parallel()
	dir := unpack(t, "-- main.pai.hcl --\nmodule \"a\" { source = \"https://ada:hush@example.org/r.zip\" }\n")
	_, diags := Load(Options{Path: dir})
	onlyDiagnostic(t, diags, hclspec.InvalidModuleSource, "The source of module.a cannot be used: it contains a credential")
	if diags[0].Subject != nil && !diags[0].Subject.Empty() || strings.Contains(diags.Error(), "hush") {
		t.Errorf("%v at %v", diags, diags[0].Subject)
	}
}

// TestLockedModulesChangeOnlyOnUpdate checks which changes init reports for modules in
// directories outside the workspace.
func TestLockedModulesChangeOnlyOnUpdate(t *testing.T) {
	t.Parallel()
	dir := unpack(t, "-- work/main.pai.hcl --\nmodule \"a\" { source = \"../recipes\" }\nmodule \"b\" { source = \"../more\" }\n-- more/main.pai.hcl --\noutput \"x\" { value = 1 }\n-- recipes/main.pai.hcl --\noutput \"x\" { value = 1 }\n")
	work, file := filepath.Join(dir, "work"), filepath.Join(dir, "recipes", "main.pai.hcl")
	steps := []struct {
		name, content string
		options       InitOptions
		want          []string
	}{
		{"the first init", "", InitOptions{}, []string{"module.a added", "module.b added"}},
		{"nothing changed", "", InitOptions{}, []string{"module.a kept", "module.b kept"}},
		{"a change is an error", `output "x" { value = 2 }`, InitOptions{}, nil},
		{"an update of another module", "", InitOptions{Update: true, Addresses: []string{"module.b"}}, []string{"module.a kept", "module.b kept"}},
		{"an update of a module that it calls", "", InitOptions{Update: true, Addresses: []string{"module.a.module.c"}}, nil},
		{"an update of another module that also prunes", "", InitOptions{Update: true, Prune: true, Addresses: []string{"module.b"}}, nil},
		{"an update", "", InitOptions{Update: true, Addresses: []string{"module.a"}}, []string{"module.a updated", "module.b kept"}},
		{"an update of all", `output "x" { value = 3 }`, InitOptions{Update: true}, []string{"module.a updated", "module.b kept"}},
	}
	for _, s := range steps {
		if s.content != "" {
			if err := os.WriteFile(file, []byte(s.content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		changes, diags := initModules(t, work, s.options)
		var got []string
		for _, c := range changes {
			got = append(got, c.Address+" "+c.Action)
		}
		if diff := cmp.Diff(s.want, got); diff != "" || (s.want == nil) != diags.HasErrors() {
			t.Errorf("%s: %v (-want +got)\n%s", s.name, diags, diff)
		}
		if s.want == nil {
			onlyDiagnostic(t, diags, ModuleLockMismatch, "The lock file contains the hash h1:")
		}
	}
}

// TestErrorsOfUnavailableModulesEndWithOnePeriod checks that the diagnostic ends with
// one full stop, even if git's error does.
func TestErrorsOfUnavailableModulesEndWithOnePeriod(t *testing.T) {
	t.Parallel()
	dir := unpack(t, "-- main.pai.hcl --\nmodule \"a\" { source = \"git::file:///nonexistent/recipes.git\" }\n")
	_, diags := initModules(t, dir, InitOptions{})
	onlyDiagnostic(t, diags, ModuleUnavailable, "module.a: cannot read the repository file:///nonexistent/recipes.git: ")
	if text := diags.Error(); strings.HasSuffix(text, "..") || !strings.HasSuffix(text, ".") {
		t.Error(text)
	}
}
