// SPDX-License-Identifier: MPL-2.0

//go:build acc && unix

package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/engine"
)

// TestEachScriptPassesOnBothClusters runs testdata/both on an API server whose node
// runs the real runtime. Each script uses a namespace named after the script.
func TestEachScriptPassesOnBothClusters(t *testing.T) {
	server, err := apitest.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	program := buildRuntime(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/both", RequireExplicitExec: true, RequireUniqueNames: true, Deadline: time.Now().Add(3 * time.Minute),
		Setup: func(env *testscript.Env) error {
			namespace := strings.TrimPrefix(filepath.Base(env.WorkDir), "script-")
			env.Setenv("NO_COLOR", "1")
			env.Setenv("KUBECONFIG", server.Kubeconfig)
			env.Setenv("NAMESPACE", namespace)
			if err := os.WriteFile(filepath.Join(env.WorkDir, "cluster.pai.hcl"), []byte(clusterBlock(namespace)), 0o644); err != nil {
				return err
			}
			o := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": namespace}}}
			_, err := server.Dynamic().Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}).Create(t.Context(), o, metav1.CreateOptions{})
			if err != nil {
				return err
			}
			startNode(t, server.Dynamic(), namespace, program)
			ctx, cancel := context.WithCancel(context.Background())
			done := make(chan error, 1)
			go func() { done <- followAll(ctx, server.Dynamic(), namespace) }()
			env.Defer(func() {
				cancel()
				if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
				endAll(t, env.WorkDir)
			})
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": cmdExits, "in-order": cmdInOrder, "waitfile": cmdWaitFile, "same-lines": cmdSameLines, "serve": cmdServe, "servegit": cmdServeGit},
	})
}

// clusterBlock returns the cluster block that the jobs of a script use.
func clusterBlock(namespace string) string {
	return `cluster "east" {
  namespace = "` + namespace + `"
  user      = "alice"
  runtime { image = "registry.example.org/runtime@sha256:cf474e16bcd9a08b44df94bea23eca3f28a152d188c4bf32b17bbaa2b3a5a6a4" }
}
`
}

// followAll acts as FrameworkController for every Framework in a namespace.
func followAll(ctx context.Context, client dynamic.Interface, namespace string) error {
	known := map[string]bool{}
	for {
		all, err := client.Resource(apitest.Frameworks).Namespace(namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for _, o := range all.Items {
			if known[string(o.GetUID())] {
				continue
			}
			known[string(o.GetUID())] = true
			go func() { _ = (&engine.Engine{Client: client, Namespace: namespace}).Follow(ctx, o.GetName()) }()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// cmdSameLines implements same-lines FILE FILE: the files must contain the same
// lines, in any order. The script fails if a file is empty.
func cmdSameLines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: same-lines FILE FILE")
	}
	var sets [2][]string
	for i, name := range args {
		sets[i] = strings.Split(strings.TrimSpace(ts.ReadFile(name)), "\n")
		slices.Sort(sets[i])
	}
	if !slices.Equal(sets[0], sets[1]) || len(sets[0]) == 1 && sets[0][0] == "" {
		ts.Fatalf("%s has\n%s\n%s has\n%s", args[0], strings.Join(sets[0], "\n"), args[1], strings.Join(sets[1], "\n"))
	}
}
