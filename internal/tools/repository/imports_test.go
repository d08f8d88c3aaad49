// SPDX-License-Identifier: MPL-2.0

package repository

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/openpai/terraform-provider-openpai/"

// leaves is the list of leaf packages. Any package may import a leaf. A leaf
// imports only the standard library and its packages in leafImports.
var leaves = []string{
	"internal/runspec", "internal/template", "internal/contract",
	"internal/exitspec", "internal/redact", "internal/atomicfile", "internal/locator",
	"internal/logtime", "internal/message", "internal/metrics", "internal/plainjson", "internal/printable", "internal/quantity", "internal/redirect", "internal/shellquote", "internal/stage", "internal/statedir",
}

// leafImports maps a leaf to the other leaves that it may import.
var leafImports = map[string][]string{"internal/exitspec": {"internal/metrics", "internal/printable"}, "internal/redact": {"internal/plainjson"}, "internal/stage": {"internal/metrics", "internal/printable"}, "internal/statedir": {"internal/atomicfile"}}

// allowed maps each package or tree ("x/...") to the packages of this module
// that may be imported directly. Packages that are not listed may import any
// package.
var allowed = map[string][]string{
	"hclspec":              {"internal/contract", "internal/message"},
	"hclspec/syntax":       {"hclspec", "internal/contract", "internal/message", "internal/plainjson", "internal/quantity", "internal/template"},
	"hclspec/schema":       {"hclspec", "internal/plainjson"},
	"planner":              append([]string{"hclspec", "planner/resolve", "planner/graph", "planner/render"}, leaves...),
	"planner/graph":        {},
	"planner/policy":       {"hclspec", "planner", "planner/resolve"},
	"planner/resolve":      append([]string{"hclspec", "planner/graph"}, leaves...),
	"planner/view":         append([]string{"hclspec", "planner", "planner/resolve", "planner/graph"}, leaves...),
	"internal/jsonschema":  {"internal/plainjson"},
	"internal/framework":   leaves,
	"hclspec/protocol":     append([]string{"hclspec"}, leaves...),
	"internal/workspace":   append([]string{"hclspec", "hclspec/syntax", "hclspec/protocol", "internal/marketplace", "internal/lockfile", "internal/module", "planner/resolve", "planner/graph"}, leaves...),
	"internal/marketplace": append([]string{"hclspec", "hclspec/syntax", "hclspec/protocol", "planner/resolve"}, leaves...),
	"internal/module":      {"internal/marketplace", "internal/quantity", "internal/runspec", "internal/statedir", "runtime/fetch"},
	"internal/registry":    {},
	"internal/lockfile":    append([]string{"hclspec", "hclspec/syntax", "planner/resolve"}, leaves...),
	"planner/render":       append([]string{"hclspec", "hclspec/protocol", "planner/resolve", "internal/framework"}, leaves...),
	"internal/history":     append([]string{"hclspec", "planner", "planner/resolve"}, leaves...),
	"internal/kubernetes": append([]string{
		"hclspec", "internal/cluster", "internal/history", "internal/framework", "internal/kubernetes/api", "internal/kubernetes/check", "internal/marketplace", "hclspec/protocol", "planner/render", "planner", "planner/resolve", "internal/ssh",
	}, leaves...),
	"internal/kubernetes/api": {"hclspec", "internal/cluster", "internal/framework", "internal/message"},
	"internal/kubernetes/check": append([]string{
		"hclspec", "internal/cluster", "internal/framework", "internal/install", "internal/kubernetes/api", "planner/render", "planner/resolve",
	}, leaves...),
	"internal/local/process": {},
	"internal/local/reexec":  {},
	"internal/local/store": append([]string{
		"hclspec", "internal/cluster", "internal/history", "internal/framework", "internal/local/process", "planner", "planner/resolve",
	}, leaves...),
	"internal/local/task": append([]string{
		"internal/local/process", "internal/local/reexec", "internal/local/store", "runtime", "runtime/fetch",
	}, leaves...),
	"internal/operation": {
		"hclspec", "internal/atomicfile", "internal/cluster", "internal/contract", "internal/exitspec", "internal/history", "internal/kubernetes", "internal/local", "internal/locator", "internal/message", "internal/planfile", "internal/quantity", "internal/stage", "internal/template", "planner", "planner/policy", "planner/render", "planner/resolve",
	},
	"provider/shape": {"hclspec", "internal/plainjson"},
	"provider/wire":  {},

	"internal/runtimeimage/...": append([]string{"internal/runtimeimage/..."}, leaves...),
	"internal/ssh":              leaves,
	"runtime/...":               append([]string{"runtime/...", "internal/ssh"}, leaves...),
}

