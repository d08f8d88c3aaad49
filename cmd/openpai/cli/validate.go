// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"fmt"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

type validateOptions struct {
	streams   *Streams
	workspace workspaceFlags
	sarif     bool
}

func newValidateCmd(s *Streams) *cobra.Command {
	o := &validateOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "validate [PATH]",
		Short: "Check a workspace without contacting a cluster",
		Long: dedent(`
			Read and evaluate the files, then resolve the prerequisites of each job and
			render it. The command reports every error with its position. It needs no
			cluster, network or secret values.

			--sarif prints a SARIF 2.1.0 log for code scanners, with file paths relative to
			the root of the git repository.

			Exit codes: 0 valid, possibly with warnings; 1 invalid.

			    openpai validate
			    openpai validate job.yaml --json
			    openpai validate --sarif >openpai.sarif`),
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
	s.registerJSON(cmd, "the diagnostics")
	cmd.Flags().BoolVar(&o.sarif, "sarif", false, "print the diagnostics as SARIF, for code scanners")
	cmd.MarkFlagsMutuallyExclusive("json", "detail", "sarif")
	return cmd
}

func (o *validateOptions) run() error {
	loaded, jobs, diags := o.check()
	if o.sarif {
		return o.writeSARIF(diags)
	}
	if o.streams.json != nil {
		o.streams.json.show(view.NewDiagnosticsDocument())
	}
	p := &project{loaded: loaded, detail: o.workspace.detail}
	if diags.HasErrors() {
		return p.diagnosticsError(diags)
	}
	p.show(o.streams, diags)
	if o.streams.json != nil {
		return nil
	}
	fmt.Fprintf(o.streams.out, "The configuration is valid: %s, %s.\n", quantity.Count(len(jobs), "job"), quantity.Count(len(diags), "warning"))
	return nil
}

func (o *validateOptions) writeSARIF(diags hcl.Diagnostics) error {
	log, err := view.SARIF(diags, phrase.Of, o.streams.version, pathInRepository)
	if err != nil {
		return err
	}
	if _, err := o.streams.out.Write(log); err != nil {
		return err
	}
	if diags.HasErrors() {
		return exitWith(exitFailed)
	}
	return nil
}

// pathInRepository returns the path of a file relative to its closest ancestor
// directory that contains .git. Without such a directory, it returns the given
// path. The separators are slashes.
func pathInRepository(file string) string {
	absolute, err := filepath.Abs(file)
	if err != nil {
		return filepath.ToSlash(file)
	}
	for dir := filepath.Dir(absolute); ; dir = filepath.Dir(dir) {
		if present(filepath.Join(dir, ".git")) {
			inside, err := filepath.Rel(dir, absolute)
			if err != nil {
				break
			}
			return filepath.ToSlash(inside)
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return filepath.ToSlash(file)
}

// check runs all checks that do not need a cluster.
func (o *validateOptions) check() (*workspace.Loaded, []*resolve.Job, hcl.Diagnostics) {
	loaded, jobs, diags := o.workspace.resolve()
	if !diags.HasErrors() {
		diags = append(diags, newOperation(loaded, invocation{}).Validate(jobs)...)
	}
	return loaded, jobs, hclspec.Sort(diags)
}
