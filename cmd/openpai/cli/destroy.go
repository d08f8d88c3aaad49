package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

type destroyOptions struct {
	streams     *Streams
	workspace   workspaceFlags
	flags       planFlags
	autoApprove bool
}

func newDestroyCmd(s *Streams) *cobra.Command {
	o := &destroyOptions{streams: s, flags: planFlags{destroy: true}}
	cmd := &cobra.Command{
		Use:   "destroy [PATH]",
		Short: "End jobs and remove everything that is known of them",
		Long: text(`
			Shows what would be deleted, asks for confirmation, ends the jobs and removes
			them with their logs and records; with the last one goes what the local
			cluster keeps in .openpai. Storages and what is in them are kept. A job with
			prevent_destroy is refused.

			Exit codes: 0 destroyed or nothing to do, 1 error or not confirmed,
			130 interrupted.`),
		Args: onePath,
		RunE: o.workspace.runAt(o.run),
	}
	o.workspace.register(cmd)
	o.flags.registerTarget(cmd)
	cmd.Flags().BoolVar(&o.autoApprove, "auto-approve", false, "do not ask for confirmation")
	return cmd
}

func (o *destroyOptions) run(ctx context.Context) error {
	p, err := o.workspace.open()
	if err != nil {
		return err
	}
	d, err := p.plan(ctx, o.flags)
	if err != nil {
		return err
	}
	if d.plan.Empty() {
		fmt.Fprintf(o.streams.out, "Nothing to destroy: no job of the workspace %q is there.\n", p.workspace())
		return tidyLocked(ctx, d.clusters)
	}
	if err := showPlan(o.streams, p, d); err != nil {
		return err
	}
	if !o.autoApprove {
		if err := confirm(ctx, o.streams, "Destroy these jobs?", "--auto-approve to destroy them"); err != nil {
			return err
		}
	}
	if err := p.apply(ctx, o.streams, d); err != nil {
		return err
	}
	return tidy(ctx, d.clusters)
}

// tidy lets clusters remove what they keep for jobs in general, where none is
// left; also what an earlier destroy could not.
func tidy(ctx context.Context, clusters map[string]cluster.Cluster) error {
	unlock, err := lock(ctx, clusters)
	if err != nil {
		return err
	}
	err = tidyLocked(ctx, clusters)
	unlock()
	if err != nil {
		return err
	}
	for _, c := range clusters {
		if t, ok := c.(interface{ Tidy() error }); ok {
			if err := t.Tidy(); err != nil {
				return err
			}
		}
	}
	return nil
}

func tidyLocked(ctx context.Context, clusters map[string]cluster.Cluster) error {
	var all []error
	for _, c := range clusters {
		if t, ok := c.(cluster.Tidier); ok {
			all = append(all, t.Tidy(ctx))
		}
	}
	return errors.Join(all...)
}
