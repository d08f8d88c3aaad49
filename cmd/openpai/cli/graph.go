// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

type graphOptions struct {
	streams   *Streams
	workspace workspaceFlags
	jobs      []string
	format    string
}

var graphFormats = []string{"text", "dot", "mermaid", "svg"}

func newGraphCmd(s *Streams) *cobra.Command {
	o := &graphOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "graph [PATH] [ADDRESS...]",
		Short: "Show the requirements of each task role in start order",
		Long: dedent(`
			Show, for each task role, the prerequisites that it lists and their
			requirements, in start order and without duplicates. The output includes the
			images, storages and secrets in use. Format "dot" is for Graphviz, "mermaid"
			for many wikis, and "svg" for browsers and GitHub.

			Exit codes: 0 success, 1 error.

			    openpai graph
			    openpai graph --format svg >graph.svg`),
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := o.workspace.take(args); err != nil {
				return err
			}
			return o.run()
		},
	}
	o.workspace.register(cmd)
	o.workspace.acceptAddresses(&o.jobs)
	o.workspace.registerStorages(cmd)
	cmd.Flags().StringArrayVar(&o.jobs, "job", nil, "only the job with this `ADDRESS` or label; repeatable")
	cmd.Flags().StringVar(&o.format, "format", "text", "`FORMAT`: text, dot, mermaid or svg")
	s.registerJSON(cmd, "nodes and edges")
	cmd.MarkFlagsMutuallyExclusive("json", "format")
	return cmd
}

func (o *graphOptions) run() error {
	if !slices.Contains(graphFormats, o.format) {
		return fmt.Errorf("invalid --format %[2]q: use %[1]s.%[3]s", strings.Join(graphFormats, ", "), o.format, hclspec.Suggest(o.format, graphFormats))
	}
	p, err := o.workspace.open()
	if err != nil {
		return err
	}
	jobs, err := p.selectDeclared(o.jobs)
	if err != nil {
		return err
	}
	if o.streams.json != nil {
		p.show(o.streams, p.warnings)
		o.streams.json.show(document.NewGraph(jobs))
		return nil
	}
	switch o.format {
	case "dot":
		_, err = io.WriteString(o.streams.out, view.DOT(jobs))
	case "mermaid":
		_, err = io.WriteString(o.streams.out, view.Mermaid(jobs))
	case "svg":
		_, err = o.streams.out.Write(view.SVG(jobs))
	default:
		err = view.Graph(o.streams.out, jobs, view.TextOptions{Color: o.streams.color, Width: o.streams.width, Detail: true})
	}
	return err
}

// selectDeclared returns the named jobs, or all jobs if there are no names,
// in the order of declaration.
func (p *project) selectDeclared(names []string) ([]*resolve.Job, error) {
	all := make([]operation.Job, 0, len(p.jobs))
	for _, j := range p.jobs {
		all = append(all, operation.Job{Address: j.Address})
	}
	chosen, diags := choose(all, nil, names)
	if diags.HasErrors() {
		return nil, p.diagnosticsError(diags)
	}
	var jobs []*resolve.Job
	for _, j := range p.jobs {
		if slices.ContainsFunc(chosen, func(c operation.Job) bool { return c.Address == j.Address }) {
			jobs = append(jobs, j)
		}
	}
	return jobs, nil
}
