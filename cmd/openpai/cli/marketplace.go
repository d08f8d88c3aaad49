// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"errors"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
)

func newMarketplaceCmd(s *Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "marketplace",
		Short: "Find, use and publish shared prerequisites and jobs",
		Long: dedent(`
			Find, use and publish shared prerequisites and jobs. The commands use the
			marketplaces from the marketplace blocks of the workspace, from --marketplace
			NAME=SOURCE and from OPENPAI_MARKETPLACE. A SOURCE is a directory, a git
			address (git::https://host/repo.git?ref=v1), the URL of an item file, or the
			base URL of an OpenPAI Marketplace server.

			    openpai marketplace list
			    openpai marketplace show marketplace://script/install_wget`),
		Args: noSubcommand,
		RunE: printHelp,
	}
	cmd.AddCommand(newMarketplaceListCmd(s), newMarketplaceSearchCmd(s), newMarketplaceShowCmd(s),
		newMarketplaceUseCmd(s), newMarketplacePublishCmd(s), newMarketplaceValidateCmd(s))
	return cmd
}

// marketFlags are the flags that choose the marketplaces for a command.
type marketFlags struct {
	workspace workspaceFlags
}

func (f *marketFlags) register(cmd *cobra.Command) {
	f.workspace.registerValues(cmd)
	cmd.Flags().StringVar(&f.workspace.path, "path", "", "`PATH` of the workspace; defaults to the current directory")
}

// open loads the declared marketplaces. For errors unrelated to marketplaces, it
// prints only a warning, because the command does not depend on the jobs.
func (f *marketFlags) open(s *Streams) (*workspace.Loaded, *marketplace.Set, error) {
	loaded, diags := f.workspace.load()
	if loaded.Dir == "" {
		return nil, nil, (&project{loaded: loaded}).diagnosticsError(diags)
	}
	var about hcl.Diagnostics
	others := false
	for _, d := range diags {
		switch hclspec.Code(d) {
		case hclspec.InvalidMarketplaceArgument.Code, hclspec.MarketplaceSource.Code:
			about = append(about, d)
		case hclspec.WorkspaceEmpty.Code, hclspec.ItemsNotInitialized.Code:
		default:
			others = others || d.Severity == hcl.DiagError
		}
	}
	if about.HasErrors() {
		return nil, nil, (&project{loaded: loaded}).diagnosticsError(about)
	}
	if others {
		s.warn("the configuration has errors; see \"openpai validate\".")
	}
	return loaded, loaded.Marketplaces(itemSources(loaded)), nil
}

// itemSources returns options that can open a marketplace in a cluster of the
// workspace.
func itemSources(loaded *workspace.Loaded) marketplace.Options {
	return marketplace.Options{Kubernetes: func(m *hclspec.Marketplace) (marketplace.Source, error) {
		return kubernetes.OpenItems(loaded.Surroundings(), m)
	}}
}

// itemFailure converts an error about an item to a diagnostic. It returns
// context.Canceled for an interrupt.
func itemFailure(reference string, err error) error {
	if errors.Is(err, context.Canceled) {
		return context.Canceled
	}
	kind := hclspec.ItemUnavailable
	var known interface{ Entry() *hclspec.Entry }
	if errors.As(err, &known) {
		kind = known.Entry()
	}
	return &diagnosticsError{diags: hcl.Diagnostics{kind.At(hcl.Range{}, "%s: %s", reference, message.Sentence("%s", err))}}
}

var errNoMarketplace = errors.New("no marketplace is declared; add a marketplace block, or set --marketplace NAME=SOURCE")
