// SPDX-License-Identifier: MPL-2.0

package operation_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// secretCluster is a fake cluster with Kubernetes Secrets, each with the key "k".
type secretCluster struct {
	*storageCluster
	secrets   []string
	forbidden bool
	looked    []string
}

func (c *secretCluster) HasSecret(_ context.Context, _, name string) (bool, error) {
	c.looked = append(c.looked, name)
	if c.forbidden {
		return false, fmt.Errorf("get: %w", cluster.ErrForbidden)
	}
	return slices.Contains(c.secrets, name), nil
}

func (c *secretCluster) SecretValue(_ context.Context, name, _ string) (string, error) {
	if !slices.Contains(c.secrets, name) {
		return "", cluster.NotFound("the Secret %s does not exist", name)
	}
	return "value", nil
}

// needing returns a job that uses each given Kubernetes Secret for both a
// secret and a storage.
func needing(name, command string, secrets ...string) *resolve.Job {
	job := onGPU(name, command)
	for _, s := range secrets {
		declared := &hclspec.Secret{Name: s, Kubernetes: &hclspec.SecretKey{Name: s, Key: "k"}, Path: hclspec.Path("secret." + s)}
		job.Secrets = append(job.Secrets, &resolve.Secret{Name: s, Declared: declared})
		azure := &hclspec.Storage{Name: s, AzureFile: &hclspec.AzureFileVolume{Share: "share", SecretName: s}, Path: hclspec.Path("storage." + s)}
		job.TaskRoles[0].Mounts = append(job.TaskRoles[0].Mounts, &resolve.Mount{Storage: s, Declared: azure})
	}
	return job
}

func TestOnlyMissingKubernetesSecretsOfCreatedJobsAreReported(t *testing.T) {
	t.Parallel()
	const value, volume = `the value of the secret "t": the Kubernetes Secret t does not exist`, "the Kubernetes Secret t of storage.t, which does not exist"
	running := []*planner.LiveJob{live(needing("a", "ls", "t"))}
	tests := map[string]struct {
		cluster secretCluster
		jobs    []*resolve.Job
		live    []*planner.LiveJob
		want    []string
		looked  int
	}{
		"a Secret that exists":              {secretCluster{secrets: []string{"t"}}, []*resolve.Job{needing("a", "ls", "t")}, nil, nil, 1},
		"a Secret that may not be read":     {secretCluster{forbidden: true}, []*resolve.Job{needing("a", "ls", "t")}, nil, nil, 1},
		"two new jobs without their Secret": {secretCluster{}, []*resolve.Job{needing("a", "ls", "t"), needing("b", "ls", "t")}, nil, []string{"warning: job.a, job.b cannot be created without 2 secrets: " + value + "; " + volume + "."}, 1},
		"a running job is replaced":         {secretCluster{}, []*resolve.Job{needing("a", "pwd", "t")}, running, []string{`error: job.a cannot be created without 2 secrets: the value of the secret "t": the Secret t does not exist; ` + volume + "."}, 1},
		"an unchanged job":                  {secretCluster{}, []*resolve.Job{needing("a", "ls", "t")}, running, nil, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.cluster.storageCluster = &storageCluster{fake: &fake{jobs: tt.live}}
			plan, err := newOperation(&tt.cluster, onCluster).Plan(t.Context(), operation.Request{Jobs: tt.jobs})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, secretDiagnostics(plan)); diff != "" || len(tt.cluster.looked) != tt.looked {
				t.Errorf("looked for %v; diagnostics (-want +got):\n%s", tt.cluster.looked, diff)
			}
		})
	}
}

// TestOnlyMissingLocalSecretsOfAssumedJobsAreReported checks a plan with an assumed
// state. The plan reports a missing value only if no cluster stores the value. It
// reports an error if it would replace a job that may be unfinished.
func TestOnlyMissingLocalSecretsOfAssumedJobsAreReported(t *testing.T) {
	t.Parallel()
	inFile := newJob("a", "pwd")
	inFile.Secrets = []*resolve.Secret{{Name: "t", Declared: &hclspec.Secret{Name: "t", File: "t", Path: "secret.t"}}}
	unknown := live(newJob("a", "ls"), func(j *planner.LiveJob) { j.State, j.RunningTasks = planner.StateUnknown, 0 })
	tests := map[string]struct {
		job     *resolve.Job
		live    *planner.LiveJob
		destroy bool
		want    []string
	}{
		"a job that may run is replaced": {inFile, unknown, false, []string{`error: job.a cannot be created without the value of the secret "t": no file.`}},
		"a finished job is run again":    {rerunnable(inFile), live(newJob("a", "ls"), ended), false, []string{`warning: job.a cannot be created without the value of the secret "t": no file.`}},
		"a secret of the cluster":        {needing("a", "pwd", "t"), nil, false, nil},
		"the job is deleted":             {inFile, unknown, true, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assumed := &planner.Snapshot{}
			if tt.live != nil {
				assumed.Jobs = []*planner.LiveJob{tt.live}
			}
			o := newOperation(nil, func(o *operation.Options) {
				o.Secret = func(*hclspec.Secret) (string, error) { return "", errors.New("no file") }
			})
			plan, err := o.Plan(t.Context(), operation.Request{
				Jobs: []*resolve.Job{tt.job}, Destroy: tt.destroy, Assumed: map[string]*planner.Snapshot{tt.job.Cluster: assumed},
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, secretDiagnostics(plan)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func rerunnable(job *resolve.Job) *resolve.Job {
	again := *job
	again.Rerun = "on_change"
	return &again
}

// secretDiagnostics returns the details of the SecretUnavailable diagnostics,
// each prefixed with "error: " if the plan has errors, otherwise with
// "warning: ".
func secretDiagnostics(plan *operation.Plan) []string {
	var got []string
	for _, d := range plan.Diagnostics {
		if hclspec.Code(d) == operation.SecretUnavailable.Code {
			got = append(got, map[bool]string{true: "error: ", false: "warning: "}[plan.Diagnostics.HasErrors()]+d.Detail)
		}
	}
	return got
}
