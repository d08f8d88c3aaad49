package cli

import (
	"context"
	"fmt"

	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
)

// jobs lists what the clusters know of a workspace. Only the name of the
// workspace is taken from its files, so that what runs can be seen and stopped
// while they have mistakes.
func (f *workspaceFlags) jobs(ctx context.Context, s *Streams) ([]operation.Job, *workspace.Loaded, error) {
	loaded, diags := f.load()
	if loaded.Dir == "" || loaded.Workspace.Name == "" {
		return nil, nil, (&project{loaded: loaded}).findings(diags)
	}
	if diags.HasErrors() {
		fmt.Fprintf(s.err, "Warning: the configuration has errors, see \"openpai validate%s\".\n", f.shownPath())
	}
	all, err := newOperation(loaded).Jobs(ctx)
	return all, loaded, err
}

// chosen lists the jobs that were named, or all; none at all is an error that
// says so.
func (f *workspaceFlags) chosen(ctx context.Context, s *Streams, names []string) ([]operation.Job, error) {
	all, loaded, err := f.jobs(ctx, s)
	if err != nil {
		return nil, err
	}
	jobs, diags := choose(all, names)
	if diags.HasErrors() {
		return nil, &findings{diags: diags}
	}
	if len(jobs) == 0 {
		return nil, fmt.Errorf("no job of the workspace %q was applied yet; run \"openpai apply%s\"", loaded.Workspace.Name, f.shownPath())
	}
	return jobs, nil
}
