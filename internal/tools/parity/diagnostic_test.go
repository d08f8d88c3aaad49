// SPDX-License-Identifier: MPL-2.0

package parity

import (
	"fmt"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// diagnostic is a diagnostic from one front end.
type diagnostic struct {
	code     string // "" if the front end does not show codes
	summary  string
	severity string

	// position is the position that the openpai CLI prints, as
	// file:line:column. Several values of the model can begin at this position.
	// The "paths" field contains the paths of these values in the model.
	position string
	paths    []hclspec.Path

	// The provider reports the attribute in the "reported" field. The
	// "attribute" field contains the path of this attribute, or of the
	// nearest enclosing attribute that the configuration sets. "" means the
	// whole resource. sources maps paths of the model to attributes.
	reported  place
	attribute string
	sources   hclspec.SourceMap
}

// agree describes the difference between a CLI diagnostic and a provider
// diagnostic, or returns "". If the CLI prints a position, the provider must
// report the attribute that [nearest] returns for a value at this position.
// Otherwise, the provider must report the whole resource.
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

// nearest returns the attribute for p, or for the nearest enclosing path that
// has an attribute.
func nearest(sources hclspec.SourceMap, p hclspec.Path) (attribute string, ok bool) {
	for ; p != ""; p = p.Parent() {
		if r, ok := sources[p]; ok {
			return r.Filename, true
		}
	}
	return "", false
}
