// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"sync"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/install"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/fault"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// TestAUserAppliesAGang applies and destroys a gang as a user who is not an
// administrator. The user must create a role and bind it. Binding fails until
// the role exists. The test delays the creation of the role.
func TestAUserAppliesAGang(t *testing.T) {
	namespace := newNamespace(t)
	grant(t, namespace, install.Options{JobNamespace: namespace, EngineNamespace: "e", Users: []string{"alice"}})
	jobs := planner.Options{Jobs: []*resolve.Job{sampleJob("vision", "mnist")}}
	var late sync.Once
	proxy, err := fault.New(server, func(r fault.Request) (k fault.Kind, hit bool) {
		if requestName(r, namespace) == "PATCH roles/JOB-runtime" {
			late.Do(func() { k, hit = fault.Unavailable, true })
		}
		return k, hit
	})
	if err != nil {
		t.Fatal(err)
	}
	defer proxy.Close()
	file, err := server.WriteKubeconfigAs("alice", proxy.URL, namespace)
	if err != nil {
		t.Fatal(err)
	}
	c := openAt(t, file, namespace, "vision")
	mustApply(t, c, jobs)
	mustBeEmpty(t, c, jobs.Jobs...)
	jobs.Destroy = true
	mustApply(t, c, jobs)
	mustBeGone(t, namespace, "Role openpai-user", "RoleBinding openpai-user")
}

// TestAUserOfALimitedRoleApplies applies a job with secrets. The user's role
// permits reading only one Secret: the Secret with the key.
func TestAUserOfALimitedRoleApplies(t *testing.T) {
	namespace := newNamespace(t)
	grant(t, namespace, install.Options{JobNamespace: namespace, EngineNamespace: "e", Users: []string{"alice"}, Workspaces: []string{"vision"}})
	job := sampleJob("vision", "mnist")
	if len(job.Secrets) == 0 {
		t.Fatal("the job has no secrets")
	}
	jobs := planner.Options{Jobs: []*resolve.Job{job}}
	c := asUser(t, "alice", namespace)
	mustApply(t, c, jobs)
	mustBeEmpty(t, c, job)
	jobs.Destroy = true
	mustApply(t, c, jobs)
	mustBeGone(t, namespace, "Role openpai-user", "RoleBinding openpai-user")
}

// TestGuardReportsNothingToAnUnprivilegedUser checks that Guard reports neither
// diagnostics nor an error to a user who may not read OpenPAI's components.
func TestGuardReportsNothingToAnUnprivilegedUser(t *testing.T) {
	c := asUser(t, "mallory", newNamespace(t))
	if found, err := c.Guard(t.Context(), nil); err != nil || len(found) > 0 {
		t.Errorf("diagnostics %v, error %v", found, err)
	}
}
