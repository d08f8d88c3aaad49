// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/registry"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func newRunsRepeatCmd(s *Streams) *cobra.Command {
	f := &jobFlags{streams: s}
	o := &runOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "repeat RUN [PATH]",
		Short: "Repeat a run: submit its recorded job again",
		Long: dedent(`
			Submit the recorded job of a run, ignoring the current files. Like "run", the
			command shows the plan, asks before it deletes a job, and copies the logs to
			standard output until the job has finished. All other output goes to standard
			error. The repetition becomes the next run of the job. It uses the recorded
			image digests and git commits instead of tags, but the current values of
			secrets. The command does not submit the job if an image no longer exists, or
			if data has changed since the run.

			While the repetition runs, "plan" shows that the job differs from the files,
			but "apply" does not change the job. When the repetition has finished, the
			job is outdated. You can repeat a run only when the job has finished.

			Exit codes: the exit code of the job; 125 when openpai itself fails; 130
			interrupted.

			    openpai runs repeat 2
			    openpai runs repeat job.train@2 --auto-approve`),
		Args:        arguments(1, 2),
		Annotations: map[string]string{annotationFailure: "tool"},
		RunE: func(cmd *cobra.Command, args []string) error {
			references, rest, err := splitRuns(args, 1)
			if err != nil {
				return err
			}
			f.workspace.invoked(cmd)
			if err := f.workspace.take(rest); err != nil {
				return err
			}
			i, stop := watchInterrupts(cmd.Context())
			defer stop()
			return repeatRun(i, f, o, references[0])
		},
	}
	f.registerRun(cmd)
	f.workspace.registerStorages(cmd)
	cmd.Flags().BoolVar(&o.autoApprove, "auto-approve", false, "do not ask before deleting jobs or ending running tasks")
	s.registerEvents(cmd)
	cmd.Flags().BoolVar(&o.runtimeLog, "runtime-log", false, "also show the runtime log: prerequisites, callbacks and their output")
	return cmd
}

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
	job, err := h.recall(r)
	if err != nil {
		return err
	}
	unchecked, err := h.sources().Missing(i.first, r, job)
	if err != nil {
		return err
	}
	warnUnpinned(f.streams, r, unchecked)
	p, plan, err := h.planRepetition(i.first, r, job)
	if err != nil {
		return err
	}
	noteSecrets(f.streams, r, plan)
	o.workspace = f.workspace
	return o.carryOut(i, p, plan)
}

// recall returns the recorded job of a run. It returns the errors in the files if
// they hide part of the workspace, such as a module that was not fetched.
func (h *runHistory) recall(r operation.RecordedRun) (*resolve.Job, error) {
	job, err := h.operation.Recall(r, currentUser())
	var lacking *operation.Unrepeatable
	if errors.As(err, &lacking) && len(r.Job) > 0 && h.invalid != nil {
		return nil, h.invalid
	}
	return job, err
}

func (h *runHistory) planRepetition(ctx context.Context, r operation.RecordedRun, job *resolve.Job) (*project, *operation.Plan, error) {
	p := &project{loaded: h.loaded, jobs: []*resolve.Job{job}, operation: h.operation}
	plan, err := p.planRequest(ctx, operation.Request{
		Jobs: p.jobs, Targets: []hclspec.Address{r.Address}, RepeatOf: map[hclspec.Address]*history.Run{r.Address: r.Run},
	})
	return p, plan, err
}

// sources returns functions that look up the inputs of a run in registries and
// servers.
func (h *runHistory) sources() operation.Sources {
	return operation.Sources{
		Digest: registry.Remote{}.Digest,
		Gone: func(err error) bool {
			return errors.Is(err, registry.ErrMissing) || marketplace.Is(err, hclspec.ItemNotFound)
		},
		Sum: func(ctx context.Context, url string) (string, error) {
			sum, _, err := marketplace.Digest(ctx, url, marketplace.Options{})
			return sum, err
		},
		Commit: func(ctx context.Context, repository, ref string) (string, error) {
			return marketplace.AvailableCommit(ctx, repository, ref, marketplace.Options{Environ: os.Environ()})
		},
		Directory: h.loaded.Dir,
	}
}

// warnUnpinned prints a note for each input that the record does not pin or
// that was not compared.
func warnUnpinned(s *Streams, r operation.RecordedRun, unchecked []string) {
	for _, what := range append(r.Unpinned(), unchecked...) {
		fmt.Fprintf(s.err, "Note: %s; a repetition may use different content.\n", what)
	}
}

// noteSecrets prints the names of secrets that have changed since the repeated
// run, or that cannot be compared.
func noteSecrets(s *Streams, r operation.RecordedRun, plan *operation.Plan) {
	for _, c := range plan.Changes {
		for _, secret := range c.Secrets {
			before := r.SecretVersion(secret.Name)
			if c.Address != r.Address || before.Version == "" {
				continue
			}
			switch before.Compare(currentVersion(plan, c, secret)) {
			case planner.SecretChanged:
				fmt.Fprintf(s.err, "Note: the value of the secret %q has changed since %s; the new run uses the current value.\n", secret.Name, r.Reference())
			case planner.SecretNotChecked:
				fmt.Fprintf(s.err, "Note: the value of the secret %q cannot be compared with the value in %s; the new run uses the current value.\n", secret.Name, r.Reference())
			}
		}
	}
}

// currentVersion returns an empty version if the value cannot be checked.
func currentVersion(plan *operation.Plan, c *planner.Change, secret planner.SecretChange) history.SecretVersion {
	live := plan.Live[c.Cluster]
	if secret.State == planner.SecretNotChecked || live == nil {
		return history.SecretVersion{}
	}
	return history.SecretVersion{Version: secret.Version, Key: planner.SecretKeyID(live.SecretKey)}
}

func newRunsVerifyCmd(s *Streams) *cobra.Command {
	f := &jobFlags{streams: s}
	offline := false
	cmd := &cobra.Command{
		Use:   "verify RUN [PATH]",
		Short: "Check whether a run can be repeated",
		Long: dedent(`
			Check that the record contains the job, that the workspace still declares
			the cluster, secrets and storages of the run, and that a plan for the
			repetition has no errors. The command starts no task. It compares the hashes
			of workspace files with the record. Unless --offline is set, the command
			also looks up images in their registries, looks up commits in their
			repositories, and reads downloads to compare their hashes. It lists images
			and downloads that the record does not pin. Marketplace items are not
			needed, because the record contains their content.

			Exit codes: 0 the run can be repeated, 1 error or the run cannot be repeated.

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
	cmd.Flags().BoolVar(&offline, "offline", false, "do not contact any registry or server")
	return cmd
}

func verifyRun(ctx context.Context, s *Streams, h *runHistory, r operation.RecordedRun, offline bool) error {
	job, err := h.recall(r)
	if err != nil {
		return err
	}
	p, plan, err := h.planRepetition(ctx, r, job)
	if err != nil {
		return err
	}
	if missing := h.operation.Unavailable(plan); missing.HasErrors() {
		return p.diagnosticsError(missing)
	}
	unchecked, err := h.sources().Verify(ctx, r, job, offline)
	if err != nil {
		return err
	}
	warnUnpinned(s, r, unchecked)
	noteSecrets(s, r, plan)
	s.done(document.Result{Subject: r.Reference(), Result: "verified"}, r.Reference()+" can be repeated.")
	return nil
}
