// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/planner/graph"
)

// cycles reports items that require each other. The diagnostic points to the
// workspace's first reference that leads, directly or indirectly, to one of these
// items.
func cycles(c *marketplace.Closure, references []Reference) hcl.Diagnostics {
	g := requirements(c)
	var diags hcl.Diagnostics
	for _, cycle := range g.Cycles() {
		first := slices.Index(cycle, slices.Min(cycle))
		cycle = slices.Concat(cycle[first:], cycle[:first])
		var lines []string
		for n, from := range cycle {
			to := cycle[(n+1)%len(cycle)]
			lines = append(lines, fmt.Sprintf("  %s requires %s%s", from, to, requiredAt(c, from, to)))
		}
		diags = append(diags, hclspec.PrerequisiteCycle.At(leading(c, references, cycle[0]), "The requirements of these items form a cycle:\n%s", strings.Join(lines, "\n")))
	}
	return diags
}

// requirements returns the graph of requirements between items.
func requirements(c *marketplace.Closure) *graph.Graph[string] {
	g := graph.New[string]()
	for _, from := range slices.Sorted(maps.Keys(c.Requires)) {
		for _, to := range c.Requires[from] {
			g.Connect(from, to, "requires")
		}
	}
	return g
}

// leading returns the range of the workspace's first direct or indirect
// reference to an item.
func leading(c *marketplace.Closure, references []Reference, address string) hcl.Range {
	g := requirements(c)
	for _, r := range references {
		to := c.References[r.Target]
		if _, leads := g.Distances(to)[address]; leads || to == address {
			return r.At
		}
	}
	return hcl.Range{}
}

// requiredAt returns the file and line where from requires to, or "" if Init
// has not read the file.
func requiredAt(c *marketplace.Closure, from, to string) string {
	item := c.Item(from)
	if item == nil || item.Prerequisite == nil {
		return ""
	}
	for _, r := range item.Prerequisite.Require {
		if c.References[r.Target] != to && c.Siblings[from][r.Target] != to {
			continue
		}
		if at := item.Sources.Range(r.Path); at.Filename != "" {
			return fmt.Sprintf(" (%s:%d)", at.Filename, at.Start.Line)
		}
	}
	return ""
}
