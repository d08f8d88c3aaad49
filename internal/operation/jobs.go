// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Jobs lists the jobs of the workspace on all clusters, sorted by address. If
// chosen is not empty, the list contains at least the selected jobs. If each
// selected job is on its declared cluster, Jobs does not read other clusters.
//
// If some clusters cannot be read, Jobs returns the jobs of the other clusters. The
// error then joins an [UnreadCluster] for each unread cluster. If Jobs finds every
// selected job, the error contains only clusters on which selected jobs are
// declared.
func (o *Operation) Jobs(ctx context.Context, chosen ...hclspec.Address) ([]Job, error) {
	return o.jobs(ctx, listJobs, chosen)
}

// JobsWithDrift is like Jobs and also compares each job with the applied objects. On
// Kubernetes, JobsWithDrift sends more requests than Jobs.
func (o *Operation) JobsWithDrift(ctx context.Context, chosen ...hclspec.Address) ([]Job, error) {
	return o.jobs(ctx, readJobs, chosen)
}

// TerraformWorkspaces returns the workspaces in this directory whose jobs Terraform
// declares. It returns nil if the local cluster cannot be opened.
func (o *Operation) TerraformWorkspaces() []string {
	if o.options.Directory == "" {
		return nil
	}
	c, err := o.Cluster(resolve.LocalCluster)
	lister, ok := c.(cluster.WorkspaceLister)
	if err != nil || !ok {
		return nil
	}
	return lister.TerraformWorkspaces()
}

// jobReader reads the jobs of a workspace from a cluster.
type jobReader func(ctx context.Context, c cluster.Cluster, workspace string) ([]*planner.LiveJob, error)

// listJobs sends as few requests as the cluster permits.
func listJobs(ctx context.Context, c cluster.Cluster, workspace string) ([]*planner.LiveJob, error) {
	if lister, ok := c.(cluster.JobLister); ok {
		return lister.Jobs(ctx, workspace)
	}
	return readJobs(ctx, c, workspace)
}

func readJobs(ctx context.Context, c cluster.Cluster, workspace string) ([]*planner.LiveJob, error) {
	snapshot, err := c.Read(ctx, workspace, nil)
	if err != nil {
		return nil, err
	}
	return snapshot.Jobs, nil
}

func (o *Operation) jobs(ctx context.Context, read jobReader, chosen []hclspec.Address) ([]Job, error) {
	first := o.declaredOn(chosen)
	all, err := o.jobsOnEach(ctx, read, first)
	if err == nil && hasEach(all, chosen) {
		return all, nil
	}
	rest := slices.DeleteFunc(o.clusterNames(), func(name string) bool { return slices.Contains(first, name) })
	more, errMore := o.jobsOnEach(ctx, read, rest)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	all = append(all, more...)
	slices.SortStableFunc(all, func(a, b Job) int { return hclspec.CompareNatural(a.Address, b.Address) })
	if hasEach(all, chosen) {
		return all, err
	}
	return all, errors.Join(err, errMore)
}

// declaredOn returns the declared clusters of the selected jobs. It ignores
// undeclared jobs and patterns.
func (o *Operation) declaredOn(chosen []hclspec.Address) []string {
	var names []string
	for _, declared := range o.options.Workspace.Jobs {
		for _, a := range chosen {
			if !a.IsPattern() && declared.Address().Matches(a) {
				names = append(names, ClusterOf(declared))
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// ClusterOf returns the name of the cluster on which a job is declared.
func ClusterOf(declared *hclspec.Job) string {
	return cmp.Or(strings.TrimPrefix(declared.Cluster, "cluster."), resolve.LocalCluster)
}

// hasEach reports whether the jobs include each selected address. It returns false
// for a pattern, because a pattern may also match unread jobs.
func hasEach(jobs []Job, chosen []hclspec.Address) bool {
	for _, a := range chosen {
		if a.IsPattern() || !slices.ContainsFunc(jobs, func(j Job) bool { return j.Address.Matches(a) }) {
			return false
		}
	}
	return len(chosen) > 0
}

// jobsOnEach reads several clusters concurrently.
func (o *Operation) jobsOnEach(ctx context.Context, read jobReader, names []string) ([]Job, error) {
	found, errs := make([][]Job, len(names)), make([]error, len(names))
	var reading sync.WaitGroup
	for n, name := range names {
		reading.Go(func() { found[n], errs[n] = o.jobsOn(ctx, read, name) })
	}
	reading.Wait()
	return slices.Concat(found...), errors.Join(errs...)
}

func (o *Operation) jobsOn(ctx context.Context, read jobReader, name string) ([]Job, error) {
	c, err := o.Cluster(name)
	if errors.Is(err, local.ErrUnsupported) {
		return nil, nil
	}
	if err != nil {
		return nil, &UnreadCluster{Name: name, Err: err}
	}
	live, err := read(ctx, c, o.options.Workspace.Name)
	if err != nil {
		return nil, &UnreadCluster{Name: name, Err: err}
	}
	var all []Job
	for _, j := range live {
		if j.Workspace == o.options.Workspace.Name {
			known := Job{Address: j.Address, Framework: j.Framework, State: j.State, Cluster: c, On: name, Applied: j.Applied, Run: j.Run, UID: j.UID, Drift: driftOf(j), operation: o}
			if j.Unreadable != nil {
				known.Unreadable = j.Unreadable.File
			}
			all = append(all, known)
		}
	}
	return all, nil
}

// UnreadCluster is the error for a cluster whose jobs cannot be listed.
type UnreadCluster struct {
	Name string
	Err  error
}

func (u *UnreadCluster) Error() string {
	return fmt.Sprintf("read the jobs of cluster %s: %s", u.Name, u.Err)
}

// Unwrap returns the cause.
func (u *UnreadCluster) Unwrap() error { return u.Err }

// Is reports whether target is an UnreadCluster for the same cluster.
func (u *UnreadCluster) Is(target error) bool {
	other, ok := target.(*UnreadCluster)
	return ok && other.Name == u.Name
}

// Unread reports whether an error from [Operation.Jobs] includes the named
// cluster.
func Unread(err error, name string) bool {
	return errors.Is(err, &UnreadCluster{Name: name})
}
