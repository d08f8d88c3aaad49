// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
)

type initOptions struct {
	streams   *Streams
	workspace workspaceFlags
	upgrade   bool
	images    bool
	downloads bool
}

func newInitCmd(s *Streams) *cobra.Command {
	o := &initOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "init [PATH]",
		Short: "Fetch marketplace items and modules, and write the lock file",
		Long: dedent(`
			Look up every marketplace:// and http(s):// reference in the workspace and,
			transitively, the items that the referenced items require. The command
			stores the definitions in .openpai/items. It fetches modules, from git
			repositories or archives, into .openpai/modules. It records the source and
			hash of each item and module in .openpai.lock.hcl. Locked items and modules
			remain unchanged unless --upgrade looks them up again. Commit the lock file.

			PATH can also be marketplace://job/NAME, which refers to a complete marketplace
			job.

			With a complete lock file and cache, commands do not need network access to
			load items and modules.

			Exit codes: 0 success, 1 error (the lock file is unchanged).

			    openpai init
			    openpai init --upgrade
			    openpai init --images --downloads`),
		Args: cobra.ArbitraryArgs,
		RunE: o.workspace.runAt(o.run),
	}
	o.workspace.register(cmd)
	cmd.Flags().BoolVar(&o.upgrade, "upgrade", false, "look up locked items and modules again, like \"openpai lock --update\"")
	cmd.Flags().BoolVar(&o.images, "images", false, "also look up the digests of all images, and pin the images to these digests")
	s.registerJSON(cmd, "the result for each item and module")
	cmd.Flags().BoolVar(&o.downloads, "downloads", false, "also read http(s) downloads without a sha256, and pin them")
	return cmd
}

func (o *initOptions) run(ctx context.Context) error {
	changes, err := o.workspace.initialize(ctx, o.streams, workspace.InitOptions{Update: o.upgrade})
	if err != nil {
		return err
	}
	showLockChanges(o.streams, changes)
	if o.images || o.downloads {
		return (&pinning{streams: o.streams, images: o.images, downloads: o.downloads}).run(ctx, &o.workspace)
	}
	return nil
}

// initialize locks references and modules. It ignores diagnostics about missing lock
// entries. If o.Addresses is set, it also ignores diagnostics about an empty
// workspace. Without o.Prune, a variable without a value is only a warning: most
// references do not depend on values.
func (f *workspaceFlags) initialize(ctx context.Context, s *Streams, o workspace.InitOptions) ([]workspace.LockChange, error) {
	loaded, diags := workspace.LoadForInit(ctx, f.loadOptions(), o)
	if err := ctx.Err(); err != nil {
		return nil, err // the cancellation, not the module errors that it caused
	}
	p := &project{loaded: loaded}
	expected := []string{hclspec.ItemsNotInitialized.Code}
	if len(o.Addresses) > 0 {
		expected = append(expected, hclspec.WorkspaceEmpty.Code)
	}
	rest, unset := otherThan(expected, diags), []string(nil)
	if !o.Prune { // pruning would remove references that depend on unset variables
		rest, unset = withoutUnset(loaded, rest)
	}
	if rest.HasErrors() {
		return nil, p.diagnosticsError(rest)
	}
	if len(unset) > 0 {
		s.warn(fmt.Sprintf("no value for %s: references that depend on unset variables are not locked. To lock these references, set the variables and run this command again.", quantity.List(unset, "variable")))
	}
	o.Sources = itemSources(loaded)
	changes, found, err := loaded.Init(ctx, o)
	if err != nil {
		return nil, err
	}
	if found.HasErrors() {
		return nil, p.diagnosticsError(found)
	}
	p.show(s, found)
	return changes, nil
}

// withoutUnset omits the diagnostics about workspace variables without a value.
// It returns the names of these variables in unset.
func withoutUnset(loaded *workspace.Loaded, diags hcl.Diagnostics) (rest hcl.Diagnostics, unset []string) {
	declared := map[hcl.Range]string{}
	for _, v := range loaded.Workspace.Variables {
		declared[loaded.Workspace.Sources.Range(hclspec.Path(hclspec.NewAddress("variable", v.Name)))] = "var." + v.Name
	}
	for _, d := range diags {
		if hclspec.Code(d) == hclspec.MissingVariableValue.Code && d.Subject != nil && declared[*d.Subject] != "" {
			unset = append(unset, declared[*d.Subject])
			continue
		}
		rest = append(rest, d)
	}
	return rest, unset
}

// otherThan returns the diagnostics that have none of the codes.
func otherThan(codes []string, diags hcl.Diagnostics) hcl.Diagnostics {
	return slices.DeleteFunc(slices.Clone(diags), func(d *hcl.Diagnostic) bool { return slices.Contains(codes, hclspec.Code(d)) })
}

func showLockChanges(s *Streams, changes []workspace.LockChange) {
	if s.json != nil {
		s.json.show(lockChanges(changes))
		return
	}
	signs := map[string]struct {
		mark  string
		color output.Color
	}{"added": {"+", output.Green}, "updated": {"~", output.Yellow}, "removed": {"-", output.Red}, "fetched": {" ", output.Plain}, "kept": {" ", output.Plain}}
	counts := map[string]int{}
	for _, c := range changes {
		counts[c.Action]++
		sign := signs[c.Action]
		fmt.Fprintf(s.out, "%s %s%s\n", output.Paint(s.color, sign.color, sign.mark), output.Clean(c.Address), lockRemark(c))
	}
	if len(changes) == 0 {
		fmt.Fprintln(s.out, "The workspace does not use marketplace items or external modules.")
		return
	}
	var parts []string
	for _, action := range []string{"added", "updated", "removed", "fetched", "kept"} {
		if counts[action] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[action], action))
		}
	}
	fmt.Fprintf(s.out, "\nLocked %s: %s.\n", lockedCount(changes), strings.Join(parts, ", "))
}

// lockedCount describes how many items and modules are locked after the
// changes.
func lockedCount(changes []workspace.LockChange) string {
	items, modules := 0, 0
	for _, c := range changes {
		switch {
		case c.Action == "removed":
		case hclspec.Address(c.Address).IsModule():
			modules++
		default:
			items++
		}
	}
	switch {
	case modules == 0:
		return quantity.Count(items, "item")
	case items == 0:
		return quantity.Count(modules, "module")
	}
	return quantity.Count(items, "item") + " and " + quantity.Count(modules, "module")
}

func lockChanges(changes []workspace.LockChange) *document.LockChanges {
	all := document.NewLockChanges()
	for _, c := range changes {
		all.Changes = append(all.Changes, document.LockChange{
			Address: c.Address, Action: c.Action, Source: c.Source, Before: c.Old, After: c.New, HashBefore: c.HashBefore, Hash: c.HashNow,
		})
	}
	return all
}

func lockRemark(c workspace.LockChange) string {
	switch {
	case c.Action == "updated" && c.Old != c.New:
		return fmt.Sprintf(" %s -> %s", cmp.Or(c.Old, "(no version)"), cmp.Or(c.New, "(no version)"))
	case c.Action == "updated":
		return fmt.Sprintf(" %s -> %s", shortHash(c.HashBefore), shortHash(c.HashNow))
	case c.Action == "fetched":
		return " (fetched again, as locked)"
	case c.New != "":
		return " " + output.Clean(c.New)
	}
	return ""
}

func shortHash(h string) string { return h[:min(len(h), 15)] }
