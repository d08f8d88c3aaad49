// SPDX-License-Identifier: MPL-2.0

package operation_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func TestASilentClusterDoesNotHideOtherJobs(t *testing.T) {
	t.Parallel()
	near := &answering{fake{jobs: []*planner.LiveJob{live(newJob("b", "x")), live(newJob("a", "x"))}}}
	o := newOperation(nil, func(o *operation.Options) {
		o.Workspace.Clusters = []*hclspec.Cluster{{Name: "far"}}
		o.Open = func(declared *hclspec.Cluster) (cluster.Cluster, error) {
			if declared != nil {
				return &silent{}, nil
			}
			return near, nil
		}
	})
	jobs, err := o.Jobs(t.Context())
	if len(jobs) != 2 || jobs[0].Address != "job.a" || jobs[0].On != resolve.LocalCluster {
		t.Errorf("the jobs are %v", jobs)
	}
	if !errors.Is(err, errSilent) || !operation.Unread(err, "far") || operation.Unread(err, resolve.LocalCluster) {
		t.Errorf("the error is %v", err)
	}
}

func TestJobsAreInNaturalOrder(t *testing.T) {
	t.Parallel()
	o := newOperation(&fake{jobs: []*planner.LiveJob{live(newJob("exp10", "x")), live(newJob("exp1", "x")), live(newJob("exp2", "x"))}}, nil)
	jobs, err := o.Jobs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []hclspec.Address
	for _, j := range jobs {
		got = append(got, j.Address)
	}
	if diff := cmp.Diff([]hclspec.Address{"job.exp1", "job.exp2", "job.exp10"}, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

// twoClusters returns a workspace with two clusters. The workspace declares job.a and
// job.b on the local cluster, and job.far on an unresponsive cluster. The undeclared
// job.old also runs on the local cluster. opened lists the opened clusters.
func twoClusters(near cluster.Cluster) (o *operation.Operation, opened *[]string) {
	opened = &[]string{}
	return newOperation(nil, func(o *operation.Options) {
		o.Workspace.Clusters = []*hclspec.Cluster{{Name: "far", User: "alice"}}
		o.Workspace.Jobs = []*hclspec.Job{{Label: "a"}, {Label: "b"}, {Label: "far", Cluster: "cluster.far"}}
		o.Open = func(declared *hclspec.Cluster) (cluster.Cluster, error) {
			if declared != nil {
				*opened = append(*opened, declared.Name)
				return &silent{}, nil
			}
			*opened = append(*opened, resolve.LocalCluster)
			return near, nil
		}
	}), opened
}

func TestChosenJobsNeedOnlyTheirClusters(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		chosen     []hclspec.Address
		opened     []string
		incomplete bool // far is an error
	}{
		"a job":                            {[]hclspec.Address{"job.a"}, []string{"local"}, false},
		"two jobs of one cluster":          {[]hclspec.Address{"job.a", "job.b"}, []string{"local"}, false},
		"a job that is no longer declared": {[]hclspec.Address{"job.old"}, []string{"far", "local"}, false},
		"a job of the other cluster":       {[]hclspec.Address{"job.a", "job.far"}, []string{"far", "local"}, true},
		"a job that is unknown":            {[]hclspec.Address{"job.a", "job.none"}, []string{"far", "local"}, true},
		"a pattern":                        {[]hclspec.Address{"job.*"}, []string{"far", "local"}, true},
		"every job":                        {nil, []string{"far", "local"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, opened := twoClusters(&fake{jobs: []*planner.LiveJob{live(newJob("a", "x")), live(newJob("b", "x")), live(newJob("old", "x"))}})
			jobs, err := o.Jobs(t.Context(), tt.chosen...)
			if len(jobs) != 3 || operation.Unread(err, "far") != tt.incomplete {
				t.Errorf("the jobs are %v, the error is %v", jobs, err)
			}
			slices.Sort(*opened)
			if diff := cmp.Diff(tt.opened, *opened); diff != "" {
				t.Errorf("opened clusters (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAPlanOpensTheClustersOfItsTargets(t *testing.T) {
	t.Parallel()
	far := newJob("far", "ls")
	far.Cluster = "far"
	stored := newJob("b", "ls")
	stored.TaskRoles[0].Mounts = []*resolve.Mount{{Storage: "nfs"}}
	for name, tt := range map[string]struct {
		request operation.Request
		silent  bool // the plan fails because the cluster far does not respond
	}{
		"a job":                              {operation.Request{Targets: []hclspec.Address{"job.a"}}, false},
		"a storage that jobs use":            {operation.Request{Targets: []hclspec.Address{"storage.nfs"}}, false},
		"the deletion of a job":              {operation.Request{Targets: []hclspec.Address{"job.a"}, Destroy: true}, false},
		"the deletion of a job not found":    {operation.Request{Targets: []hclspec.Address{"job.b"}, Destroy: true}, true},
		"the deletion by a pattern":          {operation.Request{Targets: []hclspec.Address{"job.a*"}, Destroy: true}, true},
		"a job that is no longer declared":   {operation.Request{Targets: []hclspec.Address{"job.old"}}, true},
		"jobs of both clusters":              {operation.Request{Targets: []hclspec.Address{"job.a", "job.far"}}, true},
		"the deletion of jobs of a storage":  {operation.Request{Targets: []hclspec.Address{"storage.nfs"}, Destroy: true}, true},
		"every job":                          {operation.Request{}, true},
		"the deletion of every job together": {operation.Request{Destroy: true}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, opened := twoClusters(&fake{jobs: []*planner.LiveJob{live(newJob("a", "ls"))}})
			tt.request.Jobs = []*resolve.Job{newJob("a", "ls"), stored, far}
			_, err := o.Plan(t.Context(), tt.request)
			if errors.Is(err, errSilent) != tt.silent || (err != nil) != tt.silent || slices.Contains(*opened, "far") != tt.silent {
				t.Errorf("opened %v, error %v", *opened, err)
			}
		})
	}
}

func TestRemoteJobsNeedNoLocalCluster(t *testing.T) {
	t.Parallel()
	remote := &fake{jobs: []*planner.LiveJob{live(newJob("a", "x"))}}
	o := newOperation(nil, func(o *operation.Options) {
		o.Workspace.Clusters = []*hclspec.Cluster{{Name: "gpu", User: "alice"}}
		o.Open = func(declared *hclspec.Cluster) (cluster.Cluster, error) {
			if declared == nil {
				return nil, local.ErrUnsupported
			}
			return remote, nil
		}
	})
	if jobs, err := o.Jobs(t.Context()); len(jobs) != 1 || err != nil {
		t.Errorf("the jobs are %v, the error is %v", jobs, err)
	}
	on := newJob("a", "x")
	on.Cluster = "gpu"
	if _, err := o.Plan(t.Context(), operation.Request{Jobs: []*resolve.Job{on}}); err != nil {
		t.Error(err)
	}
	if _, err := o.Plan(t.Context(), operation.Request{Jobs: []*resolve.Job{newJob("here", "x")}}); !errors.Is(err, local.ErrUnsupported) {
		t.Errorf("the error for a local job is %v", err)
	}
}

// listing is a cluster whose Jobs method succeeds but whose Read method
// fails.
type listing struct{ fake }

func (l *listing) Jobs(context.Context, string) ([]*planner.LiveJob, error) { return l.jobs, nil }

func (l *listing) Read(context.Context, string, []string) (*planner.Snapshot, error) {
	return nil, errSilent
}

func TestOnlyDriftReadsTheWholeWorkspace(t *testing.T) {
	t.Parallel()
	o := newOperation(&listing{fake{jobs: []*planner.LiveJob{live(newJob("a", "x"))}}}, nil)
	if jobs, err := o.Jobs(t.Context()); err != nil || len(jobs) != 1 || jobs[0].Address != "job.a" {
		t.Errorf("the jobs are %v, error %v", jobs, err)
	}
	if _, err := o.JobsWithDrift(t.Context()); !errors.Is(err, errSilent) {
		t.Errorf("the error is %v", err)
	}
}
