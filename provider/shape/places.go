// SPDX-License-Identifier: MPL-2.0

package shape

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Places maps model paths to the Terraform attributes that set them. In each
// range, the file name is the attribute path, and the line is not set.
type Places struct {
	Sources hclspec.SourceMap
	paths   map[string]path.Path
}

// NewPlaces returns an empty Places.
func NewPlaces() *Places {
	return &Places{Sources: hclspec.SourceMap{}, paths: map[string]path.Path{}}
}

// Put records the attribute that sets the value at a model path.
func (p *Places) Put(at hclspec.Path, attribute path.Path) {
	name := attribute.String()
	p.Sources[at] = hcl.Range{Filename: name}
	p.paths[name] = attribute
}

// Attribute returns the attribute to which a diagnostic refers. It returns
// false if the diagnostic has no position.
func (p *Places) Attribute(d *hcl.Diagnostic) (path.Path, bool) {
	if d.Subject == nil {
		return path.Empty(), false
	}
	at, ok := p.paths[d.Subject.Filename]
	return at, ok
}

// AttributeAt returns the attribute that sets the value at a model path, or the
// innermost enclosing attribute.
func (p *Places) AttributeAt(at hclspec.Path) (path.Path, bool) {
	attribute, ok := p.paths[p.Sources.Range(at).Filename]
	return attribute, ok
}
