// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

type adoptOptions struct {
	streams     *Streams
	workspace   workspaceFlags
	jobs        []string
	autoApprove bool
}

func newAdoptCmd(s *Streams) *cobra.Command {
	o := &adoptOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "adopt ADDRESS... [PATH]",
		Short: "Take over a job that another program created",
		Long: dedent(`
			Find the existing Framework with the name of a declared job, and assign it
			to this workspace, after asking for confirmation. Running tasks are not
			affected. Neither the workspace that created the Framework nor Terraform
			changes the job afterwards. If Terraform declares the job, the next terraform
			plan reports the takeover.

			Exit codes: 0 adopted, or already part of the workspace; 1 error or not
			confirmed; 130 interrupted.

			    openpai adopt job.train
			    openpai adopt job.train job.test experiments`),
		Args: cobra.ArbitraryArgs,
		RunE: o.workspace.runAt(o.run),
	}
	o.workspace.acceptAddresses(&o.jobs)
	o.workspace.register(cmd)
	cmd.Flags().StringArrayVar(&o.jobs, "job", nil, "job with this `ADDRESS` or label; repeatable")
	cmd.Flags().BoolVar(&o.autoApprove, "auto-approve", false, "do not ask for confirmation")
	s.registerResults(cmd)
	return cmd
}

func (o *adoptOptions) run(ctx context.Context) error {
	if len(o.jobs) == 0 {
		return errors.New("missing ADDRESS: pass the address of a job, for example job.train")
	}
	p, err := o.workspace.open()
	if err != nil {
		return err
	}
	jobs, err := p.selectDeclared(o.jobs)
	if err != nil {
		return err
	}
	for _, job := range jobs {
		if err := o.adopt(ctx, p, job); err != nil {
			return p.refused(err)
		}
	}
	return nil
}

func (o *adoptOptions) adopt(ctx context.Context, p *project, job *resolve.Job) error {
	holder, err := p.operation.Holder(ctx, job)
	if errors.Is(err, cluster.ErrNotFound) {
		return fmt.Errorf("adopt %s: cluster %s has no job %q of user %q", job.Address, job.Cluster, job.Name, job.User)
	}
	if err != nil {
		return fmt.Errorf("adopt %s: %w", job.Address, err)
	}
	same := holder.Workspace == p.workspace() && holder.Address == job.Address
	switch {
	case same && holder.DeclaredBy == planner.DeclaredByTerraform:
		o.streams.note("Terraform declares %s in this workspace.", job.Address)
	case same:
		o.streams.done(document.Result{Subject: string(job.Address), Result: "unchanged"}, fmt.Sprintf("%s already belongs to this workspace.", job.Address))
		return nil
	default:
		o.streams.note("Job %q of user %q on cluster %s belongs to %s.", job.Name, job.User, job.Cluster, holder.Description)
	}
	if !o.autoApprove {
		if err := confirm(ctx, o.streams, "Take it over?", "--auto-approve to take it over"); err != nil {
			return err
		}
	}
	if err := p.operation.Adopt(ctx, job); err != nil {
		return fmt.Errorf("adopt %s: %w", job.Address, err)
	}
	o.streams.done(document.Result{Subject: string(job.Address), Result: "adopted"}, fmt.Sprintf("%s: adopted", job.Address))
	return nil
}
