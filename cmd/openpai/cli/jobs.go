// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
)

// known is the state of a workspace on its clusters.
type known struct {
	loaded *workspace.Loaded
	jobs   []operation.Job
	// unread is the error for clusters that could not be read, or nil.
	unread error
}

// known reads the jobs of a workspace from its clusters, or at least those that names
// choose; see [operation.Operation.Jobs]. From the files it uses only the name of the
// workspace and the clusters of its jobs, so jobs can be shown and stopped while the
// files have errors.
func (f *workspaceFlags) known(ctx context.Context, s *Streams, names []string) (*known, error) {
	return f.knownBy(ctx, s, names, (*operation.Operation).Jobs)
}

// knownBy is like known with the given function that reads the jobs.
func (f *workspaceFlags) knownBy(ctx context.Context, s *Streams, names []string, read func(*operation.Operation, context.Context, ...hclspec.Address) ([]operation.Job, error)) (*known, error) {
	loaded, err := f.named(s)
	if err != nil {
		return nil, err
	}
	all, err := read(newOperation(loaded, invocation{}), ctx, addresses(names)...)
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var unread *operation.UnreadCluster
	if err != nil && !errors.As(err, &unread) {
		return nil, err
	}
	return &known{loaded: loaded, jobs: all, unread: err}, nil
}

// named returns the workspace of the files, or the workspace of --workspace.
func (f *workspaceFlags) named(s *Streams) (*workspace.Loaded, error) {
	if f.remote.workspace != "" {
		return f.remote.loaded(), nil
	}
	loaded, diags := f.load()
	if loaded.Dir == "" || loaded.Workspace.Name == "" {
		return nil, (&project{loaded: loaded}).diagnosticsError(diags)
	}
	if diags.HasErrors() {
		s.warn(fmt.Sprintf("the configuration has errors, see \"openpai validate%s\".", f.shownPath()))
	}
	return loaded, nil
}

// choose returns the jobs with the given names, or all. A name without a job is an
// error; if a cluster could not be read, that error is returned, because the job may be
// on that cluster.
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

// jobFlags choose applied jobs of a workspace, from files or from a cluster.
type jobFlags struct {
	streams   *Streams
	workspace workspaceFlags
	jobs      []string
}

// register adds the flags of the workspace, and --job with the given usage. Addresses
// are accepted as arguments too.
func (f *jobFlags) register(cmd *cobra.Command, usage string) {
	f.workspace.register(cmd)
	f.workspace.registerRemote(cmd)
	f.workspace.acceptAddresses(&f.jobs)
	cmd.Flags().StringArrayVar(&f.jobs, "job", nil, usage)
}

// each calls do with the applied jobs that the flags choose, or all. A cluster that
// cannot be read is an error after that.
func (f *jobFlags) each(ctx context.Context, do func([]operation.Job) error) error {
	jobs, unread, err := f.workspace.readable(ctx, f.streams, f.jobs)
	if err != nil {
		return err
	}
	return errors.Join(do(jobs), unread)
}

// readable returns the applied jobs with the given names, or all. It is an error if
// there is no job. If a cluster that may have more of them cannot be read, unread is the
// error; commands report it after the other jobs.
func (f *workspaceFlags) readable(ctx context.Context, s *Streams, names []string) (jobs []operation.Job, unread, err error) {
	k, err := f.known(ctx, s, names)
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
		return nil, nil, fmt.Errorf("the workspace %q has no jobs there", k.loaded.Workspace.Name)
	case len(jobs) == 0:
		return nil, nil, fmt.Errorf("the workspace %q has no applied jobs yet; run \"openpai apply%s\"", k.loaded.Workspace.Name, f.shownPath())
	}
	return jobs, k.unread, nil
}
