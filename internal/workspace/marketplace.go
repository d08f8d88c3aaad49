package workspace

import (
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// addMarketplaces declares the sources that were given beside the
// configuration: plain YAML jobs have no other way to name one.
func (l *loader) addMarketplaces() {
	ws := l.loaded.Workspace
	for _, given := range l.options.Marketplaces {
		name, source, ok := strings.Cut(given, "=")
		if !ok || name == "" || source == "" {
			l.report(hclspec.InvalidMarketplaceArgument.At(hcl.Range{}, "%q is not of the form name=source, such as team=./marketplace.", given))
			continue
		}
		ws.Marketplaces = append(ws.Marketplaces, &hclspec.Marketplace{
			Name:   name,
			Path:   hclspec.Path("marketplace").Attr(name),
			Source: source,
		})
	}
}
