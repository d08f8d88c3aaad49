// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

func newRunsDiffCmd(s *Streams) *cobra.Command {
	f := &jobFlags{streams: s}
	cmd := &cobra.Command{
		Use:   "diff RUN RUN [PATH]",
		Short: "Compare two runs",
		Long: dedent(`
			Compare the resolved jobs of two runs field by field, as plan does. The command
			also compares the variables, marketplace items, images, data, metrics and
			outcomes of the runs. It prints only the differences.

			Exit codes: 0 success, with or without differences; 1 error.

			    openpai runs diff 2 3
			    openpai runs diff job.train@2 job.eval@1 --json`),
		Args: arguments(2, 3),
		RunE: f.withRuns(2, func(ctx context.Context, h *runHistory, runs []operation.RecordedRun) error {
			h.operation.AddMetrics(ctx, runs...)
			return diffRuns(s, runs[0], runs[1])
		}),
	}
	f.registerRun(cmd)
	s.registerJSON(cmd, "the differences")
	return cmd
}

func diffRuns(s *Streams, before, after operation.RecordedRun) error {
	fields, known, err := runFields(before, after)
	if err != nil {
		return err
	}
	facts := output.FactDifferences(before, after)
	if s.json != nil {
		s.json.show(document.NewRunDifference(before, after, fields, known, facts))
		return nil
	}
	fmt.Fprintf(s.out, "%s -> %s\n\n", before.Reference(), after.Reference())
	switch {
	case !known:
		fmt.Fprintln(s.out, "  The resolved jobs cannot be compared, because a record does not contain the job.")
	case len(fields) == 0:
		fmt.Fprintln(s.out, "  The resolved jobs are identical.")
	}
	if err := view.Differences(s.out, fields, s.planText(false, "")); err != nil {
		return err
	}
	output.Facts(s.out, facts)
	return nil
}

// runFields compares resolved jobs. known is false if a record does not contain its
// job.
func runFields(before, after operation.RecordedRun) (fields []planner.FieldChange, known bool, err error) {
	a, err := before.Resolved()
	if err != nil {
		return nil, false, err
	}
	b, err := after.Resolved()
	if err != nil || a == nil || b == nil {
		return nil, false, err
	}
	return planner.Differences(a, b), true, nil
}
