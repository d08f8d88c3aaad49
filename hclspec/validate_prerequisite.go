// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"strings"

	"github.com/distribution/reference"
	"github.com/hashicorp/hcl/v2"
)

// prerequisite checks one prerequisite. job is nil for a workspace
// prerequisite.
func (v *validator) prerequisite(job *Job, p *Prerequisite) {
	v.length("The prerequisite", p.Name, p.Path)
	v.environment(p.Environment, p.Path.Attr("environment"))
	v.addresses(job, p)
	if p.Auth != nil && p.Type != "dockerimage" {
		v.report(AuthWithoutImage, p.Path.Attr("auth"), "%s has a login, but only images use logins. Remove the login.", p.Address())
	}
	seen := map[string]Path{}
	for _, t := range p.TemplateVariables {
		v.once(seen, "", "The template variable", t.Name, t.Path)
	}
	for _, use := range p.RequireStorages {
		v.storageUse(p.Address().String(), p.Module, use)
	}
}

func (v *validator) addresses(job *Job, p *Prerequisite) {
	at := p.Path.Attr("uri")
	switch {
	case p.Type != "data" && p.Type != "script" && len(p.URI) > 1:
		v.report(SeveralURIs, at, "%s has %d addresses. Only data and script prerequisites may have several addresses.", p.Address(), len(p.URI))
	case p.Type != "dockerimage":
	case len(p.URI) == 0 || p.URI[0] == "":
		v.report(MissingURI, at, "%s has no uri. Set uri to the image reference.", p.Address())
	default:
		v.image(job, p.URI[0], at)
	}
}

// image checks an image reference. It accepts any reference with a template,
// because the final value is not known yet.
func (v *validator) image(job *Job, uri string, at Path) {
	if HasTemplate(uri) {
		return
	}
	if d := CheckImage(uri, job != nil && job.IsImported(), v.ws.Sources.Range(at)); d != nil {
		v.diags = append(v.diags, d)
	}
}

// HasTemplate reports whether a string may contain a reference or a template
// variable. Only the planner can determine the final string.
func HasTemplate(s string) bool { return strings.Contains(s, "<%") || strings.Contains(s, "{{") }

// CheckImage returns a diagnostic for an invalid image reference, otherwise
// nil. In imported jobs, upper-case letters cause only a warning, because
// OpenPAI accepts them.
func CheckImage(uri string, imported bool, at hcl.Range) *hcl.Diagnostic {
	if _, err := reference.ParseNormalizedNamed(uri); err == nil {
		return nil
	}
	if _, err := reference.ParseNormalizedNamed(strings.ToLower(uri)); err == nil {
		entry := UppercaseImage
		if imported {
			entry = UppercaseImageImported
		}
		return entry.At(at, "The image %q has upper-case letters in its repository name. Container engines reject this name; write %q.", uri, lowerRepository(uri))
	}
	advice := "Write registry/repository:tag, or registry/repository@sha256:digest."
	if _, rest, ok := strings.Cut(uri, "://"); ok {
		advice = "Write the reference without the protocol: " + rest + "."
	}
	return InvalidImage.At(at, "%q is not a valid image reference. %s", uri, advice)
}

// lowerRepository converts the repository to lower case. Only tags may
// contain upper-case letters.
func lowerRepository(uri string) string {
	end := len(uri)
	if at := strings.IndexByte(uri, '@'); at >= 0 {
		end = at
	}
	if colon := strings.LastIndexByte(uri[:end], ':'); colon > strings.LastIndexByte(uri[:end], '/') {
		end = colon
	}
	return strings.ToLower(uri[:end]) + uri[end:]
}
