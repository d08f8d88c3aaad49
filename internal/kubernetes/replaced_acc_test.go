// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"context"
	"regexp"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/fault"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// TestAReplacedFrameworkIsNotChanged covers a Framework that another user
// replaces after the command's read.
func TestAReplacedFrameworkIsNotChanged(t *testing.T) {
	j := faultJobs(0).Jobs[0]
	complete := func(t *testing.T, c *Cluster) { mustApply(t, c, faultJobs(0)) }
	tests := map[string]struct {
		before func(*testing.T, *Cluster)
		do     func(context.Context, *Cluster) error
	}{
		"before it starts": {nothing, func(ctx context.Context, c *Cluster) error { return c.Create(ctx, submission(c, j)) }},
		"before it stops":  {complete, func(ctx context.Context, c *Cluster) error { return c.Stop(ctx, j.Framework) }},
		"before a change": {complete, func(ctx context.Context, c *Cluster) error {
			return c.Update(ctx, submission(c, faultJobs(2).Jobs[0]))
		}},
		"before it is adopted": {func(t *testing.T, c *Cluster) { makeForeign(t, c, j) },
			func(ctx context.Context, c *Cluster) error { return c.Adopt(ctx, j, planner.DeclaredByCommandLine, 0) }},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			namespace := newNamespace(t)
			tt.before(t, open(t, namespace, "vision"))
			seen := newTraffic(namespace)
			c, _ := behind(t, namespace, func(r fault.Request) (fault.Kind, bool) {
				if seen.next(r) == "PATCH frameworks/JOB" {
					replaceFramework(t, namespace, j.Framework)
				}
				return "", false
			})
			c.options.RequestTimeout = time.Minute
			if err := tt.do(t.Context(), c); err == nil || !regexp.MustCompile("plan again|it was replaced in the meantime").MatchString(err.Error()) {
				t.Errorf("error %v", err)
			}
			direct := open(t, namespace, "vision")
			if _, err := direct.connect(); err != nil {
				t.Fatal(err)
			}
			fw, err := direct.framework(t.Context(), j.Framework)
			if err != nil || fw.Spec.ExecutionType != framework.ExecutionCreate || len(fw.Metadata.Labels) != 1 || len(fw.Metadata.Annotations) != 1 {
				t.Errorf("the other Framework was changed: %+v, %v", fw, err)
			}
		})
	}
}

// TestAStopBeforeTheStartHolds checks that a job never starts if another user stops
// it during the apply.
func TestAStopBeforeTheStartHolds(t *testing.T) {
	namespace := newNamespace(t)
	j := faultJobs(0).Jobs[0]
	seen := newTraffic(namespace)
	c, _ := behind(t, namespace, func(r fault.Request) (fault.Kind, bool) {
		if seen.next(r) == "PATCH frameworks/JOB" {
			if err := open(t, namespace, "vision").Stop(t.Context(), j.Framework); err != nil {
				t.Error(err)
			}
		}
		return "", false
	})
	c.options.RequestTimeout = time.Minute
	started := watchStarts(t, namespace)
	if err := c.Create(t.Context(), submission(c, j)); err != nil {
		t.Fatal(err)
	}
	if fw, err := c.framework(t.Context(), j.Framework); err != nil || fw.Spec.ExecutionType != framework.ExecutionStop {
		t.Errorf("the job is no longer stopped: %v", err)
	}
	started.mustBeAtMost(t, 0, namespace)
}

// replaceFramework deletes a Framework and creates a new Framework with the
// same name and content, like a kubectl user.
func replaceFramework(t *testing.T, namespace, name string) {
	kind := server.Dynamic().Resource(apitest.Frameworks).Namespace(namespace)
	old, err := kind.Get(t.Context(), name, metav1.GetOptions{})
	if err == nil {
		err = kind.Delete(t.Context(), name, metav1.DeleteOptions{})
	}
	if err != nil {
		t.Error(err)
		return
	}
	theirs := map[string]any{"team": "other"}
	spec := old.Object["spec"].(map[string]any)
	spec["executionType"] = string(framework.ExecutionCreate)
	_, err = kind.Create(t.Context(), &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": api.Frameworks.APIVersion, "kind": api.Frameworks.Kind, "spec": spec,
		"metadata": map[string]any{"name": name, "labels": theirs, "annotations": theirs},
	}}, metav1.CreateOptions{})
	if err != nil {
		t.Error(err)
	}
}

// TestARecordThatChangedIsNotOverwritten checks that a command cannot save a
// stale record that another command has updated.
func TestARecordThatChangedIsNotOverwritten(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	mustApply(t, c, faultJobs(0))
	name := faultJobs(0).Jobs[0].Framework
	stale, err := c.loadRecord(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	mustApply(t, open(t, c.namespace, "vision"), faultJobs(2))
	stale.State = planner.StateFailed
	if err := c.saveRecord(t.Context(), stale); err == nil {
		t.Error("a command overwrote a record that another command had updated")
	}
	if r, err := c.loadRecord(t.Context(), name); err != nil || r.State == planner.StateFailed {
		t.Errorf("the record was changed: %+v, %v", r, err)
	}
}

// TestDeleteRemovesTheFrameworkLast checks that Delete removes the objects of
// a Framework before the Framework itself. This order prevents a new Framework
// from using the name before all Pods are deleted.
func TestDeleteRemovesTheFrameworkLast(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	mustApply(t, c, faultJobs(0))
	name := faultJobs(0).Jobs[0].Framework
	run := contract.RunConfigMap(name)
	held := server.Dynamic().Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Namespace(c.namespace)
	change(t, held, run, keepFinalizer)
	done := make(chan error, 1)
	go func() { done <- c.Delete(t.Context(), name) }()
	for {
		o, err := held.Get(t.Context(), run, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if o.GetDeletionTimestamp() != nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	ended := false
	select {
	case err := <-done:
		ended = true
		t.Errorf("the deletion ended before all objects of the job were deleted: %v", err)
	default:
	}
	change(t, held, run, `{"metadata":{"finalizers":null}}`)
	if ended {
		return
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}
