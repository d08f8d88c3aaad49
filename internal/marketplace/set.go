// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/message"
)

// Options configure the sources.
type Options struct {
	// Dir is the base directory for relative paths.
	Dir string
	// Environ is the environment for git.
	Environ []string
	// Token returns the credential of a marketplace, or "" if there is none.
	Token func(*hclspec.Marketplace) (string, error)
	// Kubernetes opens a source in a Kubernetes cluster. It may be nil.
	Kubernetes func(*hclspec.Marketplace) (Source, error)
	// Transport sends the requests. nil means the default transport.
	Transport http.RoundTripper
	// Unnamed is set if users do not know the name of the only marketplace, as in
	// Terraform. Errors then contain neither the name nor references with the
	// name.
	Unnamed bool
	// Limits contains the limits for the resources that a source may use. nil
	// means [DefaultLimits].
	Limits *Limits
}

func (o Options) limits() Limits {
	if o.Limits == nil {
		return DefaultLimits
	}
	return *o.Limits
}

// Set looks up items in the declared marketplaces. It sends each query at
// most once to each marketplace. It is not safe for concurrent use.
type Set struct {
	declared []*hclspec.Marketplace
	options  Options
	open     map[string]Source
	listed   map[string]*Listing
}

// NewSet returns a set of marketplaces. It does not open the marketplaces.
func NewSet(declared []*hclspec.Marketplace, o Options) *Set {
	return &Set{declared: declared, options: o, open: map[string]Source{}, listed: map[string]*Listing{}}
}

// Names returns the names of the marketplaces in order of declaration.
func (s *Set) Names() []string {
	var all []string
	for _, m := range s.declared {
		all = append(all, m.Name)
	}
	return all
}

// label returns the phrase that errors use for a marketplace.
func (s *Set) label(name string) string {
	if s.options.Unnamed {
		return "the marketplace"
	}
	return "the marketplace \"" + name + "\""
}

// Declared returns the marketplace with the given name, or nil.
func (s *Set) Declared(name string) *hclspec.Marketplace {
	for _, m := range s.declared {
		if m.Name == name {
			return m
		}
	}
	return nil
}

// Source opens the source of a declared marketplace.
func (s *Set) Source(m *hclspec.Marketplace) (Source, error) {
	if src, ok := s.open[m.Name]; ok {
		return src, nil
	}
	src, err := s.openSource(m)
	if err == nil {
		s.open[m.Name] = src
	}
	return src, err
}

func (s *Set) openSource(m *hclspec.Marketplace) (Source, error) {
	if m.Kubernetes != nil {
		if s.options.Kubernetes == nil {
			return nil, failure(hclspec.MarketplaceInCluster, "this command does not support %s, because its source is in a cluster", s.label(m.Name))
		}
		return s.options.Kubernetes(m)
	}
	l, err := locate(m.Source, s.options.Dir)
	if err != nil {
		return nil, err
	}
	token := ""
	if s.options.Token != nil {
		if token, err = s.options.Token(m); err != nil {
			return nil, failed(hclspec.MarketplaceNotPermitted, err, "cannot get the token for %s", s.label(m.Name))
		}
	}
	return l.open(m.Source, token, s.options), nil
}

// open returns the source for a location. written is the source as declared.
func (l location) open(written, token string, o Options) Source {
	switch l.kind {
	case kindGit:
		return &repository{location: l, limits: o.limits(), program: gitProgram{environ: o.Environ, origin: originOf(l.target), token: token, limit: 2 * o.limits().ListBytes}}
	case kindFile:
		return &itemFile{url: l.target, client: newClient(l.target, token, o)}
	case kindREST:
		return &rest{base: l.target, client: newClient(l.target, token, o)}
	}
	return &directory{path: l.target, written: written, limits: o.limits()}
}

// List returns the items of one marketplace that match a query.
func (s *Set) List(ctx context.Context, m *hclspec.Marketplace, q Query) (*Listing, error) {
	key := fmt.Sprintf("%s\x00%s\x00%s\x00%s", m.Name, q.ID, q.Name, q.Keyword)
	if l, ok := s.listed[key]; ok {
		return l, nil
	}
	src, err := s.Source(m)
	if err != nil {
		return nil, err
	}
	if _, searches := src.(*rest); !searches { // the source returns all items in one response
		key, q = m.Name+"\x00\x00\x00", Query{}
		if l, ok := s.listed[key]; ok {
			return l, nil
		}
	}
	l, err := src.Items(ctx, q)
	if err != nil {
		return nil, err
	}
	s.listed[key] = l
	return l, nil
}

func (s *Set) searched(ref Reference) ([]*hclspec.Marketplace, error) {
	if ref.From == "" {
		if len(s.declared) == 0 {
			return nil, failure(hclspec.ItemNotFound, "no marketplace is declared").with(message.HintDeclareMarketplace, "")
		}
		return s.declared, nil
	}
	if m := s.Declared(ref.From); m != nil {
		return []*hclspec.Marketplace{m}, nil
	}
	return nil, failure(hclspec.ItemNotFound, "the marketplace %q is not declared; declared marketplaces: %s%s", ref.From, quoted(s.Names()), suggestion(ref.From, s.Names()))
}

// maxQuoted is the maximum number of names that a message lists.
const maxQuoted = 30

func quoted(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	listed := `"` + strings.Join(names[:min(len(names), maxQuoted)], `", "`) + `"`
	if more := len(names) - maxQuoted; more > 0 {
		return fmt.Sprintf("%s and %d more", listed, more)
	}
	return listed
}
