// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/lockfile"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/internal/statedir"
	"github.com/openpai/terraform-provider-openpai/internal/template"
)

// marketplaceVariable is the environment variable that contains marketplaces
// as NAME=SOURCE, separated by commas.
const marketplaceVariable = "OPENPAI_MARKETPLACE"

// addMarketplaces declares marketplaces from options and the environment,
// because a plain YAML job has no marketplace blocks.
func (l *loader) addMarketplaces() {
	for _, input := range l.assignments(marketplaceVariable, l.options.Marketplaces) {
		l.addMarketplace(input)
	}
}

func (l *loader) addMarketplace(input string) {
	name, source, ok := nameAndValue(input)
	if marketplace.HasCredential(input) {
		l.report(hclspec.InvalidMarketplaceArgument.At(hcl.Range{}, "A source contains a credential, which openpai would write to files. Set %s instead.", tokenVariable(cmp.Or(name, "NAME"))))
		return
	}
	if !ok {
		l.report(hclspec.InvalidMarketplaceArgument.At(hcl.Range{}, "%q must have the form name=source, for example team=./marketplace.", input))
		return
	}
	source = marketplace.Rebase(source, ".", l.loaded.Dir)
	given := &hclspec.Marketplace{Name: name, Path: hclspec.Path("marketplace").Attr(name), Source: source}
	ws := l.loaded.Workspace
	for _, m := range ws.Marketplaces {
		if m.Name != name {
			continue
		}
		if m.Source != source && !marketplace.SameSource(m, given, l.loaded.Dir) {
			l.report(hclspec.InvalidMarketplaceArgument.At(hcl.Range{}, "The marketplace %q is already declared with %s. Choose another name.", name, sourceOf(m)))
		}
		return
	}
	ws.Marketplaces = append(ws.Marketplaces, given)
}

// sourceOf returns the source for use in messages.
func sourceOf(m *hclspec.Marketplace) string {
	switch {
	case m.Kubernetes != nil:
		return "the source in the cluster " + m.Kubernetes.Cluster
	case marketplace.HasCredential(m.Source):
		return "another source"
	}
	return fmt.Sprintf("the source %q", m.Source)
}

// checkSources rejects credentials in declared sources. The diagnostic has no
// range, because the source line would show the credential.
func (l *loader) checkSources() {
	for _, m := range l.loaded.declared() {
		if marketplace.HasCredential(m.Source) {
			l.report(hclspec.InvalidMarketplaceArgument.At(hcl.Range{}, "The source of the marketplace %q contains a credential, which openpai would write to files. Set the token of the marketplace to a secret, or set %s.", m.Name, tokenVariable(m.Name)))
		}
	}
}

// Marketplaces returns the marketplaces of the workspace as a set. The set reads
// the credential of a marketplace when it opens the source.
func (l *Loaded) Marketplaces(o marketplace.Options) *marketplace.Set {
	o.Dir, o.Environ, o.Token = l.Dir, l.environ, l.marketplaceToken
	return marketplace.NewSet(l.declared(), o)
}

// declared returns one marketplace per name. The order of precedence is: the
// workspace or the options, the job file, and the other files in the job file's
// directory.
func (l *Loaded) declared() []*hclspec.Marketplace {
	further := l.embedded
	if l.neighbors != nil {
		further = slices.Concat(further, l.neighbors.Marketplaces)
	}
	all := slices.Clone(l.Workspace.Marketplaces)
	for _, m := range further {
		if !slices.ContainsFunc(all, func(known *hclspec.Marketplace) bool { return known.Name == m.Name }) {
			all = append(all, m)
		}
	}
	return all
}

// Surroundings returns the workspace that declares the secrets and clusters to
// which the marketplaces refer.
func (l *Loaded) Surroundings() *hclspec.Workspace {
	return cmp.Or(l.neighbors, l.Workspace)
}

// tokenVariable returns the environment variable for a marketplace's token. It
// is used if no block sets "token".
func tokenVariable(name string) string {
	return marketplaceVariable + "_TOKEN_" + strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToUpper(name))
}

func (l *Loaded) marketplaceToken(m *hclspec.Marketplace) (string, error) {
	if m.Token == "" {
		token, _ := l.lookup(tokenVariable(m.Name))
		return strings.TrimSpace(token), nil
	}
	var failed error
	token, _ := template.Render(m.Token, func(ref template.Ref) (any, bool) {
		name, isSecret := ref.Secret()
		secret := l.Surroundings().Secret(name)
		if !isSecret || secret == nil {
			return nil, false
		}
		value, err := l.SecretValue(secret)
		if err != nil {
			failed = err
		}
		return value, err == nil
	})
	return strings.TrimSpace(token), failed
}

// ItemCache returns the cache for the contents of locked items.
func (l *Loaded) ItemCache() lockfile.Cache {
	return lockfile.NewCache(filepath.Join(l.Dir, statedir.Name, "items"))
}
