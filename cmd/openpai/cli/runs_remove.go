// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
)

type runsRemoveOptions struct {
	jobFlags
	autoApprove bool
}

func newRunsRemoveCmd(s *Streams) *cobra.Command {
	o := &runsRemoveOptions{jobFlags: jobFlags{streams: s}}
	cmd := &cobra.Command{
		Use:   "rm RUN [PATH]",
		Short: "Remove the record and the logs of a run",
		Long: dedent(`
			Remove the record and the logs of a run. The number of the run is not reused.
			The run must have finished. "openpai destroy --forget" removes the whole
			history.

			If the record is damaged or has a newer format, the command prints the file
			and version of the record, and asks before it removes the record.

			Exit codes: 0 removed, 1 error.

			    openpai runs rm 3
			    openpai runs rm job.train@3 experiments`),
		Args: arguments(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			references, rest, err := splitRuns(args, 1)
			if err != nil {
				return err
			}
			return o.workspace.runAt(func(ctx context.Context) error { return o.run(ctx, references[0]) })(cmd, rest)
		},
	}
	o.registerRun(cmd)
	cmd.Flags().BoolVar(&o.autoApprove, "auto-approve", false, "do not ask before removing an unreadable record")
	s.registerResults(cmd)
	return cmd
}

func (o *runsRemoveOptions) run(ctx context.Context, text string) error {
	h, err := o.open(ctx)
	if err != nil {
		return err
	}
	r, err := h.find(text)
	if err != nil && errors.As(h.unread, new(*history.FormatError)) {
		return o.removeDamaged(ctx, h, text, err)
	}
	if err != nil {
		return err
	}
	if operation.Unread(h.unread, r.On) {
		return h.unread // the job of the run, and a record with logs, may be on the unread cluster
	}
	if !r.Over() {
		return fmt.Errorf("%s has not finished; stop it with \"openpai stop %s\"", r.Reference(), phrase.JobArgument(string(r.Address)))
	}
	if err := h.operation.RemoveRun(ctx, r); err != nil {
		return err
	}
	o.streams.done(document.Result{Subject: r.Reference(), Result: "removed"}, r.Reference()+": removed")
	return nil
}

// removeDamaged removes an unreadable record from the history and from the run record
// directory. If there is no such record, it returns notFound.
func (o *runsRemoveOptions) removeDamaged(ctx context.Context, h *runHistory, text string, notFound error) error {
	all, err := h.damaged(ctx, text, notFound)
	if err != nil {
		return err
	}
	for _, d := range all {
		if over, err := d.Over(ctx); err != nil || !over {
			return cmp.Or(err, fmt.Errorf("run %d has not finished; stop its job first", d.Number))
		}
		if d.Short != all[0].Short {
			return fmt.Errorf("%q is ambiguous: several unreadable records have this number; use the 8 UID digits at the end of the file name instead", text)
		}
		if !o.autoApprove {
			fmt.Fprintf(o.streams.err, "Run %d cannot be read: %s.\n", d.Number, d.Problem)
		}
	}
	if !o.autoApprove {
		if err := confirm(ctx, o.streams, "Remove this record and its logs?", "--auto-approve"); err != nil {
			return err
		}
	}
	for _, d := range all {
		if err := d.Remove(ctx); err != nil {
			return err
		}
		o.streams.done(document.Result{Subject: d.Problem.Name, Result: "removed"}, d.Problem.Name+": removed")
	}
	return nil
}

// damaged returns the unreadable records for an argument. If there are none, it
// returns notFound.
func (h *runHistory) damaged(ctx context.Context, text string, notFound error) ([]operation.DamagedRun, error) {
	reference, err := history.ParseReference(text, address)
	if err != nil {
		return nil, notFound
	}
	all, err := h.operation.DamagedRuns(ctx)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(d operation.DamagedRun) bool { return !h.refersTo(reference, d) })
	if len(all) == 0 {
		return nil, notFound
	}
	return all, nil
}

// refersTo reports whether a reference selects an unreadable record. If the name
// of the record does not contain an address, the record has the addresses of the
// readable runs of the same Framework. Without such runs, any address selects
// the record.
func (h *runHistory) refersTo(reference history.Reference, d operation.DamagedRun) bool {
	switch {
	case reference.Number > 0 && reference.Number != d.Number, reference.Short != "" && reference.Short != d.Short:
		return false
	case reference.Address == "" || d.Address != "":
		return reference.Address == "" || reference.Address == d.Address
	}
	known, same := false, false
	for _, r := range h.runs {
		known = known || r.Framework == d.Framework
		same = same || r.Framework == d.Framework && r.Address == reference.Address
	}
	return same || !known
}
