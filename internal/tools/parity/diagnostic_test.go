package parity

import (
	"fmt"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// diagnostic is what one front end reports.
type diagnostic struct {
	code     string // "" when the front end shows none
	summary  string
	severity string

	// position is the place that the command line shows, as file:line:column,
	// and paths are the values of the model that begin there.
	position string
	paths    []hclspec.Path

	// reported is the place that the provider reports, and attribute the nearest
	// one that is written there; "" is the whole resource. sources leads to it
	// from the paths of the model.
	reported  place
	attribute string
	sources   hclspec.SourceMap
}

// agree says what differs between a diagnostic of the command line and one of
// the provider; "" for nothing. The places agree when the attribute is the one
// that holds the value, or the nearest one around it.
func agree(a, b diagnostic) string {
	if a.severity != b.severity {
		return fmt.Sprintf("%s is reported as %s by the command line, as %s by the provider", a.code, a.severity, b.severity)
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

// nearest returns the attribute of a path, or of the nearest path above it.
func nearest(sources hclspec.SourceMap, p hclspec.Path) (attribute string, ok bool) {
	for ; p != ""; p = p.Parent() {
		if r, ok := sources[p]; ok {
			return r.Filename, true
		}
	}
	return "", false
}
