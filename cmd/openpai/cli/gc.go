// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
)

// gcOptions are the limits for runs, logs, records and downloads.
type gcOptions struct {
	operation.CollectOptions
	olderThan  since
	downloadMB int64
}

func newGCCmd(s *Streams) *cobra.Command {
	f := &jobFlags{streams: s}
	o := &gcOptions{olderThan: since{now: time.Now}}
	cmd := &cobra.Command{
		Use:   "gc [PATH]",
		Short: "Remove old runs, downloads, program copies, items and modules",
		Long: dedent(`
			Remove runs that exceed the limits, oldest first. The command prints each run
			with its size, up to 20 lines for each kind of data; --json prints all. The
			defaults are the limits that apply uses: 20 runs per job and 2 GiB of logs on
			the local cluster, 32 MiB of records on Kubernetes. The command always keeps
			the record and logs of each job's latest run.

			On this machine, it also removes unused copies of the program, and items and
			modules that the lock file does not list. With --older-than or
			--max-downloads-mb, it also removes the least recently used downloads. "openpai
			du" prints the disk usage.

			Exit codes: 0 success, 1 error.

			    openpai gc --dry-run
			    openpai gc experiments --keep 5 --max-logs-mb 100
			    openpai gc --older-than 720h --max-downloads-mb 10240`),
		Args: arguments(0, 1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return f.workspace.runAt(func(ctx context.Context) error { return collect(ctx, f, o) })(cmd, args)
	}
	f.registerRun(cmd)
	flags := cmd.Flags()
	flags.IntVar(&o.Runs, "keep", 0, "`NUMBER` of runs to keep per job; 0 uses the default")
	flags.Int64Var(&o.LogMB, "max-logs-mb", 0, "maximum `SIZE` of all logs in MiB; 0 uses the default")
	flags.Int64Var(&o.RecordMB, "max-records-mb", 0, "maximum `SIZE` of all records in MiB; 0 uses the default")
	flags.Int64Var(&o.downloadMB, "max-downloads-mb", 0, "maximum `SIZE` of all downloads in MiB; 0 means no limit")
	flags.Var(&o.olderThan, "older-than", "remove runs and downloads older than `TIME`: a duration such as 720h, or an RFC 3339 time")
	flags.BoolVar(&o.DryRun, "dry-run", false, "only print the data that would be removed")
	s.registerResults(cmd)
	return cmd
}

// collect removes old runs and other old data, and prints each removal.
func collect(ctx context.Context, f *jobFlags, o *gcOptions) error {
	if min(int64(o.Runs), o.LogMB, o.RecordMB, o.downloadMB) < 0 {
		return fmt.Errorf("--keep and the maximum sizes must be 0 or more")
	}
	o.Before = o.olderThan.Time
	h, err := f.open(ctx)
	if err != nil {
		return err
	}
	removed, err := h.operation.Collect(ctx, o.CollectOptions)
	if err != nil {
		return err
	}
	items, modules := lockedHashes(h.loaded)
	disks, err := h.operation.CleanDisk(ctx, cluster.DiskLimits{Before: o.Before, DownloadBytes: o.downloadMB << 20, Items: items, Modules: modules}, o.DryRun)
	if err != nil {
		return err
	}
	verb := "removed"
	if o.DryRun {
		verb = "would be removed"
	}
	h.showCollected(f.streams, removed.Runs, verb)
	h.showCollected(f.streams, removed.Logs, "logs "+verb)
	f.streams.note("%s and the logs of %d other runs %s: %s.", quantity.Count(len(removed.Runs), "run"), len(removed.Logs), verb, quantity.Bytes(removed.Bytes()))
	for _, d := range disks {
		for _, u := range d.Use {
			showCleaned(f.streams, u, verb)
		}
	}
	return nil
}

// maxCollected is the maximum number of lines for one kind of data. --json prints all.
const maxCollected = 20

// showCollected prints each run with its size and a result, such as "removed".
// For a run with an unreadable record, showCollected prints the key of the run.
func (h *runHistory) showCollected(s *Streams, sizes map[history.Key]int64, result string) {
	var all []cluster.DiskFile
	for k, bytes := range sizes {
		name := k.String()
		if i := slices.IndexFunc(h.runs, func(r operation.RecordedRun) bool { return r.Key() == k }); i >= 0 {
			name = h.runs[i].Reference()
		}
		all = append(all, cluster.DiskFile{Path: name, Bytes: bytes})
	}
	slices.SortFunc(all, func(a, b cluster.DiskFile) int {
		return cmp.Or(hclspec.CompareNatural(a.Path, b.Path), cmp.Compare(a.Bytes, b.Bytes))
	})
	showEach(s, all, result)
}

func showCleaned(s *Streams, u cluster.DiskUse, verb string) {
	if u.Count == 0 {
		return
	}
	showEach(s, u.Files, verb)
	s.note("%d %s %s: %s.", u.Count, u.Kind, verb, quantity.Bytes(u.Bytes))
}

func showEach(s *Streams, all []cluster.DiskFile, result string) {
	for i, f := range all {
		if s.json == nil && i == maxCollected {
			s.note("and %d more; see --json", len(all)-i)
			return
		}
		size := quantity.Bytes(f.Bytes)
		s.done(document.Result{Subject: f.Path, Result: result, Detail: size}, fmt.Sprintf("%s: %s, %s", output.Clean(f.Path), result, size))
	}
}

// lockedHashes returns the hashes in the lock file, or nil if the lock file
// cannot be read.
func lockedHashes(loaded *workspace.Loaded) (items, modules map[string]bool) {
	lock, diags := loaded.Lock()
	if diags.HasErrors() {
		return nil, nil
	}
	items, modules = map[string]bool{}, map[string]bool{}
	for _, e := range lock.Items {
		items[e.Hash] = true
	}
	for _, m := range lock.Modules {
		modules[m.Hash] = true
	}
	return items, modules
}
