// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// server is the control plane shared by all tests of this package.
var server *apitest.Server

func TestMain(m *testing.M) {
	if os.Getenv(crashEnv) != "" {
		os.Exit(crashMain())
	}
	// These tests mostly wait for timeouts, so they run in parallel.
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	var err error
	if server, err = apitest.Start(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	server.Stop()
	os.Exit(code)
}

var notInLabel = regexp.MustCompile(`[^a-z0-9]+`)

// namespaces counts the namespaces created by tests.
var namespaces atomic.Int64

func newNamespace(t testing.TB) string {
	t.Helper()
	name := strings.Trim(notInLabel.ReplaceAllString(strings.ToLower(t.Name()), "-"), "-")
	name = strings.Trim(name[:min(len(name), 40)], "-") + fmt.Sprintf("-%d", namespaces.Add(1))
	kinds := server.Dynamic().Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"})
	_, err := kinds.Create(t.Context(), &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name},
	}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return name
}

func open(t testing.TB, namespace, workspace string) *Cluster {
	t.Helper()
	return openAt(t, server.Kubeconfig, namespace, workspace)
}

func openAt(t testing.TB, kubeconfig, namespace, workspace string) *Cluster {
	t.Helper()
	c, err := Open(&hclspec.Cluster{Name: "gpu", Kubeconfig: kubeconfig, Namespace: namespace}, Options{
		Workspace:     workspace,
		LeaseDuration: time.Second, RequestTimeout: 2 * time.Second, RetryPause: 5 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// planOf plans jobs against the current cluster.
func planOf(t testing.TB, c *Cluster, o planner.Options) *planner.Plan {
	t.Helper()
	p, err := tryPlan(t.Context(), c, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func tryPlan(ctx context.Context, c *Cluster, o planner.Options) (*planner.Plan, error) {
	o.Workspace = c.options.Workspace
	var names []string
	for _, j := range o.Jobs {
		names = append(names, j.Framework)
	}
	snapshot, err := c.Read(ctx, o.Workspace, names)
	if err != nil {
		return nil, err
	}
	o.RenderTargets = map[string]render.Target{"gpu": *c.target()}
	o.Live = map[string]*planner.Snapshot{"gpu": snapshot}
	o.SecretValue = func(_ string, s *resolve.Secret) (string, bool) { return "value of " + s.Name, true }
	p := planner.New(o)
	if p.Diagnostics.HasErrors() {
		return nil, p.Diagnostics
	}
	return p, nil
}

// applyPlan plans and applies.
func applyPlan(ctx context.Context, c *Cluster, o planner.Options) error {
	p, err := tryPlan(ctx, c, o)
	if err != nil {
		return err
	}
	unlock, err := c.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	err = cluster.Apply(ctx, p, map[string]cluster.Cluster{"gpu": c}, cluster.ApplyOptions{
		Secret: func(_ context.Context, s *resolve.Secret) (string, error) { return "value of " + s.Name, nil },
	})
	return errors.Join(err, c.CleanUp(ctx, planner.DeclaredByCommandLine))
}

func mustApply(t testing.TB, c *Cluster, o planner.Options) {
	t.Helper()
	if err := applyPlan(t.Context(), c, o); err != nil {
		t.Fatal(err)
	}
}

func mustBeEmpty(t testing.TB, c *Cluster, jobs ...*resolve.Job) {
	t.Helper()
	for _, change := range planOf(t, c, planner.Options{Jobs: jobs}).Changes {
		if change.Action != planner.NoOp {
			t.Errorf("plan is not empty: %s %s: %s %+v %+v", change.Action, change.Address, change.Reason, change.Fields, change.Drift)
		}
	}
}

// leftovers lists the objects in a namespace, except objects from Kubernetes.
func leftovers(t testing.TB, namespace string) []string {
	t.Helper()
	var all []string
	for _, k := range append([]api.Resource{api.Frameworks, api.Pods, api.Claims, api.Leases}, dependentKinds...) {
		group, version := "", "v1"
		if g, v, ok := strings.Cut(k.APIVersion, "/"); ok {
			group, version = g, v
		}
		found, err := server.Dynamic().Resource(schema.GroupVersionResource{Group: group, Version: version, Resource: k.Plural}).Namespace(namespace).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range found.Items {
			if name := o.GetName(); name != "default" && name != "kube-root-ca.crt" {
				all = append(all, k.Kind+" "+name)
			}
		}
	}
	return all
}

// mustBeGone waits until the garbage collector has removed all other objects.
func mustBeGone(t testing.TB, namespace string, except ...string) {
	t.Helper()
	var remaining []string
	for range 200 {
		remaining = slices.DeleteFunc(leftovers(t, namespace), func(o string) bool { return slices.Contains(except, o) })
		if len(remaining) == 0 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("left in the namespace: %s", strings.Join(remaining, ", "))
}

func removeNamed(t testing.TB, c *Cluster, k api.Resource, name string) {
	t.Helper()
	h, err := c.getHeader(t.Context(), k, name)
	if err == nil && h != nil {
		err = c.removeVersion(t.Context(), k, h.Metadata, "Background")
	}
	if err != nil {
		t.Fatal(err)
	}
}
