package imports

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

// leaves import the standard library only.
var leaves = []string{
	"internal/runspec", "internal/template", "internal/contract",
	"internal/exitspec", "internal/redact", "internal/atomicfile", "internal/locator",
}

// allowed names, for each package or tree ("x/..."), what of this module it
// may import directly. Packages that are not named may import anything.
var allowed = map[string][]string{
	"hclspec":              {"internal/contract"},
	"hclspec/syntax":       {"hclspec"},
	"hclspec/schema":       {"hclspec"},
	"planner":              append([]string{"hclspec", "planner/resolve", "planner/graph"}, leaves...),
	"planner/graph":        {},
	"planner/resolve":      append([]string{"hclspec", "planner/graph"}, leaves...),
	"planner/view":         append([]string{"hclspec", "planner", "planner/resolve", "planner/graph"}, leaves...),
	"internal/framework":   leaves,
	"internal/protocol":    append([]string{"hclspec"}, leaves...),
	"internal/workspace":   append([]string{"hclspec", "hclspec/syntax", "internal/protocol", "internal/marketplace", "planner/lock", "planner/resolve", "planner/graph"}, leaves...),
	"internal/marketplace": append([]string{"hclspec", "hclspec/syntax", "internal/protocol", "planner/resolve"}, leaves...),
	"internal/registry":    {},
	"planner/lock":         append([]string{"hclspec", "hclspec/syntax", "planner/resolve"}, leaves...),
	"internal/render":      append([]string{"hclspec", "planner/resolve", "internal/framework"}, leaves...),
	"internal/kubernetes": append([]string{
		"hclspec", "internal/cluster", "internal/framework", "internal/install", "internal/marketplace", "internal/protocol", "internal/render", "planner", "planner/resolve", "runtime/ssh",
	}, leaves...),
	"provider/shape": {"hclspec"},

	"internal/runtimeimage/...": append([]string{"internal/runtimeimage/..."}, leaves...),
	"runtime/...":               append([]string{"runtime/..."}, leaves...),
}

// forbidden names what must not be in the whole dependency tree of a package.
var forbidden = map[string][]string{
	"hclspec":              {"k8s.io/client-go", "github.com/hashicorp/terraform-plugin-framework"},
	"hclspec/syntax":       {"k8s.io/client-go", "github.com/hashicorp/terraform-plugin-framework"},
	"planner":              {"k8s.io/client-go", "github.com/hashicorp/terraform-plugin-framework"},
	"planner/view":         {"k8s.io/client-go", "github.com/hashicorp/terraform-plugin-framework"},
	"cmd/openpai-runtime":  {"k8s.io/", "sigs.k8s.io/", "github.com/hashicorp/hcl"},
	"internal/atomicfile":  {"github.com/", "golang.org/", "k8s.io/"},
	"internal/contract":    {"github.com/", "golang.org/", "k8s.io/"},
	"internal/exitspec":    {"github.com/", "golang.org/", "k8s.io/"},
	"internal/redact":      {"github.com/", "golang.org/", "k8s.io/"},
	"internal/locator":     {"github.com/", "golang.org/", "k8s.io/"},
	"internal/runspec":     {"github.com/", "golang.org/", "k8s.io/"},
	"internal/template":    {"github.com/", "golang.org/", "k8s.io/"},
	"planner/resolve":      {"k8s.io/client-go"},
	"planner/lock":         {"k8s.io/client-go", "github.com/google/go-containerregistry"},
	"internal/marketplace": {"k8s.io/client-go", "github.com/google/go-containerregistry"},
	"internal/protocol":    {"k8s.io/client-go"},
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
				t.Errorf("%s imports %s; it may import of this module only: %s", name, ours, strings.Join(rule, ", "))
			}
		}
		for _, dep := range p.Deps {
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

// ruleFor finds the rule of a package: its own, or that of the tree it is in.
func ruleFor(name string) ([]string, bool) {
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
