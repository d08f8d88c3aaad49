// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// The annotation identifies the owner, because a label may contain a
// truncated name.
func TestWorkspacesWithEqualLabelsDoNotAffectEachOther(t *testing.T) {
	const long = "The Vision Team"
	short := contract.LabelValue(long)
	namespace := newNamespace(t)
	one, two := open(t, namespace, long), open(t, namespace, short)
	a, b := storing(sampleJob(long, "mnist"), "delete"), plainJob(short, "other")
	mustApply(t, one, planner.Options{Jobs: []*resolve.Job{a}})
	mustApply(t, two, planner.Options{Jobs: []*resolve.Job{b}})
	mustBeEmpty(t, one, a)
	mustBeEmpty(t, two, b)
	mustApply(t, two, planner.Options{Destroy: true})
	mustBeEmpty(t, one, a)
	if remaining := storagesLeft(t, one); len(remaining) != 8 {
		t.Errorf("the destroy of the other workspace left %v, want 4 volumes and 4 claims", remaining)
	}
	mustApply(t, one, planner.Options{Destroy: true})
	if remaining := storagesLeft(t, one); len(remaining) > 0 {
		t.Errorf("left: %v", remaining)
	}
}

// TestDestroyKeepsStoragesOfWorkspacesWithEqualLabels checks that destroying a workspace
// keeps storages of another workspace with the same label, even if no job
// mounts them yet.
func TestDestroyKeepsStoragesOfWorkspacesWithEqualLabels(t *testing.T) {
	const long = "The Speech Team"
	short := contract.LabelValue(long)
	namespace := newNamespace(t)
	one, two := open(t, namespace, long), open(t, namespace, short)
	for _, m := range storing(plainJob(long, "none"), "delete").TaskRoles[0].Mounts {
		if err := one.MakeStorage(t.Context(), m.Declared); err != nil {
			t.Fatal(err)
		}
	}
	mustApply(t, two, planner.Options{Jobs: []*resolve.Job{plainJob(short, "other")}})
	mustApply(t, two, planner.Options{Destroy: true})
	if remaining := storagesLeft(t, one); len(remaining) != 8 {
		t.Errorf("the destroy of the other workspace left %v, want 4 volumes and 4 claims", remaining)
	}
	for _, m := range storing(plainJob(long, "none"), "delete").TaskRoles[0].Mounts {
		if err := one.RemoveStorage(t.Context(), m.Declared); err != nil {
			t.Error(err)
		}
	}
}

// TestTheKeyOutlivesTheFrameworks checks that the key is kept as long as a record
// refers to it.
func TestTheKeyOutlivesTheFrameworks(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	done, other := sampleJob("vision", "done"), plainJob("vision", "other")
	mustApply(t, c, planner.Options{Jobs: []*resolve.Job{done, other}})
	r, err := c.loadRecord(t.Context(), done.Framework)
	if err != nil {
		t.Fatal(err)
	}
	r.State = planner.StateSucceeded
	if err := c.saveRecord(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if err := server.Dynamic().Resource(apitest.Frameworks).Namespace(c.namespace).Delete(t.Context(), done.Framework, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	mustApply(t, c, planner.Options{Jobs: []*resolve.Job{done}})
	if key, err := c.readSecretKey(t.Context(), "vision"); key == nil || err != nil {
		t.Errorf("the key was deleted although a record exists: %v", err)
	}
	mustBeEmpty(t, c, done)
}
