// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/registry"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func newRunsRepeatCmd(s *Streams) *cobra.Command {
	f := &jobFlags{streams: s}
	o := &runOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "repeat RUN [PATH]",
		Short: "Submit the recorded job of a run again",
		Long: dedent(`
			Submits the recorded job of a run, ignoring the current files. Like "run", it
			shows the plan, asks before it deletes a job, and copies the logs until the job
			has finished; only the log goes to standard output. The repetition becomes the
			next run of the job. Secrets have their current values.

			While it runs, "plan" shows that the job differs from the files, and "apply"
			does not change it; afterwards the job is outdated. The job must have finished.

			Exit codes: the exit code of the job; 125 when openpai itself failed; 130
			interrupted.

			    openpai runs repeat 2
			    openpai runs repeat job.train@2 --auto-approve`),
		Args:        arguments(1, 2),
		Annotations: map[string]string{annotationFailure: "tool"},
		RunE: func(cmd *cobra.Command, args []string) error {
			f.workspace.invoked(cmd)
			if err := f.workspace.take(args[1:]); err != nil {
				return err
			}
			i, stop := watchInterrupts(cmd.Context())
			defer stop()
			return repeatRun(i, f, o, args[0])
		},
	}
	f.registerRun(cmd)
	f.workspace.registerStorages(cmd)
	cmd.Flags().BoolVar(&o.autoApprove, "auto-approve", false, "do not ask before deleting jobs or ending running tasks")
	s.registerEvents(cmd)
	cmd.Flags().BoolVar(&o.runtimeLog, "runtime-log", false, "also show the runtime log: prerequisites, callbacks and their output")
	return cmd
}

// repeatRun plans, applies and follows the job of a recorded run.
func repeatRun(i *interrupts, f *jobFlags, o *runOptions, text string) error {
	h, err := f.open(i.first)
	if err != nil {
		return err
	}
	r, err := h.find(text)
	if err != nil {
		return err
	}
	for _, other := range h.runs {
		if other.Address == r.Address && !other.Over() {
			return fmt.Errorf("%s has not finished; stop it with \"openpai stop%s %s\"", other.Reference(), f.workspace.shownPath(), other.Address)
		}
	}
	job, err := h.operation.Recall(r, currentUser())
	if err != nil {
		return err
	}
	if err := runSources().Missing(i.first, r.Reference(), job); err != nil {
		return err
	}
	warnUnpinned(f.streams, r)
	p := &project{loaded: h.loaded, jobs: []*resolve.Job{job}, operation: h.operation}
	plan, err := p.planRequest(i.first, operation.Request{
		Jobs: p.jobs, Targets: []hclspec.Address{r.Address}, Rerun: []hclspec.Address{r.Address},
	})
	if err != nil {
		return err
	}
	o.workspace = f.workspace
	o.repeatOf = map[hclspec.Address]*history.Run{r.Address: r.Run}
	return o.carryOut(i, p, plan)
}

// runSources returns the functions that ask registries and servers for the inputs of a
// run.
func runSources() operation.Sources {
	return operation.Sources{
		Digest: registry.Remote{}.Digest,
		Gone:   func(err error) bool { return errors.Is(err, registry.ErrMissing) },
		Sum: func(ctx context.Context, url string) (string, error) {
			sum, _, err := marketplace.Digest(ctx, url, marketplace.Options{})
			return sum, err
		},
	}
}

func warnUnpinned(s *Streams, r operation.RecordedRun) {
	for _, what := range r.Unpinned() {
		fmt.Fprintf(s.err, "Note: %s; a repetition may use different content.\n", what)
	}
}

func newRunsVerifyCmd(s *Streams) *cobra.Command {
	f := &jobFlags{streams: s}
	offline := false
	cmd := &cobra.Command{
		Use:   "verify RUN [PATH]",
		Short: "Check that a run can be repeated",
		Long: dedent(`
			Checks that the record contains the job, that the workspace still declares the
			cluster, secrets and storages of the run, and that a plan of the repetition has
			no errors. It starts nothing. It looks up images in their registries, and reads
			downloads to compare their hashes, unless --offline is set. It lists images and
			downloads that the record does not pin. Marketplace items are not needed: the
			record contains their content.

			Exit codes: 0 the run can be repeated, 1 it cannot be repeated, or an error.

			    openpai runs verify 2
			    openpai runs verify job.train@2 experiments --offline`),
		Args: arguments(1, 2),
		RunE: f.withRuns(1, func(ctx context.Context, h *runHistory, runs []operation.RecordedRun) error {
			return verifyRun(ctx, s, h, runs[0], offline)
		}),
	}
	f.registerRun(cmd)
	f.workspace.registerStorages(cmd)
	s.registerResults(cmd)
	cmd.Flags().BoolVar(&offline, "offline", false, "contact no registry or server")
	return cmd
}

func verifyRun(ctx context.Context, s *Streams, h *runHistory, r operation.RecordedRun, offline bool) error {
	job, err := h.operation.Recall(r, currentUser())
	if err != nil {
		return err
	}
	p := &project{loaded: h.loaded, jobs: []*resolve.Job{job}, operation: h.operation}
	plan, err := p.planRequest(ctx, operation.Request{Jobs: p.jobs, Targets: []hclspec.Address{r.Address}, Rerun: []hclspec.Address{r.Address}})
	if err != nil {
		return err
	}
	if missing := h.operation.Unavailable(plan); missing.HasErrors() {
		return p.diagnosticsError(missing)
	}
	if !offline {
		if err := runSources().Verify(ctx, r, job); err != nil {
			return err
		}
	}
	warnUnpinned(s, r)
	s.done(document.Result{Subject: r.Reference(), Result: "verified"}, r.Reference()+" can be repeated.")
	return nil
}
