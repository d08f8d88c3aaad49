// SPDX-License-Identifier: MPL-2.0

package operation_test

import (
	"errors"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func TestPlanRejectsUnsafeClustersAndMissingNames(t *testing.T) {
	t.Parallel()
	unsafe := hcl.Diagnostics{hclspec.LivingOpenPAI.At(hcl.Range{}, "It deletes jobs.")}
	gpu := &hclspec.Cluster{Name: "gpu", User: "alice"}
	tests := map[string]struct {
		cluster *fake
		change  func(*operation.Options)
		job     func(*resolve.Job)
		want    *hclspec.Entry
	}{
		"a cluster that is not safe": {&fake{unsafe: unsafe}, nil, nil, hclspec.LivingOpenPAI},
		"a workspace without a written name on Kubernetes": {
			&fake{}, func(o *operation.Options) { o.Named, o.Workspace.Clusters = false, []*hclspec.Cluster{gpu} },
			func(j *resolve.Job) { j.Cluster = "gpu" }, hclspec.UnnamedWorkspace,
		},
		"a cluster block without a user": {
			&fake{}, func(o *operation.Options) { o.Workspace.Clusters = []*hclspec.Cluster{{Name: "gpu"}} },
			func(j *resolve.Job) { j.Cluster = "gpu" }, hclspec.ClusterWithoutUser,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			job := newJob("mnist", "ls")
			if tt.job != nil {
				tt.job(job)
			}
			_, err := newOperation(tt.cluster, tt.change).Plan(t.Context(), operation.Request{Jobs: []*resolve.Job{job}})
			var refused *operation.Refused
			if !errors.As(err, &refused) || hclspec.Code(refused.Diagnostics[0]) != tt.want.Code {
				t.Errorf("error %v, want %s", err, tt.want.Code)
			}
		})
	}
}

func TestAClusterIsGuardedOnce(t *testing.T) {
	t.Parallel()
	c := &fake{}
	o := newOperation(c, nil)
	for range 3 {
		if _, err := o.Plan(t.Context(), operation.Request{Jobs: []*resolve.Job{newJob("a", "ls"), newJob("b", "ls")}}); err != nil {
			t.Fatal(err)
		}
	}
	if c.guards != 1 {
		t.Errorf("%d guard requests for three plans, want 1", c.guards)
	}
}

func TestAMissingSecretIsFoundBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	c := &fake{}
	o := newOperation(c, func(o *operation.Options) {
		o.Secret = func(*hclspec.Secret) (string, error) { return "", errors.New("no such variable") }
	})
	job := newJob("mnist", "ls")
	job.Secrets = []*resolve.Secret{{Name: "token", Declared: &hclspec.Secret{Name: "token"}}}
	p, err := o.Plan(t.Context(), operation.Request{Jobs: []*resolve.Job{newJob("other", "ls"), job}})
	if err != nil {
		t.Fatal(err)
	}
	err = o.Apply(t.Context(), p, operation.ApplyOptions{})
	var refused *operation.Refused
	if !errors.As(err, &refused) || hclspec.Code(refused.Diagnostics[0]) != operation.SecretUnavailable.Code || len(c.calls) > 0 {
		t.Errorf("error %v after %v", err, c.calls)
	}
}