// forbidden lists packages that must not be in a package's dependency tree.
var forbidden = map[string][]string{
	"hclspec":              {"k8s.io/client-go", "github.com/hashicorp/terraform-plugin-framework"},
	"hclspec/syntax":       {"k8s.io/client-go", "github.com/hashicorp/terraform-plugin-framework"},
	"planner":              {"k8s.io/client-go", "github.com/hashicorp/terraform-plugin-framework"},
	"planner/policy":       {"k8s.io/client-go", "github.com/hashicorp/terraform-plugin-framework"},
	"planner/view":         {"k8s.io/client-go", "github.com/hashicorp/terraform-plugin-framework"},
	"cmd/openpai-runtime":  {"k8s.io/", "sigs.k8s.io/", "github.com/hashicorp/hcl"},
	"planner/resolve":      {"k8s.io/client-go"},
	"internal/lockfile":    {"k8s.io/client-go", "github.com/google/go-containerregistry"},
	"internal/marketplace": {"k8s.io/client-go", "github.com/google/go-containerregistry"},
	"internal/module":      {"k8s.io/client-go", "github.com/google/go-containerregistry"},
	"hclspec/protocol":     {"k8s.io/client-go"},
}

type goPackage struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

func TestImportsPointOneWay(t *testing.T) {
	for _, p := range listPackages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		rule, ok := ruleFor(name)
		for _, imported := range p.Imports {
			ours, isOurs := strings.CutPrefix(imported, module)
			if ok && isOurs && !permits(rule, ours) {
				t.Errorf("%s imports %s; of this module, it may import only: %s", name, ours, strings.Join(rule, ", "))
			}
		}
		for _, dep := range p.Deps {
			if slices.Contains(leaves, name) && !isStandard(dep) && !permits(leafImports[name], strings.TrimPrefix(dep, module)) {
				t.Errorf("%s depends on %s; a leaf may import only the standard library", name, dep)
			}
			for _, f := range forbidden[name] {
				if strings.HasPrefix(dep, f) && !strings.HasPrefix(dep, strings.TrimSuffix(module, "/")) {
					t.Errorf("%s depends on %s", name, dep)
				}
			}
		}
	}
}

func TestEveryRuleNamesAPackageThatExists(t *testing.T) {
	var names []string
	for _, p := range listPackages(t) {
		names = append(names, strings.TrimPrefix(p.ImportPath, module))
	}
	for rule := range allowed {
		if !slices.ContainsFunc(names, func(n string) bool { return permits([]string{rule}, n) }) {
			t.Errorf("no package %s", rule)
		}
	}
	for name := range forbidden {
		if !slices.Contains(names, name) {
			t.Errorf("no package %s", name)
		}
	}
}

// isStandard reports whether an import path is in the standard library. Every
// other import path begins with a host name, which contains a dot.
func isStandard(importPath string) bool {
	host, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(host, ".")
}

// ruleFor returns the import rule of a package, or of a directory tree that
// contains the package.
func ruleFor(name string) ([]string, bool) {
	if slices.Contains(leaves, name) {
		return leafImports[name], true
	}
	if rule, ok := allowed[name]; ok {
		return rule, true
	}
	for pattern, rule := range allowed {
		if tree, isTree := strings.CutSuffix(pattern, "/..."); isTree && (name == tree || strings.HasPrefix(name, tree+"/")) {
			return rule, true
		}
	}
	return nil, false
}

func permits(rule []string, name string) bool {
	return slices.ContainsFunc(rule, func(r string) bool {
		tree, isTree := strings.CutSuffix(r, "/...")
		return r == name || isTree && (name == tree || strings.HasPrefix(name, tree+"/"))
	})
}

func listPackages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps=false", "-json=ImportPath,Imports,Deps", module+"...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []goPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}
