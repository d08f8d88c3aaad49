package hclspec

import (
	"strings"

	"github.com/distribution/reference"
)

// prerequisite checks one prerequisite by itself.
func (v *validator) prerequisite(p *Prerequisite) {
	v.length("The prerequisite", p.Name, p.Path)
	v.environment(p.Environment, p.Path.Attr("environment"))
	v.addresses(p)
	if p.Auth != nil && p.Type != "dockerimage" {
		v.report(AuthWithoutImage, p.Path.Attr("auth"), "%s has a login, which is read on images only.", p.Address())
	}
	seen := map[string]Path{}
	for _, t := range p.TemplateVariables {
		v.once(seen, "", "The template variable", t.Name, t.Path)
	}
	for _, use := range p.RequireStorages {
		v.storageUse(p.Address().String(), use)
	}
}

func (v *validator) addresses(p *Prerequisite) {
	at := p.Path.Attr("uri")
	switch {
	case p.Type != "data" && len(p.URI) > 1:
		v.report(SeveralURIs, at, "%s has %d addresses. Only data may have several.", p.Address(), len(p.URI))
	case p.Type != "dockerimage":
	case len(p.URI) == 0 || p.URI[0] == "":
		v.report(MissingURI, at, "%s has no uri. Write the reference of the image.", p.Address())
	default:
		v.image(p.URI[0], at)
	}
}

// image checks the reference of an image. One with a template in it is known
// later.
func (v *validator) image(uri string, at Path) {
	if strings.Contains(uri, "<%") || strings.Contains(uri, "{{") {
		return
	}
	if _, err := reference.ParseNormalizedNamed(uri); err == nil {
		return
	}
	if _, err := reference.ParseNormalizedNamed(strings.ToLower(uri)); err == nil {
		v.report(UppercaseImage, at, "The image %q has upper case letters in the name of its repository. Container engines refuse that; write lower case.", uri)
		return
	}
	advice := "Write registry/repository:tag, or registry/repository@sha256:digest."
	if _, rest, ok := strings.Cut(uri, "://"); ok {
		advice = "Write it without the protocol: " + rest + "."
	}
	v.report(InvalidImage, at, "%q is not the reference of an image. %s", uri, advice)
}
