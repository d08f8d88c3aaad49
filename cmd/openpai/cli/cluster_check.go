// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

type clusterCheckOptions struct {
	streams   *Streams
	workspace workspaceFlags
	cluster   string
}

func newClusterCheckCmd(s *Streams) *cobra.Command {
	o := &clusterCheckOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "check [PATH]",
		Short: "Check that a cluster meets the requirements of a workspace",
		Long: dedent(`
			Check each cluster that the workspace declares: whether FrameworkController
			is installed and running, which permissions you have, and whether the
			required storage claims, nodes and GPUs exist. The command does not write
			anything. If you lack permission for a check, its result is "unknown". In
			this case, ask an administrator to run the same command.

			Exit codes: 0 nothing is missing, 1 something is missing or an error occurred.

			    openpai cluster check
			    openpai cluster check --cluster gpu --json`),
		Args: cobra.ArbitraryArgs,
		RunE: o.workspace.runAt(o.run),
	}
	o.workspace.register(cmd)
	cmd.Flags().StringVar(&o.cluster, "cluster", "", "only the cluster with this `NAME`")
	s.registerJSON(cmd, "the results")
	return cmd
}

func (o *clusterCheckOptions) run(ctx context.Context) error {
	loaded, jobs, diags := o.workspace.resolve()
	if loaded.Dir == "" {
		return (&project{loaded: loaded}).diagnosticsError(diags)
	}
	if diags.HasErrors() {
		o.streams.warn(fmt.Sprintf("the configuration has errors, so the requirements of its jobs are not checked; see \"openpai validate%s\".", o.workspace.shownPath()))
	}
	declared, err := o.chosen(loaded)
	if err != nil {
		return err
	}
	all := []document.ClusterChecks{}
	op := newOperation(loaded, invocation{})
	for _, d := range declared {
		one, err := checkCluster(ctx, op, d.Name, jobs)
		if err != nil {
			return err
		}
		all = append(all, one)
	}
	if o.streams.json != nil {
		o.streams.json.show(document.NewChecks(all))
	} else {
		output.Checks(o.streams.out, all)
	}
	return exitWith(missingCode(all))
}

// chosen returns the declared clusters to check.
func (o *clusterCheckOptions) chosen(loaded *workspace.Loaded) ([]*hclspec.Cluster, error) {
	var names []string
	for _, c := range loaded.Workspace.Clusters {
		if c.Name == o.cluster {
			return []*hclspec.Cluster{c}, nil
		}
		names = append(names, c.Name)
	}
	switch {
	case len(names) == 0:
		return nil, errors.New(`the workspace declares no cluster; add a block such as: cluster "gpu" { namespace = "..." }`)
	case o.cluster != "":
		return nil, fmt.Errorf("the workspace does not declare the cluster %q.%s", o.cluster, hclspec.Suggest(o.cluster, names))
	}
	return loaded.Workspace.Clusters, nil
}

func checkCluster(ctx context.Context, o *operation.Operation, name string, jobs []*resolve.Job) (document.ClusterChecks, error) {
	found, err := o.CheckCluster(ctx, name, jobs)
	if err != nil {
		return document.ClusterChecks{}, err
	}
	namespace, err := o.Namespace(name)
	return document.NewClusterChecks(name, namespace, found), err
}

func missingCode(all []document.ClusterChecks) int {
	for _, c := range all {
		for _, f := range c.Checks {
			if f.Result == cluster.ResultMissing {
				return exitFailed
			}
		}
	}
	return exitOK
}
