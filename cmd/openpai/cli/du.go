// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
)

func newDUCmd(s *Streams) *cobra.Command {
	f := &jobFlags{streams: s}
	cmd := &cobra.Command{
		Use:   "du [PATH]",
		Short: "Show the disk usage of the workspace",
		Long: dedent(`
			For each cluster of the workspace, print the number and size of run records.
			For this machine, also print the number and size of jobs, downloads,
			marketplace items, modules, program copies and run logs. "openpai gc" removes
			old data.

			Exit codes: 0 success, 1 error.

			    openpai du
			    openpai du experiments --json`),
		Args: arguments(0, 1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return f.workspace.runAt(func(ctx context.Context) error {
			loaded, err := f.workspace.named(s)
			if err != nil {
				return err
			}
			disks, err := newOperation(loaded, f.workspace.invocation).DiskUse(ctx)
			if err != nil {
				return err
			}
			showDiskUse(s, disks)
			return nil
		})(cmd, args)
	}
	f.registerRun(cmd)
	s.registerJSON(cmd, "the disk usage")
	return cmd
}

func showDiskUse(s *Streams, disks []operation.ClusterDisk) {
	rows := [][]string{{"CLUSTER", "WHAT", "COUNT", "SIZE"}}
	var kept []document.KeptData
	for _, d := range disks {
		rows = append(rows, diskRows(d.Cluster, d.Use)...)
		for _, u := range d.Use {
			kept = append(kept, document.KeptData{Cluster: d.Cluster, Kind: string(u.Kind), Count: u.Count, Bytes: u.Bytes})
		}
	}
	if s.json != nil {
		s.json.show(document.NewDiskUse(kept))
		return
	}
	output.Table(s.out, rows)
}

func diskRows(name string, use []cluster.DiskUse) [][]string {
	var rows [][]string
	var all cluster.DiskUse
	for _, u := range use {
		rows = append(rows, []string{name, string(u.Kind), strconv.Itoa(u.Count), quantity.Bytes(u.Bytes)})
		all.Count += u.Count
		all.Bytes += u.Bytes
	}
	if len(use) > 1 {
		rows = append(rows, []string{name, "total", strconv.Itoa(all.Count), quantity.Bytes(all.Bytes)})
	}
	return rows
}
