// SPDX-License-Identifier: MPL-2.0

package operation_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// storageCluster is a fake cluster with claims.
type storageCluster struct {
	*fake
	claims map[string]bool
	asked  int
	err    error // of a read
	create error // of a submission
}

func (k *storageCluster) HasStorage(_ context.Context, s *hclspec.Storage) (bool, error) {
	k.asked++
	return k.claims[s.Claim], k.err
}
func (k *storageCluster) MakeStorage(context.Context, *hclspec.Storage) error   { return k.create }
func (k *storageCluster) RemoveStorage(context.Context, *hclspec.Storage) error { return nil }
func (k *storageCluster) Create(_ context.Context, s cluster.Submission) error  { return k.create }

// mounting returns a job that mounts the storages. nil means an undeclared
// storage.
func mounting(name string, storages ...*hclspec.Storage) *resolve.Job {
	job := newJob(name, "ls")
	job.Cluster = "gpu"
	for _, s := range storages {
		mount := &resolve.Mount{Storage: "team", Declared: s}
		if s != nil {
			mount.Storage = s.Name
		}
		job.TaskRoles[0].Mounts = append(job.TaskRoles[0].Mounts, mount)
	}
	return job
}

// onCluster declares the cluster "gpu" for the jobs of mounting.
func onCluster(o *operation.Options) {
	o.Workspace.Clusters = []*hclspec.Cluster{{Name: "gpu", User: "alice", Runtime: hclspec.ClusterRuntime{Image: "runtime:1"}}}
}

func storage(name, claim string) *hclspec.Storage {
	return &hclspec.Storage{Name: name, Claim: claim, Path: hclspec.Path("storage." + name)}
}

func TestOnlyMissingClaimsOfCreatedJobsAreReported(t *testing.T) {
	t.Parallel()
	nfs := &hclspec.Storage{Name: "share", NFS: &hclspec.NFSVolume{Server: "s", Path: "/"}}
	tests := map[string]struct {
		cluster *storageCluster
		storage *hclspec.Storage
		request operation.Request
		want    int // number of diagnostics
	}{
		"a claim that exists":                               {&storageCluster{claims: map[string]bool{"pvc": true}}, storage("data", "pvc"), operation.Request{}, 0},
		"a claim that does not exist":                       {&storageCluster{}, storage("data", "pvc"), operation.Request{}, 1},
		"the claim of a storage that is not declared":       {&storageCluster{}, nil, operation.Request{}, 1},
		"a claim that apply creates":                        {&storageCluster{}, nfs, operation.Request{}, 0},
		"a claim that may exist when the plan is applied":   {&storageCluster{}, storage("data", "pvc"), operation.Request{Preliminary: true}, 1},
		"a claim that the user may not read":                {&storageCluster{err: fmt.Errorf("get: %w", cluster.ErrForbidden)}, storage("data", "pvc"), operation.Request{}, 0},
		"a claim of a job that is planned without clusters": {&storageCluster{}, storage("data", "pvc"), operation.Request{Offline: true}, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.cluster.fake = &fake{}
			tt.request.Jobs = []*resolve.Job{mounting("a", tt.storage), mounting("b", tt.storage)}
			plan, err := newOperation(tt.cluster, onCluster).Plan(t.Context(), tt.request)
			if err != nil {
				t.Fatal(err)
			}
			var found hcl.Diagnostics
			for _, d := range plan.Diagnostics {
				if hclspec.Code(d) == hclspec.ClaimNotFound.Code {
					found = append(found, d)
				}
			}
			if len(found) != tt.want || tt.cluster.asked > 1 || found.HasErrors() == (tt.request.Preliminary || tt.want == 0) {
				t.Errorf("diagnostics %v, %d requests", found, tt.cluster.asked)
			}
		})
	}
}

// TestAMissingClaimIsReadOncePerConnection checks that a missing claim is
// read only once, even with a separate plan for each job, as in Terraform.
// The plan of a replacement reads the claim again, because the replacement
// ends a job.
func TestAMissingClaimIsReadOncePerConnection(t *testing.T) {
	t.Parallel()
	c := &storageCluster{fake: &fake{}}
	o := newOperation(c, onCluster)
	plan := func(name string) hcl.Diagnostics {
		p, err := o.Plan(t.Context(), operation.Request{Preliminary: true, Jobs: []*resolve.Job{mounting(name, storage("data", "pvc"))}})
		if err != nil {
			t.Fatal(err)
		}
		return p.Diagnostics
	}
	for _, name := range []string{"a", "b", "c"} {
		if found := plan(name); found.HasErrors() || len(found) == 0 || c.asked != 1 {
			t.Errorf("job.%s: diagnostics %v, %d requests", name, found, c.asked)
		}
	}
	c.jobs = []*planner.LiveJob{live(mounting("d"))}
	if found := plan("d"); !found.HasErrors() || c.asked != 2 {
		t.Errorf("a replacement: diagnostics %v, %d requests", found, c.asked)
	}
}

func TestAClaimThatCannotBeLookedForIsAnError(t *testing.T) {
	t.Parallel()
	broken := errors.New("connection refused")
	_, err := newOperation(&storageCluster{fake: &fake{}, err: broken}, onCluster).Plan(t.Context(), operation.Request{Jobs: []*resolve.Job{mounting("a", storage("data", "pvc"))}})
	if !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

func TestAnImmutableVolumeIsReportedAtItsDeclaration(t *testing.T) {
	t.Parallel()
	fixed := &cluster.StorageFixed{Storage: "storage.data", Object: cluster.ObjectID{Kind: "PersistentVolume", Name: "v"}, Err: errors.New("immutable")}
	nfs := &hclspec.Storage{Name: "data", Path: "storage.data", NFS: &hclspec.NFSVolume{Server: "s", Path: "/"}}
	at := hcl.Range{Filename: "main.pai.hcl", Start: hcl.Pos{Line: 7}}
	tests := map[string]struct {
		err     error
		refused bool
	}{
		"the volume is the only error": {fmt.Errorf("create job.a: %w", fixed), true},
		"something else failed":        {errors.New("quota"), false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &storageCluster{fake: &fake{}, create: tt.err}
			o := newOperation(c, func(o *operation.Options) {
				onCluster(o)
				o.Workspace.Sources = hclspec.SourceMap{"storage.data.nfs": at}
			})
			plan, err := o.Plan(t.Context(), operation.Request{Jobs: []*resolve.Job{mounting("a", nfs), mounting("b", nfs)}})
			if err != nil {
				t.Fatal(err)
			}
			err = o.Apply(t.Context(), plan, operation.ApplyOptions{})
			var refused *operation.Refused
			if errors.As(err, &refused) != tt.refused {
				t.Fatalf("error %v", err)
			}
			if !tt.refused {
				return
			}
			if len(refused.Diagnostics) != 1 || hclspec.Code(refused.Diagnostics[0]) != hclspec.VolumeFixed.Code || *refused.Diagnostics[0].Subject != at {
				t.Errorf("diagnostics %v", refused.Diagnostics)
			}
		})
	}
}
