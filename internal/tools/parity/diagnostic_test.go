// SPDX-License-Identifier: MPL-2.0

package parity

import (
	"fmt"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// diagnostic is a diagnostic of one front end.
type diagnostic struct {
	code     string // "" if the front end does not show a position
	summary  string
	severity string

	// position is the position in the command line output, as file:line:column.
	// paths are the paths of the model's values that begin at this position.
	position string
	paths    []hclspec.Path

	// reported is the attribute that the provider reports, and attribute is the
	// nearest attribute in the configuration. "" means the whole resource. sources
	// maps paths of the model to attributes.
	reported  place
	attribute string
	sources   hclspec.SourceMap
}

// agree describes the difference between a diagnostic of the command line and a
// diagnostic of the provider. It returns "" if the diagnostics agree. Their
// positions agree if the provider's attribute contains the value at the position on
// the command line, or is the nearest enclosing attribute of that value.
func agree(a, b diagnostic) string {
	if a.severity != b.severity {
		return fmt.Sprintf("the command line reports %s as %s, the provider as %s", a.code, a.severity, b.severity)
	}
	holds := func(p hclspec.Path) bool {
		r, isWritten := nearest(b.sources, p)
		return isWritten && r == b.attribute
	}
	if a.position != "" && !slices.ContainsFunc(a.paths, holds) || a.position == "" && b.attribute != "" {
		return fmt.Sprintf("%s: the command line reports it at %s, which is %v, the provider at %q", a.code, a.position, a.paths, b.reported.attribute)
	}
	return ""
}

// nearest returns the attribute for a path, or for the nearest enclosing path.
func nearest(sources hclspec.SourceMap, p hclspec.Path) (attribute string, ok bool) {
	for ; p != ""; p = p.Parent() {
		if r, ok := sources[p]; ok {
			return r.Filename, true
		}
	}
	return "", false
}
