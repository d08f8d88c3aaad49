// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
)

type marketListOptions struct {
	streams *Streams
	flags   marketFlags
	from    string
	types   string
	words   []string
}

func newMarketplaceListCmd(s *Streams) *cobra.Command {
	o := &marketListOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the items of the declared marketplaces",
		Long: dedent(`
			List the items of every declared marketplace. Unreadable files produce
			warnings. If a marketplace is unreachable, the command lists the items of
			the other marketplaces and then fails. The output omits private items by
			other authors.

			Exit codes: 0 success, 1 error.

			    openpai marketplace list
			    openpai marketplace list --type script --json`),
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return o.runCmd(cmd) },
	}
	o.register(cmd)
	return cmd
}

func newMarketplaceSearchCmd(s *Streams) *cobra.Command {
	o := &marketListOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "search WORD...",
		Short: "List the items whose name, title, summary, description, author or tags contain all words",
		Long: dedent(`
			List the items that contain every WORD, ignoring case.

			Exit codes: 0 success, 1 error or no matching item.

			    openpai marketplace search mnist
			    openpai marketplace search --from team imagenet data`),
		Args: arguments(1, anyNumber),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.words = args
			return o.runCmd(cmd)
		},
	}
	o.register(cmd)
	return cmd
}

func (o *marketListOptions) register(cmd *cobra.Command) {
	o.flags.register(cmd)
	cmd.Flags().StringVar(&o.from, "from", "", "only the marketplace with this `NAME`")
	cmd.Flags().StringVar(&o.types, "type", "", "only items of this `TYPE`: "+strings.Join(marketplace.Types(), ", "))
	o.streams.registerJSON(cmd, "the items")
}

func (o *marketListOptions) runCmd(cmd *cobra.Command) error {
	if o.types != "" && !slices.Contains(marketplace.Types(), o.types) {
		return fmt.Errorf("unknown type %q; use %s.%s", o.types, strings.Join(marketplace.Types(), ", "), hclspec.Suggest(o.types, marketplace.Types()))
	}
	ctx, stop := interruptible(cmd)
	defer stop()
	_, set, err := o.flags.open(o.streams)
	if err != nil {
		return err
	}
	items, failed := o.items(ctx, set)
	if failed != nil && len(items) == 0 && o.streams.json == nil {
		return failed
	}
	o.show(items)
	if failed != nil {
		return failed
	}
	if len(items) == 0 && len(o.words) > 0 {
		return exitWith(exitFailed)
	}
	return nil
}

// items lists the items of all selected marketplaces. After an error, it
// continues with the next marketplace. It returns the first error.
func (o *marketListOptions) items(ctx context.Context, set *marketplace.Set) ([]document.ListedItem, error) {
	if len(set.Names()) == 0 {
		return nil, errNoMarketplace
	}
	if o.from != "" && set.Declared(o.from) == nil {
		return nil, fmt.Errorf("marketplace %q is not declared; declared marketplaces: %s.%s", o.from, strings.Join(set.Names(), ", "), hclspec.Suggest(o.from, set.Names()))
	}
	all := []document.ListedItem{}
	var failed error
	for _, name := range set.Names() {
		if o.from != "" && o.from != name {
			continue
		}
		l, err := set.List(ctx, set.Declared(name), marketplace.Query{})
		if err != nil {
			if failed == nil {
				failed = itemFailure("marketplace "+name, err)
			}
			continue
		}
		for _, p := range l.Problems {
			o.streams.warn(fmt.Sprintf("marketplace %s: %s", name, output.Clean(p.Error())))
		}
		items, others := l.For(currentUser())
		if others > 0 {
			fmt.Fprintf(o.streams.err, "Note: marketplace %s: omitted %s by other authors.\n", name, quantity.Count(others, "private item"))
		}
		for _, i := range items {
			if (o.types == "" || o.types == i.Type) && o.holds(i) {
				all = append(all, listing(name, i))
			}
		}
	}
	slices.SortStableFunc(all, func(a, b document.ListedItem) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Name, b.Name))
	})
	return all, failed
}

func listing(market string, i *marketplace.Item) document.ListedItem {
	return document.ListedItem{
		Reference: marketplace.Reference{Type: i.Type, Name: i.Name, From: market}.String(),
		Name:      i.Name, Type: i.Type, Version: i.Version, ID: i.ID, From: market, Title: i.Title, Summary: i.Summary,
		Author: i.Author, Tags: i.Tags, Visibility: i.Visibility, Source: i.Place, Hash: i.Hash(), About: about(i),
	}
}

// about returns the first nonempty text of an item: its summary, the first line
// of its description, or its title. If all are empty, it returns "-".
func about(i *marketplace.Item) string {
	first, _, _ := strings.Cut(strings.TrimSpace(i.Description), "\n")
	return cmp.Or(i.Summary, strings.TrimSpace(first), i.Title, "-")
}

// holds reports whether an item contains every word.
func (o *marketListOptions) holds(i *marketplace.Item) bool {
	text := strings.ToLower(strings.Join(append([]string{i.Name, i.Definition(), i.Title, i.Summary, i.Description, i.Author}, i.Tags...), "\n"))
	for _, w := range o.words {
		if !strings.Contains(text, strings.ToLower(w)) {
			return false
		}
	}
	return true
}

func (o *marketListOptions) show(items []document.ListedItem) {
	if o.streams.json != nil {
		o.streams.json.show(document.NewItems(items))
		return
	}
	if len(items) == 0 {
		fmt.Fprintln(o.streams.err, "No items.")
		return
	}
	rows := [][]string{{"NAME", "TYPE", "VERSION", "FROM", "SUMMARY"}}
	for _, i := range items {
		rows = append(rows, []string{i.Name, i.Type, cmp.Or(i.Version, "-"), i.From, i.About})
	}
	output.Table(o.streams.out, rows)
}
