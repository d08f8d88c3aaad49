// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

type marketPublishOptions struct {
	streams    *Streams
	flags      marketFlags
	to         string
	author     string
	visibility string
	groups     []string
}

var visibilities = []string{"public", "protected", "private"}

func newMarketplacePublishCmd(s *Streams) *cobra.Command {
	o := &marketPublishOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "publish FILE --to MARKETPLACE",
		Short: "Publish the items in a file",
		Long: dedent(`
			Check the items in FILE and write them to MARKETPLACE, which is a directory
			or the name of a declared marketplace. All items in a file must have the
			same version; a published version never changes. If the directory is in the
			work tree of a git repository, commit and push the file yourself. In a
			cluster (a marketplace block with kubernetes), the file becomes one
			immutable ConfigMap. An OpenPAI Marketplace server stores only jobs, so each
			item is embedded in a small job.

			Servers do not list protected items. Only members of the groups in --group
			can read such an item; they must refer to it by ID.

			Exit codes: 0 published or already published, 1 error (the message lists the
			items that were published before the error).

			    openpai marketplace publish install_wget.yaml --to team
			    openpai marketplace publish job.yaml --to team --visibility private`),
		Args: arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := interruptible(cmd)
			defer stop()
			return o.run(ctx, args[0])
		},
	}
	o.flags.register(cmd)
	s.registerResults(cmd)
	cmd.Flags().StringVar(&o.to, "to", "", "name of a declared `MARKETPLACE`, or a directory")
	cmd.Flags().StringVar(&o.author, "author", "", "servers: `USER` that owns the items; defaults to the user of the token")
	cmd.Flags().StringVar(&o.visibility, "visibility", "", "servers: `VISIBILITY` of the items: "+strings.Join(visibilities, ", "))
	cmd.Flags().StringArrayVar(&o.groups, "group", nil, "servers: `GROUP` that may read the items, with --visibility protected; repeatable")
	_ = cmd.MarkFlagRequired("to")
	return cmd
}

func (o *marketPublishOptions) run(ctx context.Context, file string) error {
	if o.visibility != "" && !slices.Contains(visibilities, o.visibility) {
		return fmt.Errorf("invalid --visibility %[2]q: use %[1]s", strings.Join(visibilities, ", "), o.visibility)
	}
	p, err := readItems(o.streams, file)
	if err != nil {
		return err
	}
	p.Author, p.Visibility, p.Groups = o.author, o.visibility, o.groups
	_, set, err := o.flags.open(o.streams)
	if err != nil {
		return err
	}
	m := set.Declared(o.to)
	if m == nil {
		if m, err = o.directory(set); err != nil {
			return err
		}
	}
	done, err := set.Publish(ctx, m, p)
	if err != nil {
		return itemFailure(file, err)
	}
	o.report(done)
	return nil
}

func (o *marketPublishOptions) directory(set *marketplace.Set) (*hclspec.Marketplace, error) {
	if info, err := os.Stat(o.to); err == nil && info.IsDir() || strings.ContainsAny(o.to, "/\\") && !strings.Contains(o.to, "://") {
		path, err := filepath.Abs(o.to)
		return &hclspec.Marketplace{Name: o.to, Source: path}, err
	}
	return nil, fmt.Errorf("%q is neither a declared marketplace nor a directory.%s", o.to, hclspec.Suggest(o.to, set.Names()))
}

func (o *marketPublishOptions) report(done *marketplace.Published) {
	if len(done.Places) == 0 {
		o.streams.note("Already published with the same content; nothing to do.")
		return
	}
	for _, place := range done.Places {
		o.streams.done(document.Result{Subject: place, Result: "published"}, "Published "+place)
	}
	if done.Hidden {
		o.streams.note("The server does not list protected items. Refer to an item as marketplace://prerequisites/itemId/ID, where ID is the last part of its address.")
	}
	if done.WorkTree != "" {
		o.streams.note("Commit and push the file in %s.", done.WorkTree)
	}
}

// readItems checks an item file and prints its warnings.
func readItems(s *Streams, file string) (*marketplace.Publication, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	items, diags := marketplace.ParseFile(file, src)
	diags = append(diags, marketplace.Validate(items)...)
	if diags.HasErrors() {
		return nil, &diagnosticsError{diags: hclspec.Sort(diags), files: map[string][]byte{file: src}}
	}
	showDiagnostics(s, &diagnosticsError{diags: hclspec.Sort(diags), files: map[string][]byte{file: src}})
	for _, i := range items {
		i.File = filepath.Base(file)
	}
	return &marketplace.Publication{Name: file, Text: src, Items: items}, nil
}

type marketValidateOptions struct {
	streams *Streams
}

func newMarketplaceValidateCmd(s *Streams) *cobra.Command {
	o := &marketValidateOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "validate PATH...",
		Short: "Check item files or directories",
		Long: dedent(`
			Read item files and check each definition. The check does not use values of
			template variables and does not fetch requirements.

			Exit codes: 0 valid, possibly with warnings; 1 invalid.

			    openpai marketplace validate examples/marketplace
			    openpai marketplace validate install_wget.yaml mnist.yaml`),
		Args: arguments(1, anyNumber),
		RunE: func(_ *cobra.Command, args []string) error { return o.run(args) },
	}
	s.registerJSON(cmd, "the diagnostics")
	return cmd
}

func (o *marketValidateOptions) run(paths []string) error {
	all := &diagnosticsError{files: map[string][]byte{}}
	items, files := 0, 0
	for _, path := range paths {
		names, err := marketplace.Files(path)
		if err != nil {
			return err
		}
		for _, name := range names {
			src, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			found, diags := marketplace.ParseFile(name, src)
			all.files[name] = src
			all.diags = append(append(all.diags, diags...), marketplace.Validate(found)...)
			items, files = items+len(found), files+1
		}
	}
	all.diags = hclspec.Sort(all.diags)
	if all.diags.HasErrors() {
		return all
	}
	showDiagnostics(o.streams, &diagnosticsError{diags: all.diags, files: all.files})
	if o.streams.json != nil {
		o.streams.json.show(view.NewDiagnosticsDocument())
	}
	o.streams.note("Checked %s in %s: no errors, %s.", quantity.Count(items, "item"), quantity.Count(files, "file"), quantity.Count(warnings(all.diags), "warning"))
	return nil
}

func warnings(diags hcl.Diagnostics) int {
	n := 0
	for _, d := range diags {
		if d.Severity == hcl.DiagWarning {
			n++
		}
	}
	return n
}
