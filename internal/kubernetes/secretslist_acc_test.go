// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/install"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// A plan shows a deleted Secret, although the user role does not permit lists of
// Secrets.
func TestAUserSeesThatASecretIsGone(t *testing.T) {
	namespace := newNamespace(t)
	grant(t, namespace, install.Options{JobNamespace: namespace, EngineNamespace: "e", Users: []string{"alice"}})
	c, job := asUser(t, "alice", namespace), sampleJob("vision", "mnist")
	mustApply(t, c, planner.Options{Jobs: []*resolve.Job{job}})
	mustBeEmpty(t, c, job)
	secrets := server.Dynamic().Resource(schema.GroupVersionResource{Version: "v1", Resource: "secrets"}).Namespace(namespace)
	if err := secrets.Delete(t.Context(), contract.JobSecret(job.Framework), metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	s, err := c.Read(t.Context(), "vision", nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Jobs) != 1 || len(s.Jobs[0].Drift) == 0 {
		t.Errorf("the plan shows no drift: %+v", s.Jobs)
	}
}
