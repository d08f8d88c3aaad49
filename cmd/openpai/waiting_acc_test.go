//go:build acc && unix

package main

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/engine"
)

const waitingNamespace = "waiting"

// TestWaiting runs testdata/waiting on an API server, where the script plays the
// engine, the scheduler and the kubelet: run prints for what its job waits.
func TestWaiting(t *testing.T) {
	server, err := apitest.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	namespace := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": waitingNamespace}}}
	namespaces := schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	if _, err := server.Dynamic().Resource(namespaces).Create(t.Context(), namespace, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	s := scene{t.Context(), server.Dynamic()}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/waiting", RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("NO_COLOR", "1")
			env.Setenv("KUBECONFIG", server.Kubeconfig)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": cmdExits, "prepare": s.prepare, "patch": s.patch},
	})
}

// scene is what the script does to the jobs of its namespace.
type scene struct {
	ctx    context.Context
	client dynamic.Interface
}

func (s scene) resource(ts *testscript.TestScript, name string) dynamic.ResourceInterface {
	kind, known := map[string]schema.GroupVersionResource{
		"frameworks": {Group: "frameworkcontroller.microsoft.com", Version: "v1", Resource: "frameworks"},
		"pods":       {Version: "v1", Resource: "pods"},
	}[name]
	if !known {
		ts.Fatalf("no resource %s", name)
	}
	return s.client.Resource(kind).Namespace(waitingNamespace)
}

// prepare waits for the Framework and begins its attempt.
func (s scene) prepare(ts *testscript.TestScript, _ bool, _ []string) {
	for {
		found, err := s.resource(ts, "frameworks").List(s.ctx, metav1.ListOptions{})
		ts.Check(err)
		if len(found.Items) > 0 {
			e := &engine.Engine{Client: s.client, Namespace: waitingNamespace}
			ts.Check(e.Prepare(s.ctx, found.Items[0].GetName()))
			return
		}
		select {
		case <-s.ctx.Done():
			ts.Fatalf("no Framework was created")
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// patch merges a file into every object of a resource: patch RESOURCE FILE.
func (s scene) patch(ts *testscript.TestScript, _ bool, args []string) {
	objects := s.resource(ts, args[0])
	found, err := objects.List(s.ctx, metav1.ListOptions{})
	ts.Check(err)
	var subresources []string
	if args[0] == "pods" {
		subresources = []string{"status"}
	}
	for _, o := range found.Items {
		_, err := objects.Patch(s.ctx, o.GetName(), types.MergePatchType, []byte(ts.ReadFile(filepath.Clean(args[1]))), metav1.PatchOptions{}, subresources...)
		ts.Check(err)
	}
}
