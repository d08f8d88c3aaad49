// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/fault"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// The test injects every fault into each request of every scene. The command must
// succeed or return a typed error. The next command must converge. No job may start
// twice.
func TestCommandsConvergeAfterEverySingleFault(t *testing.T) {
	for _, scene := range scenes {
		for _, request := range referenceRequests(t, scene) {
			for _, kind := range fault.All {
				if strings.HasPrefix(request, "GET") && !slices.Contains(readFaults, kind) {
					continue
				}
				t.Run(fmt.Sprintf("%s/%s/%s", scene.name, request, kind), func(t *testing.T) {
					t.Parallel()
					for range 3 {
						if spoil(t, scene, request, kind) {
							return
						}
					}
					t.Error("the proxy did not receive the request")
				})
			}
		}
	}
}

// readFaults are the faults for reads. Faults before and after a read are
// equivalent, because a read does not change objects.
var readFaults = []fault.Kind{fault.TooMany, fault.Unavailable, fault.Forbidden, fault.HangBefore, fault.ResetBefore}

// spoil injects one fault in a new namespace. It reports whether the proxy received
// the request. The client does not always send this request, because the number of
// reads in a polling loop varies.
func spoil(t *testing.T, s scene, request string, kind fault.Kind) bool {
	namespace := newNamespace(t)
	s.before(t, open(t, namespace, "vision"))
	started := watchStarts(t, namespace)
	seen, came := newTraffic(namespace), false
	c, proxy := behind(t, namespace, func(r fault.Request) (fault.Kind, bool) {
		hit := !came && seen.next(r) == request
		came = came || hit
		return kind, hit
	})
	err := s.do(t.Context(), c)
	proxy.Close() // forwards late requests first
	if !came {
		return false
	}
	if err != nil {
		var typed *api.Error
		if !errors.As(err, &typed) || typed.What == "" {
			t.Fatalf("the error does not contain its operation: %v", err)
		}
		if err := s.do(t.Context(), open(t, namespace, "vision")); err != nil {
			t.Fatalf("the next apply does not converge: %v (error of the first apply: %v)", err, typed)
		}
	}
	started.mustBeAtMost(t, s.starts, namespace)
	s.after(t, open(t, namespace, "vision"))
	return true
}

// mustBeComplete requires that the job is started, and that exactly the job's
// objects exist.
func mustBeComplete(t *testing.T, c *Cluster, j *resolve.Job) {
	t.Helper()
	mustBeEmpty(t, c, j)
	fw, err := c.framework(t.Context(), j.Framework)
	if err != nil || fw.Spec.ExecutionType != framework.ExecutionStart {
		t.Fatalf("the job is not started: %v", err)
	}
	r, err := c.loadRecord(t.Context(), j.Framework)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"Framework " + j.Framework, "ConfigMap " + r.meta.Name}
	if len(j.Secrets) > 0 {
		want = append(want, "Secret "+keyName("vision"))
	}
	for _, o := range r.Objects {
		want = append(want, o.String())
		k, _ := byKind(o.Kind)
		if owners := ownersOf(t, c.namespace, k, o.Name); len(owners) != 1 || string(owners[0].UID) != fw.Metadata.UID {
			t.Errorf("the owner of %s is %v", o, owners)
		}
	}
	slices.Sort(want)
	got := leftovers(t, c.namespace)
	// An unreleased Lease expires.
	got = slices.DeleteFunc(got, func(o string) bool { return o == "Lease "+leaseName("vision") })
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("objects %v, want %v", got, want)
	}
}

func ownersOf(t *testing.T, namespace string, k api.Resource, name string) []metav1.OwnerReference {
	t.Helper()
	group, version := "", "v1"
	if g, v, ok := strings.Cut(k.APIVersion, "/"); ok {
		group, version = g, v
	}
	o, err := server.Dynamic().Resource(schema.GroupVersionResource{Group: group, Version: version, Resource: k.Plural}).Namespace(namespace).Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return o.GetOwnerReferences()
}
