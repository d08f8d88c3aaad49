// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"errors"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// classOf returns nil if the class does not exist.
func classOf(t *testing.T, c *Cluster, j *resolve.Job) *framework.PriorityClass {
	t.Helper()
	var class framework.PriorityClass
	err := c.get(t.Context(), api.PriorityClasses, render.PriorityClassName(c.namespace, j.Framework), &class)
	if api.IsNotFound(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return &class
}

func TestAPriorityClassLivesAsLongAsItsJob(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	c.target().PriorityClass = &hclspec.PriorityClass{PreemptionPolicy: "Never"}
	now := time.Unix(1609459200, 0)
	c.options.Now = func() time.Time { return now }
	j := plainJob("vision", "mnist")
	if err := c.Create(t.Context(), submission(c, j)); err != nil {
		t.Fatal(err)
	}
	class := classOf(t, c, j)
	if class == nil || class.Value != -2130634336 || class.PreemptionPolicy != "Never" || len(class.Metadata.OwnerReferences) > 0 {
		t.Fatalf("class %+v", class)
	}
	now = now.Add(time.Hour)
	if err := c.Create(t.Context(), submission(c, j)); err != nil { // as after an interruption
		t.Fatal(err)
	}
	mustBeEmpty(t, c, j)
	if again := classOf(t, c, j); again.Value != class.Value || again.Metadata.UID != class.Metadata.UID {
		t.Errorf("a second apply changed the class: %+v", again)
	}
	c.target().PriorityClass = nil // the block is removed, but the record still refers to the class
	mustBeEmpty(t, c, j)
	mustApply(t, c, planner.Options{Destroy: true})
	if remaining := classOf(t, c, j); remaining != nil {
		t.Errorf("destroy left %+v", remaining)
	}
	mustBeGone(t, c.namespace)
}

func TestPriorityClassesOfOtherWorkspacesAreNotTakenOver(t *testing.T) {
	namespace := newNamespace(t)
	c, other := open(t, namespace, "vision"), open(t, namespace, "speech")
	j := plainJob("vision", "mnist")
	for _, cluster := range []*Cluster{c, other} {
		cluster.target().PriorityClass = &hclspec.PriorityClass{}
		if _, err := cluster.connect(); err != nil {
			t.Fatal(err)
		}
	}
	stolen := *j
	stolen.Workspace = "speech"
	theirs := other.priorityClass(submission(other, &stolen))
	if err := other.makePriorityClass(t.Context(), theirs); err != nil {
		t.Fatal(err)
	}
	var foreign *ForeignError
	if err := c.Create(t.Context(), submission(c, j)); !errors.As(err, &foreign) {
		t.Errorf("create a job whose class belongs to another workspace: %v", err)
	}
	if err := c.Delete(t.Context(), j.Framework); err != nil {
		t.Fatal(err)
	}
	if classOf(t, c, j) == nil {
		t.Error("the class of another workspace was deleted")
	}
	removeNamed(t, other, api.PriorityClasses, theirs.Metadata.Name)
}
