// SPDX-License-Identifier: MPL-2.0

//go:build acc && unix

package main

import (
	"context"
	"path/filepath"
	"strings"
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

// TestEachScriptOfAWaitingJobPasses runs testdata/waiting on an API server. The
// scripts act as FrameworkController, scheduler and kubelet. Each script uses a
// namespace with the script's name.
func TestEachScriptOfAWaitingJobPasses(t *testing.T) {
	server, err := apitest.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	s := scene{t.Context(), server.Dynamic()}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/waiting", RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("NO_COLOR", "1")
			env.Setenv("KUBECONFIG", server.Kubeconfig)
			name := strings.TrimPrefix(filepath.Base(env.WorkDir), "script-")
			env.Setenv("NAMESPACE", name)
			namespace := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name}}}
			_, err := server.Dynamic().Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}).Create(t.Context(), namespace, metav1.CreateOptions{})
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": cmdExits, "in-order": cmdInOrder, "waitfile": cmdWaitFile,
			"prepare": s.prepare, "begin": s.begin, "patch": s.patch, "delete": s.delete,
		},
	})
}

// scene implements the script commands that change the jobs in a namespace.
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
	return s.client.Resource(kind).Namespace(ts.Getenv("NAMESPACE"))
}

// framework waits until the script's Framework exists, and returns its name.
func (s scene) framework(ts *testscript.TestScript) string {
	for {
		found, err := s.resource(ts, "frameworks").List(s.ctx, metav1.ListOptions{})
		ts.Check(err)
		if len(found.Items) > 0 {
			return found.Items[0].GetName()
		}
		select {
		case <-s.ctx.Done():
			ts.Fatalf("no Framework was created")
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func (s scene) engine(ts *testscript.TestScript) *engine.Engine {
	return &engine.Engine{Client: s.client, Namespace: ts.Getenv("NAMESPACE")}
}

// prepare waits for the Framework and starts its attempt.
func (s scene) prepare(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Check(s.engine(ts).Prepare(s.ctx, s.framework(ts)))
}

// begin implements begin: it marks every task as running.
func (s scene) begin(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Check(s.engine(ts).Run(s.ctx, s.framework(ts)))
}

// delete implements delete RESOURCE: it removes all objects of a type.
func (s scene) delete(ts *testscript.TestScript, _ bool, args []string) {
	now := int64(0)
	ts.Check(s.resource(ts, args[0]).DeleteCollection(s.ctx, metav1.DeleteOptions{GracePeriodSeconds: &now}, metav1.ListOptions{}))
}

// patch implements patch RESOURCE FILE: it applies the merge patch in FILE to all
// objects of a type.
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
