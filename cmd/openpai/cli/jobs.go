// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/shellquote"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
)

// known is the state of a workspace on its clusters.
type known struct {
	loaded    *workspace.Loaded
	operation *operation.Operation
	jobs      []operation.Job
	// unread is the error for clusters that could not be read, or nil.
	unread error
}

// jobSource reads the jobs of a workspace from the clusters. A caller can
// read the jobs more than once.
type jobSource struct {
	loaded    *workspace.Loaded
	operation *operation.Operation
	remote    remoteFlags
}

// source returns the workspace that the files declare or that --workspace selects. In
// the files, only the workspace name and the clusters of the jobs must be valid.
// Commands can therefore show and stop jobs even if the files have other errors.
func (f *workspaceFlags) source(s *Streams) (*jobSource, error) {
	loaded, err := f.named(s)
	if err != nil {
		return nil, err
	}
	return &jobSource{loaded, newOperation(loaded, invocation{}), f.remote}, nil
}

// jobsReader reads the jobs of a workspace. It may omit jobs that no address
// selects.
type jobsReader func(*operation.Operation, context.Context, ...hclspec.Address) ([]operation.Job, error)

// read reads the jobs. It may omit jobs that no name selects; see
// [operation.Operation.Jobs].
func (w *jobSource) read(ctx context.Context, names []string, read jobsReader) (*known, error) {
	all, err := read(w.operation, ctx, addresses(names)...)
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var unread *operation.UnreadCluster
	if err != nil && !errors.As(err, &unread) {
		return nil, err
	}
	if w.remote.workspace != "" && errors.Is(err, cluster.ErrNoKubeconfig) {
		err = fmt.Errorf("%w; with --workspace, set --kubeconfig FILE", err)
	}
	return &known{loaded: w.loaded, operation: w.operation, jobs: all, unread: err}, nil
}

// named returns the workspace that the files declare or that --workspace
// selects.
func (f *workspaceFlags) named(s *Streams) (*workspace.Loaded, error) {
	loaded, _, err := f.identified(s)
	return loaded, err
}

// identified is like named. If the files have errors, it also returns these
// errors.
func (f *workspaceFlags) identified(s *Streams) (loaded *workspace.Loaded, invalid, err error) {
	if f.remote.workspace != "" {
		return f.remote.loaded(), nil, nil
	}
	loaded, diags := f.load()
	failure := (&project{loaded: loaded}).diagnosticsError(diags)
	switch {
	case loaded.Dir == "" || loaded.Workspace.Name == "":
		return nil, nil, failure
	case loaded.Empty:
		return loaded, failure, nil
	case diags.HasErrors():
		s.warn(fmt.Sprintf("the configuration has errors; see \"openpai validate%s\".", f.shownPath()))
		return loaded, failure, nil
	}
	return loaded, nil, nil
}

// choose returns all jobs if there are no names. If a name matches no job, choose
// returns the error of an unread cluster, because that cluster may contain the job.
// If all clusters were read, choose returns a diagnostic about the name.
func (k *known) choose(jobs []operation.Job, names []string) ([]operation.Job, error) {
	var declared []hclspec.Address
	for _, job := range k.loaded.Workspace.Jobs {
		declared = append(declared, job.Address())
	}
	chosen, diags := choose(jobs, declared, names)
	if diags.HasErrors() {
		return nil, cmp.Or(k.unread, error(&diagnosticsError{diags: diags}))
	}
	return chosen, nil
}

// jobFlags select applied jobs of a workspace. The workspace is read from
// files or from a cluster.
type jobFlags struct {
	streams   *Streams
	workspace workspaceFlags
	jobs      []string
}

// register adds the workspace flags and --job. The command also accepts addresses
// as arguments.
func (f *jobFlags) register(cmd *cobra.Command, usage string) {
	f.workspace.register(cmd)
	f.workspace.registerRemote(cmd)
	f.workspace.acceptAddresses(&f.jobs)
	cmd.Flags().StringArrayVar(&f.jobs, "job", nil, usage)
}

// each calls do once, with the applied jobs that the flags select, or with
// all applied jobs if no flag selects jobs. If some clusters could not be
// read, each calls do and then returns an error.
func (f *jobFlags) each(ctx context.Context, do func([]operation.Job) error) error {
	jobs, unread, err := f.workspace.readable(ctx, f.streams, f.jobs)
	if err != nil {
		return err
	}
	return errors.Join(do(jobs), unread)
}

// readable returns the named applied jobs, or all if there are no names. It returns an
// error if it finds no job. unread is the error for clusters that could not be read.
// These clusters may contain other selected jobs. Commands print unread after the list
// of jobs.
func (f *workspaceFlags) readable(ctx context.Context, s *Streams, names []string) (jobs []operation.Job, unread, err error) {
	source, err := f.source(s)
	if err != nil {
		return nil, nil, err
	}
	k, err := source.read(ctx, names, (*operation.Operation).Jobs)
	if err != nil {
		return nil, nil, err
	}
	jobs, err = k.choose(k.jobs, names)
	switch {
	case err != nil:
		return nil, nil, err
	case len(jobs) == 0 && k.unread != nil:
		return nil, nil, k.unread
	case len(jobs) == 0 && f.remote.workspace != "":
		return nil, nil, errors.New(emptyRemote(ctx, k.operation, k.loaded.Workspace.Name, "jobs"))
	case len(jobs) == 0:
		return nil, nil, fmt.Errorf("the workspace %q has no applied jobs yet; run \"openpai apply%s\"", k.loaded.Workspace.Name, f.shownPath())
	}
	return jobs, k.unread, nil
}

// showOtherWorkspaces prints how to select the jobs of the directory that belong to
// other workspaces. Callers use it if the workspace of the directory has no jobs. Each
// locked marketplace job has its own workspace. Jobs that Terraform declares can also
// belong to a workspace with a different name.
func showOtherWorkspaces(s *Streams, command string, loaded *workspace.Loaded, o *operation.Operation) {
	for _, name := range o.TerraformWorkspaces() {
		if name != loaded.Workspace.Name {
			fmt.Fprintf(s.out, "In this directory, Terraform declares jobs of the workspace %q. To see them, write openpai { workspace = %q } in jobs.pai.hcl.\n", name, name)
		}
	}
	lock, _ := loaded.Lock() // load reported its diagnostics
	for _, e := range lock.Items {
		r, err := marketplace.ParseReference(e.Address)
		if err == nil && r.Type == marketplace.TypeJob && loaded.Item == nil {
			r.From = ""
			fmt.Fprintf(s.out, "A marketplace job has a separate workspace. Run: openpai %s %s\n", command, shellquote.Word(r.String()))
		}
	}
}
