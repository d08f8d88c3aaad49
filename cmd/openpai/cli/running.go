package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// runningJob is a job that a cluster knows, running or not.
type runningJob struct {
	address   hclspec.Address
	framework string
	state     planner.JobState
	cluster   cluster.Cluster
	grace     time.Duration // that its tasks have to end; known from a plan
}

// jobs lists what the clusters know of a workspace. Only the name of the
// workspace is taken from its files, so that what runs can be seen and stopped
// while they have mistakes.
func (f *workspaceFlags) jobs(ctx context.Context, s *Streams) ([]runningJob, *workspace.Loaded, error) {
	loaded, diags := f.load()
	if loaded.Dir == "" || loaded.Workspace.Name == "" {
		return nil, nil, (&project{loaded: loaded}).findings(diags)
	}
	if diags.HasErrors() {
		fmt.Fprintf(s.err, "Warning: the configuration has errors, see \"openpai validate%s\".\n", f.shownPath())
	}
	clusters, err := openClusters(loaded)
	if err != nil {
		return nil, nil, err
	}
	var all []runningJob
	for _, name := range slices.Sorted(maps.Keys(clusters)) {
		c := clusters[name]
		snapshot, err := c.Read(ctx, loaded.Workspace.Name, nil)
		if err != nil {
			return nil, nil, fmt.Errorf("read the jobs of cluster %s: %w", name, err)
		}
		for _, j := range snapshot.Jobs {
			if j.Workspace == loaded.Workspace.Name {
				all = append(all, runningJob{address: j.Address, framework: j.Framework, state: j.State, cluster: c})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b runningJob) int { return cmp.Compare(a.address, b.address) })
	return all, loaded, nil
}

// chosen lists the jobs that were named, or all; none at all is an error that
// says so.
func (f *workspaceFlags) chosen(ctx context.Context, s *Streams, given []string) ([]runningJob, error) {
	all, loaded, err := f.jobs(ctx, s)
	if err != nil {
		return nil, err
	}
	jobs, diags := choose(all, given)
	if diags.HasErrors() {
		return nil, &findings{diags: diags}
	}
	if len(jobs) == 0 {
		return nil, fmt.Errorf("no job of the workspace %q was applied yet; run \"openpai apply%s\"", loaded.Workspace.Name, f.shownPath())
	}
	return jobs, nil
}
