// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

type repairOptions struct {
	streams   *Streams
	workspace workspaceFlags
}

func newRepairCmd(s *Streams) *cobra.Command {
	o := &repairOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "repair [PATH]",
		Short: "Quarantine local jobs with unreadable files",
		Long: dedent(`
			End the tasks of jobs that "openpai status" shows as UNREADABLE, and move
			the files of these jobs to .openpai/quarantine. Other jobs are unaffected.
			The next apply submits the jobs again.

			The command also moves a damaged key for secret versions to
			.openpai/quarantine. Later plans cannot detect changes to secrets that
			were applied with this key, and treat these secrets as unchanged.

			Exit codes: 0 success, 1 error, 130 interrupted.

			    openpai repair
			    openpai repair experiments/mnist`),
		Args: cobra.ArbitraryArgs,
		RunE: o.workspace.runAt(o.run),
	}
	o.workspace.register(cmd)
	s.registerResults(cmd)
	return cmd
}

func (o *repairOptions) run(ctx context.Context) error {
	loaded, diags := o.workspace.load()
	if loaded.Dir == "" || loaded.Workspace.Name == "" {
		return (&project{loaded: loaded}).diagnosticsError(diags)
	}
	clusters, err := newOperation(loaded, invocation{}).Clusters()
	if err != nil {
		return err
	}
	found := false
	for _, name := range slices.Sorted(maps.Keys(clusters)) {
		r, ok := clusters[name].(cluster.Repairer)
		if !ok {
			continue
		}
		repaired, err := r.Repair(ctx, loaded.Workspace.Name)
		for _, p := range repaired {
			found = true
			o.streams.done(document.Result{Subject: p.What, Result: "moved", Detail: p.Aside}, fmt.Sprintf("%s: moved to %s", p.What, p.Aside))
		}
		if err != nil {
			return fmt.Errorf("repair cluster %s: %w", name, err)
		}
	}
	if !found {
		o.streams.note("All files are readable.")
	}
	return nil
}
