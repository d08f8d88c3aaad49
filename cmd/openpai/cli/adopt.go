package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// adopter is a cluster that other programs make jobs on.
type adopter interface {
	Holder(ctx context.Context, framework string) (string, error)
	Adopt(ctx context.Context, job *resolve.Job) error
}

type adoptOptions struct {
	streams     *Streams
	workspace   workspaceFlags
	autoApprove bool
}

func newAdoptCmd(s *Streams) *cobra.Command {
	o := &adoptOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "adopt ADDRESS [PATH]",
		Short: "Take over a job that somebody else made",
		Long: text(`
			Makes the Framework that holds the name of a declared job one of this
			workspace, after asking. What runs goes on unchanged. Plans of the workspace
			that made it no longer touch it.

			Exit codes: 0 adopted, or ours already; 1 error or not confirmed; 130
			interrupted.`),
		Args: arguments(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.workspace.setPath(args[1:])
			ctx, stop := interruptible(cmd)
			defer stop()
			return o.run(ctx, args[0])
		},
	}
	o.workspace.register(cmd)
	cmd.Flags().BoolVar(&o.autoApprove, "auto-approve", false, "do not ask for confirmation")
	return cmd
}

func (o *adoptOptions) run(ctx context.Context, given string) error {
	p, err := o.workspace.open()
	if err != nil {
		return err
	}
	jobs, err := p.selectDeclared([]string{given})
	if err != nil {
		return err
	}
	clusters, err := p.clusters()
	if err != nil {
		return err
	}
	for _, job := range jobs {
		if err := o.adopt(ctx, p, clusters, job); err != nil {
			return err
		}
	}
	return nil
}

func (o *adoptOptions) adopt(ctx context.Context, p *project, clusters map[string]cluster.Cluster, job *resolve.Job) error {
	c, ok := clusters[job.Cluster].(adopter)
	if !ok {
		return fmt.Errorf("adopt %s: jobs of the local cluster have no other owner", job.Address)
	}
	holder, err := c.Holder(ctx, job.Framework)
	if errors.Is(err, cluster.ErrNotFound) {
		return fmt.Errorf("adopt %s: the cluster %s has no job %q of the user %q", job.Address, job.Cluster, job.Name, job.User)
	}
	if err != nil {
		return err
	}
	if holder == fmt.Sprintf("%s of the workspace %q", job.Address, p.workspace()) {
		fmt.Fprintf(o.streams.out, "%s belongs to this workspace already.\n", job.Address)
		return nil
	}
	fmt.Fprintf(o.streams.out, "The job %q of the user %q on the cluster %s belongs to %s.\n", job.Name, job.User, job.Cluster, holder)
	if !o.autoApprove {
		if err := confirm(ctx, o.streams, "Take it over?", "--auto-approve to take it over"); err != nil {
			return err
		}
	}
	unlock, err := lock(ctx, map[string]cluster.Cluster{job.Cluster: clusters[job.Cluster]})
	if err != nil {
		return err
	}
	defer unlock()
	if err := c.Adopt(ctx, job); err != nil {
		return fmt.Errorf("adopt %s: %w", job.Address, err)
	}
	fmt.Fprintf(o.streams.out, "%s: adopted\n", job.Address)
	return nil
}
