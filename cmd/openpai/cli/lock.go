// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/lockfile"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
)

type lockOptions struct {
	streams   *Streams
	workspace workspaceFlags
	update    bool
	addresses []string
	prune     bool
}

func newLockCmd(s *Streams) *cobra.Command {
	o := &lockOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "lock [PATH] [--update [ADDRESS...]]",
		Short: "Show or update the lock file",
		Long: dedent(`
			Show the lock file or, with --update, look up the given items and modules again
			and lock their current content. Without an ADDRESS, --update applies to all
			items and modules of the workspace. Other items and modules remain unchanged.

			An ADDRESS is the address of an item or module in the lock file, or a
			reference that resolves to an item. A module has an address such as
			module.train; every other ADDRESS begins with marketplace://, http:// or
			https://. Every other argument is a PATH.

			Exit codes: 0 success, 1 error (nothing was written).

			    openpai lock
			    openpai lock --update marketplace://script/install_wget
			    openpai lock --update module.train`),
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			var paths []string
			paths, o.addresses = apart(args)
			if err := o.workspace.take(paths); err != nil {
				return err
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			return o.run(ctx)
		},
	}
	o.workspace.register(cmd)
	cmd.Flags().BoolVar(&o.update, "update", false, "look up items and modules again")
	cmd.Flags().BoolVar(&o.prune, "prune", false, "remove items and modules that this workspace does not use; other files in the directory may use them")
	s.registerJSON(cmd, "the lock file")
	return cmd
}

// apart separates workspace paths from item and module addresses.
func apart(args []string) (paths, addresses []string) {
	for _, a := range args {
		if marketplace.IsReference(a) || hclspec.Address(a).IsModule() {
			addresses = append(addresses, a)
		} else {
			paths = append(paths, a)
		}
	}
	return paths, addresses
}

func (o *lockOptions) run(ctx context.Context) error {
	path := o.workspace.path
	switch {
	case len(o.addresses) > 0 && !o.update:
		return fmt.Errorf("%s is already locked; use --update to look it up again", o.addresses[0])
	case o.update && path != "" && !present(path):
		return fmt.Errorf("%s is treated as a PATH, but no such file or directory exists. To update an item, pass its full address, for example %s", path, fullReference(path))
	}
	if !o.update && !o.prune {
		return o.show()
	}
	changes, err := o.workspace.initialize(ctx, o.streams, workspace.InitOptions{Update: o.update, Addresses: o.addresses, Prune: o.prune})
	if err != nil {
		return err
	}
	showLockChanges(o.streams, changes)
	return nil
}

func (o *lockOptions) show() error {
	loaded, diags := o.workspace.load()
	p := &project{loaded: loaded}
	if loaded.Dir == "" {
		return p.diagnosticsError(diags)
	}
	file, diags := loaded.Lock()
	if diags.HasErrors() {
		return p.diagnosticsError(diags)
	}
	if o.streams.json != nil {
		o.streams.json.show(locked(file))
		return nil
	}
	o.table(file)
	return nil
}

func locked(file *lockfile.File) *document.Lock {
	all := document.NewLock()
	for _, e := range file.Items {
		all.Items = append(all.Items, document.LockedItem{Address: e.Address, References: e.References, Source: e.Source, Version: e.Version, Hash: e.Hash})
	}
	for _, m := range file.Modules {
		all.Modules = append(all.Modules, document.LockedModule{Address: m.Address, Source: m.Source, Version: m.Version, Commit: m.Commit, Hash: m.Hash})
	}
	for _, f := range file.Fetches {
		all.Downloads = append(all.Downloads, document.LockedDownload{URL: f.URL, SHA256: f.SHA256, Size: f.Size})
	}
	for _, i := range file.Images {
		all.Images = append(all.Images, document.LockedImage{Reference: i.Reference, Digest: i.Digest})
	}
	return all
}

func (o *lockOptions) table(file *lockfile.File) {
	if file.Empty() {
		fmt.Fprintln(o.streams.out, "Nothing is locked.")
		return
	}
	rows := [][]string{{"ADDRESS", "VERSION", "HASH", "SOURCE"}}
	for _, e := range file.Items {
		rows = append(rows, []string{e.Address, cmp.Or(e.Version, "-"), shortHash(e.Hash), e.Source})
	}
	for _, m := range file.Modules {
		rows = append(rows, []string{m.Address, cmp.Or(m.Version, "-"), shortHash(m.Hash), m.Source})
	}
	for _, f := range file.Fetches {
		rows = append(rows, []string{f.URL, "-", "sha256:" + f.SHA256[:12], "download"})
	}
	for _, i := range file.Images {
		rows = append(rows, []string{i.Reference, "-", i.Digest[:min(len(i.Digest), 19)], "registry"})
	}
	output.Table(o.streams.out, rows)
}
