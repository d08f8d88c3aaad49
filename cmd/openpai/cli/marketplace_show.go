// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
)

type marketShowOptions struct {
	streams *Streams
	flags   marketFlags
	source  bool
}

func newMarketplaceShowCmd(s *Streams) *cobra.Command {
	o := &marketShowOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "show REFERENCE",
		Short: "Show an item with its variables, requirements and storages",
		Long: dedent(`
			Show an item. REFERENCE is a name, marketplace://name/x, marketplace://data/x,
			an id such as marketplace://prerequisites/itemId/1, or the URL of an item file.

			Exit codes: 0 success, 1 error.

			    openpai marketplace show marketplace://script/install_wget
			    openpai marketplace show --source marketplace://name/debug_hook`),
		Args: arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := interruptible(cmd)
			defer stop()
			return o.run(ctx, fullReference(args[0]))
		},
	}
	o.flags.register(cmd)
	cmd.Flags().BoolVar(&o.source, "source", false, "print the original file of the item")
	s.registerJSON(cmd, "the item")
	cmd.MarkFlagsMutuallyExclusive("json", "source")
	return cmd
}

// fullReference expands a bare name to marketplace://name/NAME.
func fullReference(input string) string {
	if marketplace.IsReference(input) {
		return input
	}
	return marketplace.Reference{Name: input}.String()
}

func (o *marketShowOptions) run(ctx context.Context, reference string) error {
	loaded, set, err := o.flags.open(o.streams)
	if err != nil {
		return err
	}
	found, err := set.Find(ctx, reference, marketplace.Any)
	if err != nil {
		return itemFailure(reference, loaded.Advised(err))
	}
	if o.source {
		return o.streams.writeFile(found.Text)
	}
	never := func(string) (*marketplace.Known, error) { return nil, nil }
	closure := set.Closure(ctx, []string{found.Address}, marketplace.Any, never)
	if err := ctx.Err(); err != nil {
		return err
	}
	c := card{o.streams, closure}
	if o.streams.json != nil {
		o.streams.json.show(c.document(found))
	} else {
		c.show(found)
	}
	for _, x := range closure.Failures {
		o.streams.warn(fmt.Sprintf("cannot read %s: %s.", output.Clean(x.Reference), output.Clean(x.Err.Error())))
	}
	return nil
}

func (c card) document(f *marketplace.Found) *document.Item {
	d := document.NewItem(f, c.closure)
	rows, _ := c.mounts(f)
	for _, row := range rows {
		d.Storages = append(d.Storages, document.Storage{Name: row[0], MountPath: row[1], By: row[2]})
	}
	return d
}

// card prints an item with its transitive requirements.
type card struct {
	*Streams
	closure *marketplace.Closure
}

func (c card) show(f *marketplace.Found) {
	w := c.out
	fmt.Fprintf(w, "%s\n\n", output.Clean(cmp.Or(f.Title, f.Name)))
	for _, row := range [][2]string{
		{"reference", f.Address}, {"type", f.Type}, {"version", f.Version}, {"author", f.Author}, {"tags", strings.Join(f.Tags, ", ")},
		{"visibility", f.Visibility}, {"id", f.ID}, {"source", f.Place}, {"hash", f.Hash()},
	} {
		if row[1] != "" {
			fmt.Fprintf(w, "  %-11s %s\n", row[0], output.Clean(row[1]))
		}
	}
	paragraph(w, "", f.Summary)
	paragraph(w, "", f.Description)
	paragraph(w, "Usage", f.Usage)
	if f.Prerequisite != nil {
		c.variables(f.Prerequisite)
	}
	if f.Job != nil {
		c.values(document.NewValues(f.Item), f.Job)
	}
	c.graph(f)
	c.storages(f)
}

// paragraph prints a string with its line breaks, below the title if there is
// one.
func paragraph(w io.Writer, title, s string) {
	if strings.TrimSpace(s) == "" {
		return
	}
	fmt.Fprintln(w)
	if title != "" {
		fmt.Fprintln(w, title+":")
	}
	for _, line := range strings.Split(strings.TrimSpace(s), "\n") {
		fmt.Fprintln(w, strings.TrimRight("  "+output.Clean(line), " "))
	}
}

func (c card) variables(p *hclspec.Prerequisite) {
	if len(p.TemplateVariables) == 0 {
		return
	}
	fmt.Fprintln(c.out, "\nTemplate variables:")
	rows := [][]string{}
	for _, v := range p.TemplateVariables {
		value := "required"
		if v.Default != nil {
			value = fmt.Sprintf("default %q", *v.Default)
		}
		if v.Pattern != "" {
			value += ", matches " + v.Pattern
		}
		rows = append(rows, []string{"  " + v.Name, value, v.Description})
	}
	indented(c.out, rows)
}

// values prints the values that users can set, with their defaults.
func (c card) values(values []document.Value, job *hclspec.Job) {
	rows := [][]string{}
	for _, v := range values {
		rows = append(rows, []string{"  --var " + v.Name, "default " + string(v.Default), v.Description})
	}
	if len(job.Deployments) > 0 {
		var names []string
		for _, d := range job.Deployments {
			names = append(names, d.Name)
		}
		rows = append(rows, []string{"  --deployment", "default " + cmp.Or(job.DefaultDeployment, "none"), "one of " + strings.Join(names, ", ")})
	}
	rows = append(rows, []string{"  --virtual-cluster", "default " + cmp.Or(job.VirtualCluster, "default")}, []string{"  --name", "default " + job.Name})
	fmt.Fprintln(c.out, "\nCan be set at submission:")
	indented(c.out, rows)
}

// indented prints an indented table. It adds the indent to the output of
// output.Table, which removes leading spaces.
func indented(w io.Writer, rows [][]string) {
	var b strings.Builder
	output.Table(&b, rows)
	for line := range strings.Lines(b.String()) {
		fmt.Fprintln(w, strings.TrimRight("  "+line, " \n"))
	}
}

// graph prints the requirements as a tree, in declaration order.
func (c card) graph(f *marketplace.Found) {
	if len(c.closure.Requires[f.Address]) == 0 {
		return
	}
	fmt.Fprintln(c.out, "\nRequires:")
	t := &requireTree{card: c, entered: map[string]bool{}}
	t.branch(f.Address, []string{f.Address})
}

// requireTree prints the requirements of every item only once. The number of paths
// through shared items can be exponential.
type requireTree struct {
	card
	entered map[string]bool
}

// branch prints the requirements of address. way contains the addresses from
// the root to this item.
func (t *requireTree) branch(address string, way []string) {
	t.entered[address] = true
	for _, needed := range t.closure.Requires[address] {
		version, remark := "", ""
		if f := t.closure.Item(needed); f != nil && f.Version != "" {
			version = " " + output.Clean(f.Version)
		}
		switch {
		case slices.Contains(way, needed):
			version, remark = "", " (cycle: it requires itself)"
		case t.entered[needed] && len(t.closure.Requires[needed]) > 0:
			remark = " (see above)"
		}
		fmt.Fprintf(t.out, "%s%s%s%s\n", strings.Repeat("  ", len(way)), output.Clean(needed), version, remark)
		if !t.entered[needed] {
			t.branch(needed, append(slices.Clone(way), needed))
		}
	}
}
