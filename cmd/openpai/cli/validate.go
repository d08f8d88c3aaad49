package cli

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

type validateOptions struct {
	streams   *Streams
	workspace workspaceFlags
	json      bool
}

func newValidateCmd(s *Streams) *cobra.Command {
	o := &validateOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "validate [PATH]",
		Short: "Check a workspace without looking at any cluster",
		Long: dedent(`
			Reads the files, evaluates them, resolves the prerequisites of every job and
			renders it. Every mistake is reported with its place. Needs no cluster, no
			network and no values of secrets.

			Exit codes: 0 valid (warnings included), 1 not valid.

			    openpai validate
			    openpai validate job.yaml --json`),
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := o.workspace.take(args); err != nil {
				return err
			}
			return o.run()
		},
	}
	o.workspace.register(cmd)
	o.workspace.registerDetail(cmd)
	o.workspace.registerStorages(cmd)
	cmd.Flags().BoolVar(&o.json, "json", false, "print the findings as JSON")
	cmd.MarkFlagsMutuallyExclusive("json", "detail")
	return cmd
}

func (o *validateOptions) run() error {
	loaded, jobs, diags := o.check()
	if o.json {
		return o.writeJSON(diags)
	}
	p := &project{loaded: loaded, detail: o.workspace.detail}
	if diags.HasErrors() {
		return p.diagnosticsError(diags)
	}
	p.show(o.streams, diags)
	fmt.Fprintf(o.streams.out, "The configuration is valid: %s, %s.\n", quantity.Count(len(jobs), "job"), quantity.Count(len(diags), "warning"))
	return nil
}

func (o *validateOptions) writeJSON(diags hcl.Diagnostics) error {
	out, err := view.DiagnosticsJSON(diags)
	if err != nil {
		return err
	}
	if _, err := o.streams.out.Write(out); err != nil {
		return err
	}
	if diags.HasErrors() {
		return exitWith(exitFailed)
	}
	return nil
}

// check goes as far as can be gone without a cluster.
func (o *validateOptions) check() (*workspace.Loaded, []*resolve.Job, hcl.Diagnostics) {
	loaded, jobs, diags := o.workspace.resolve()
	if !diags.HasErrors() {
		diags = append(diags, newOperation(loaded).Validate(jobs)...)
	}
	return loaded, jobs, hclspec.Sort(diags)
}
