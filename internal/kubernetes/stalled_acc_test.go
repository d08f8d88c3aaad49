// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"errors"
	"slices"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/engine"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// keepFinalizer is a patch that adds a finalizer. The finalizer blocks the
// deletion of an object, like foreground deletion while Pods are terminating.
const keepFinalizer = `{"metadata":{"finalizers":["example.org/keep"]}}`

// halves is the list of incomplete states after a killed command or a change
// by another user.
var halves = map[string]struct{ patch, undo string }{
	"killed before the permission to start":     {patch: `{"spec":{"executionType":"Create"}}`},
	"killed during the deletion":                {patch: keepFinalizer, undo: `{"metadata":{"finalizers":null}}`},
	"its Framework was deleted by another user": {},
}

// TestWaitEndsForAnIncompleteJob checks that wait returns if no command is
// processing the incomplete job. The job would never start.
func TestWaitEndsForAnIncompleteJob(t *testing.T) {
	for name, h := range halves {
		t.Run(name, func(t *testing.T) {
			c := open(t, newNamespace(t), "vision")
			j := plainJob("vision", "half")
			mustApply(t, c, planner.Options{Jobs: []*resolve.Job{j}})
			live := server.Dynamic().Resource(schema.GroupVersionResource{Group: "frameworkcontroller.microsoft.com", Version: "v1", Resource: "frameworks"}).Namespace(c.namespace)
			change(t, live, j.Framework, h.patch)
			if h.undo != "" || h.patch == "" {
				if err := live.Delete(t.Context(), j.Framework, metav1.DeleteOptions{}); err != nil {
					t.Fatal(err)
				}
			}
			// First, an apply holds the lock. Afterwards, the Lease of a killed
			// apply remains.
			unlock, err := c.Lock(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if st := statusOf(t, c, j); st.Stalled != "" {
				t.Errorf("the job is stalled while a command processes it: %q", st.Stalled)
			}
			unlock()
			remaining, err := c.makeLease(t.Context(), leaseName(c.options.Workspace))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := cluster.Wait(t.Context(), open(t, c.namespace, "vision"), j.Framework, cluster.Running, nil); !errors.Is(err, cluster.ErrStalled) {
				t.Errorf("wait with a Lease that is not renewed: %v", err)
			}
			c.release(remaining)
			if st := statusOf(t, c, j); st.Stalled == "" {
				t.Errorf("without a Lease: %+v", st)
			} else if st.Stalled == cluster.PartlySubmitted && (len(st.Notes) > 0 || !st.Problem.Empty()) {
				t.Errorf("status reports more than one sentence: notes %q, problem %q", st.Notes, st.Problem)
			}
			change(t, live, j.Framework, h.undo)
			mustApply(t, c, planner.Options{Jobs: []*resolve.Job{j}})
			if err := (&engine.Engine{Client: server.Dynamic(), Namespace: c.namespace}).Prepare(t.Context(), j.Framework); err != nil {
				t.Fatal(err)
			}
			if st := statusOf(t, c, j); st.Stalled != "" || st.State != planner.StateWaiting {
				t.Errorf("status after the next apply: %+v", st)
			}
		})
	}
}

// TestADeletedFrameworkStallsItsJob checks that status does not show the last observed
// state as the current state. It also checks that Stop returns cluster.ErrStalled.
func TestADeletedFrameworkStallsItsJob(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	j := plainJob("vision", "gone")
	mustApply(t, c, planner.Options{Jobs: []*resolve.Job{j}})
	if err := (&engine.Engine{Client: server.Dynamic(), Namespace: c.namespace}).Prepare(t.Context(), j.Framework); err != nil {
		t.Fatal(err)
	}
	if st := statusOf(t, c, j); st.State != planner.StateWaiting {
		t.Fatalf("before: %+v", st)
	}
	frameworks := server.Dynamic().Resource(schema.GroupVersionResource{Group: "frameworkcontroller.microsoft.com", Version: "v1", Resource: "frameworks"}).Namespace(c.namespace)
	if err := frameworks.Delete(t.Context(), j.Framework, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	st := statusOf(t, c, j)
	if st.State != planner.StateGone || st.Stalled != cluster.FrameworkGone || !slices.Equal(st.Notes, []string{"The last known state of the job is WAITING."}) {
		t.Errorf("%+v", st)
	}
	if err := c.Stop(t.Context(), j.Framework); !errors.Is(err, cluster.ErrStalled) {
		t.Errorf("stop: %v", err)
	}
	mustApply(t, c, planner.Options{Jobs: []*resolve.Job{j}, Destroy: true})
}

// TestWaitEndsForADestroyedJob covers the deletion of both the Framework and
// the record.
func TestWaitEndsForADestroyedJob(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	j := plainJob("vision", "short")
	mustApply(t, c, planner.Options{Jobs: []*resolve.Job{j}})
	statusOf(t, c, j)
	mustApply(t, open(t, c.namespace, "vision"), planner.Options{Jobs: []*resolve.Job{j}, Destroy: true})
	if _, err := cluster.Wait(t.Context(), c, j.Framework, cluster.Finished, nil); !errors.Is(err, cluster.ErrNotFound) {
		t.Errorf("wait: %v", err)
	}
}

// change does nothing if the object does not exist or the patch is empty.
func change(t *testing.T, kind dynamic.ResourceInterface, name, patch string) {
	t.Helper()
	if patch == "" {
		return
	}
	if _, err := kind.Patch(t.Context(), name, types.MergePatchType, []byte(patch), metav1.PatchOptions{}); err != nil && !apierrors.IsNotFound(err) {
		t.Fatal(err)
	}
}
