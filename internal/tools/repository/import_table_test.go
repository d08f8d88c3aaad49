// SPDX-License-Identifier: MPL-2.0

package repository

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The lines directly before and after the import table.
const (
	tableStart = "<!-- imports: go generate ./internal/tools/repository writes this table -->\n"
	tableEnd   = "<!-- end of imports -->\n"
)

// TestArchitecturePageShowsTheImports compares the page with the rules that
// TestImportsPointOneWay enforces. With UPDATE=1, it writes the table to the
// page.
func TestArchitecturePageShowsTheImports(t *testing.T) {
	page := filepath.Join("..", "..", "..", "contributing", "architecture.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, hasStart := strings.Cut(string(text), tableStart)
	shown, after, hasEnd := strings.Cut(rest, tableEnd)
	if !hasStart || !hasEnd {
		t.Fatalf("%s does not contain the line %q or %q", page, tableStart, tableEnd)
	}
	want := importTable()
	if shown == want {
		return
	}
	if os.Getenv("UPDATE") == "" {
		t.Fatalf("the table of imports in %s differs from imports_test.go; run go generate ./internal/tools/repository", page)
	}
	if err := os.WriteFile(page, []byte(before+tableStart+want+tableEnd+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// importTable returns a Markdown table, sorted by package.
func importTable() string {
	var b strings.Builder
	b.WriteString("| package | may import from this module | must not depend on |\n| --- | --- | --- |\n")
	fmt.Fprintf(&b, "| %s (leaves) | nothing | anything but the standard library |\n", family(leaves))
	for _, leaf := range slices.Sorted(maps.Keys(leafImports)) {
		fmt.Fprintf(&b, "| `%s` | `%s` | |\n", leaf, strings.Join(leafImports[leaf], "`, `"))
	}
	names := slices.AppendSeq(slices.Collect(maps.Keys(allowed)), maps.Keys(forbidden))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		may := "anything"
		if rule, ok := allowed[name]; ok {
			may = permitted(rule)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, may, quoted(forbidden[name]))
	}
	b.WriteString("| every other package | anything | |\n")
	return b.String()
}

// permitted lists the packages that a rule permits. If the rule permits all
// leaves, the word "leaves" replaces their names.
func permitted(rule []string) string {
	isLeaf := func(name string) bool { return slices.Contains(leaves, name) }
	isListed := func(leaf string) bool { return slices.Contains(rule, leaf) }
	names, suffix := slices.Sorted(slices.Values(rule)), ""
	if !slices.ContainsFunc(leaves, func(leaf string) bool { return !isListed(leaf) }) {
		names, suffix = slices.DeleteFunc(names, isLeaf), ", leaves"
	}
	if all := strings.TrimPrefix(quoted(names)+suffix, ", "); all != "" {
		return all
	}
	return "nothing"
}

func quoted(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "`" + strings.Join(names, "`, `") + "`"
}

// family joins the names of packages below internal: internal/{a,b}.
func family(names []string) string {
	var last []string
	for _, name := range slices.Sorted(slices.Values(names)) {
		last = append(last, strings.TrimPrefix(name, "internal/"))
	}
	return "`internal/{" + strings.Join(last, ",") + "}`"
}
