// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
)

type runsOptions struct{ jobFlags }

func newRunsCmd(s *Streams) *cobra.Command {
	o := &runsOptions{jobFlags: jobFlags{streams: s}}
	cmd := &cobra.Command{
		Use:   "runs [PATH] [ADDRESS...]",
		Short: "List the runs of jobs, and compare or repeat them",
		Long: dedent(`
			List all recorded runs of the jobs, oldest first, with outcome, duration and
			differences from the previous run. openpai keeps the records and logs when a
			job runs again, is replaced or is destroyed.

			A RUN is ADDRESS@NUMBER, such as job.train@3, or the first 8 digits of the
			UID that "runs show" prints. If only one job is selected, NUMBER is enough.

			Exit codes: 0 success, 1 error.

			    openpai runs
			    openpai runs job.train --json`),
		Args: cobra.ArbitraryArgs,
		RunE: o.workspace.runAt(o.list),
	}
	o.register(cmd, "show only runs of the job with this `ADDRESS` or label; repeatable")
	s.registerJSON(cmd, "the records")
	cmd.AddCommand(newRunsShowCmd(s), newRunsDiffCmd(s), newRunsLogsCmd(s), newRunsRepeatCmd(s), newRunsVerifyCmd(s), newRunsRemoveCmd(s))
	return cmd
}

func (o *runsOptions) list(ctx context.Context) error {
	h, err := o.open(ctx)
	if err != nil {
		return err
	}
	runs, err := h.chosen(o.jobs)
	if err != nil {
		return err
	}
	h.operation.AddMetrics(ctx, runs...)
	switch {
	case o.streams.json != nil:
		differs := func(i int) []string { return output.Differs(runs[:i], runs[i]) }
		o.streams.json.show(document.NewRuns(h.loaded.Workspace.Name, runs, differs))
	case len(runs) == 0 && h.unread == nil && o.workspace.remote.workspace != "":
		fmt.Fprintln(o.streams.out, sentence(emptyRemote(ctx, h.operation, h.loaded.Workspace.Name, "recorded runs")))
	case len(runs) == 0 && h.unread == nil:
		fmt.Fprintf(o.streams.out, "The workspace %q has no recorded runs.\n", h.loaded.Workspace.Name)
		showOtherWorkspaces(o.streams, "runs", h.loaded, h.operation)
	case len(runs) > 0:
		output.Runs(o.streams.out, runs, time.Now())
	}
	return h.unread
}

// runHistory holds the recorded runs of a workspace.
type runHistory struct {
	loaded    *workspace.Loaded
	operation *operation.Operation
	runs      []operation.RecordedRun
	// unread is the error for records that could not be read, or nil.
	unread error
	// invalid is the error in the files of the workspace, or nil.
	invalid error
}

func (f *jobFlags) open(ctx context.Context) (*runHistory, error) {
	loaded, invalid, err := f.workspace.identified(f.streams)
	if err != nil {
		return nil, err
	}
	h := &runHistory{loaded: loaded, invalid: invalid, operation: newOperation(loaded, f.workspace.invocation)}
	h.runs, h.unread = h.operation.Runs(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return h, nil
}

// chosen returns the runs of the jobs that names selects, or all runs if
// there are no names.
func (h *runHistory) chosen(names []string) ([]operation.RecordedRun, error) {
	if len(names) == 0 {
		return h.runs, nil
	}
	var chosen []operation.RecordedRun
	for _, r := range h.runs {
		if slices.ContainsFunc(names, func(n string) bool { return r.Address.Matches(address(n)) }) {
			chosen = append(chosen, r)
		}
	}
	if len(chosen) == 0 {
		if h.unread != nil {
			return nil, h.unread
		}
		return nil, &diagnosticsError{diags: hcl.Diagnostics{NoRuns.At(hcl.Range{}, "%s has no recorded runs.%s", strings.Join(names, ", "), h.knownJobs(names))}}
	}
	return chosen, nil
}

// knownJobs lists the jobs that have runs, and suggests a job with a similar
// name. Callers append the result to the error for a job without runs.
func (h *runHistory) knownJobs(wanted []string) string {
	var names []string
	for _, r := range h.runs {
		names = append(names, string(r.Address))
	}
	slices.SortFunc(names, hclspec.CompareNatural)
	if names = slices.Compact(names); len(names) == 0 {
		return ""
	}
	suggestion := ""
	if len(wanted) == 1 {
		suggestion = hclspec.SuggestAddress(address(wanted[0]), names)
	}
	return " Jobs with runs: " + quantity.List(names, "job") + "." + suggestion
}

func (h *runHistory) find(text string) (operation.RecordedRun, error) {
	reference, err := history.ParseReference(text, address)
	if err != nil {
		return operation.RecordedRun{}, &diagnosticsError{diags: hcl.Diagnostics{InvalidRun.At(hcl.Range{}, "%s", sentence(err.Error()))}}
	}
	records := make([]*history.Run, len(h.runs))
	for i, r := range h.runs {
		records[i] = r.Run
	}
	found, err := history.Find(records, reference, text)
	if err != nil {
		if h.unread != nil {
			return operation.RecordedRun{}, h.unread
		}
		return operation.RecordedRun{}, &diagnosticsError{diags: hcl.Diagnostics{NoRuns.At(hcl.Range{}, "%s", sentence(err.Error()))}}
	}
	return h.runs[slices.Index(records, found)], nil
}

// sentence converts an error text to a sentence.
func sentence(text string) string {
	return strings.ToUpper(text[:1]) + message.Sentence("%s", text[1:]).String()
}

// withRuns returns a command function for PATH and count RUN arguments. It
// passes the history of the workspace at PATH, and the selected runs, to run.
func (f *jobFlags) withRuns(count int, run func(context.Context, *runHistory, []operation.RecordedRun) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		references, rest, err := splitRuns(args, count)
		if err != nil {
			return err
		}
		return f.workspace.runAt(func(ctx context.Context) error {
			h, err := f.open(ctx)
			if err != nil {
				return err
			}
			var chosen []operation.RecordedRun
			for _, text := range references {
				r, err := h.find(text)
				if err != nil {
					return err
				}
				chosen = append(chosen, r)
			}
			return run(ctx, h, chosen)
		})(cmd, rest)
	}
}

// splitRuns recognizes RUNs by their spelling. count is the required number of RUNs.
// If args contains fewer RUNs, splitRuns returns the first count arguments, so that
// [runHistory.find] reports the invalid RUNs.
func splitRuns(args []string, count int) (runs, rest []string, err error) {
	for _, a := range args {
		if _, err := history.ParseReference(a, address); err == nil && !strings.ContainsAny(a, `/\`) {
			runs = append(runs, a)
			continue
		}
		rest = append(rest, a)
	}
	switch {
	case len(runs) > count:
		return nil, nil, fmt.Errorf("unexpected RUN %q; for a directory with that name, use ./%[1]s", runs[count])
	case len(runs) < count:
		return args[:count], args[count:], nil
	}
	return runs, rest, nil
}

// registerRun adds the flags that choose a workspace.
func (f *jobFlags) registerRun(cmd *cobra.Command) {
	f.workspace.register(cmd)
	f.workspace.registerRemote(cmd)
}
