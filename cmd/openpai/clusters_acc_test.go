// SPDX-License-Identifier: MPL-2.0

//go:build acc && unix

package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
)

// TestEachScriptPassesOnTwoClusters runs testdata/clusters on two API servers.
// FrameworkController does not run on these clusters, so the jobs remain in
// the state WAITING.
func TestEachScriptPassesOnTwoClusters(t *testing.T) {
	var kubeconfigs []string
	frameworks, configMaps, secrets := map[string]dynamic.ResourceInterface{}, map[string]dynamic.ResourceInterface{}, map[string]dynamic.ResourceInterface{}
	names := []string{"east", "west"}
	for _, name := range names {
		server, err := apitest.Start(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(server.Stop)
		frameworks[name] = server.Dynamic().Resource(apitest.Frameworks).Namespace("default")
		configMaps[name] = server.Dynamic().Resource(corev1.SchemeGroupVersion.WithResource("configmaps")).Namespace("default")
		secrets[name] = server.Dynamic().Resource(corev1.SchemeGroupVersion.WithResource("secrets")).Namespace("default")
		kubeconfigs = append(kubeconfigs, server.Kubeconfig)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/clusters", RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("NO_COLOR", "1")
			for i, name := range names {
				text, err := os.ReadFile(kubeconfigs[i])
				if err != nil {
					return err
				}
				if err := os.WriteFile(filepath.Join(env.WorkDir, name+".kubeconfig"), text, 0o600); err != nil {
					return err
				}
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": cmdExits, "in-order": cmdInOrder, "waitfile": cmdWaitFile,
			// edit CLUSTER ADDRESS PATCH patches a job's Framework with the field
			// manager kubectl-edit.
			"edit": func(ts *testscript.TestScript, _ bool, args []string) {
				of := frameworks[args[0]]
				_, err := of.Patch(t.Context(), frameworkOf(ts, of, args[1]), types.JSONPatchType, []byte(args[2]), metav1.PatchOptions{FieldManager: "kubectl-edit"})
				ts.Check(err)
			},
			// remove CLUSTER ADDRESS deletes the Framework of a job.
			"remove": func(ts *testscript.TestScript, _ bool, args []string) {
				of := frameworks[args[0]]
				ts.Check(of.Delete(t.Context(), frameworkOf(ts, of, args[1]), metav1.DeleteOptions{}))
			},
			// secret CLUSTER NAME KEY=VALUE... writes a Secret.
			"secret": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Check(writeSecret(t.Context(), secrets[args[0]], args[1], args[2:]))
			},
			// hides CLUSTER WORKSPACE TEXT RECORDS fails if a ConfigMap contains the
			// text, even in compressed data. It also fails if the number of run
			// records is not RECORDS.
			"hides": func(ts *testscript.TestScript, _ bool, args []string) {
				if records := hides(ts, configMaps[args[0]], args[1], args[2]); fmt.Sprint(records) != args[3] {
					ts.Fatalf("%d records, want %s", records, args[3])
				}
			},
		},
	})
}

// writeSecret creates or changes a Secret with values of the form KEY=VALUE.
func writeSecret(ctx context.Context, of dynamic.ResourceInterface, name string, values []string) error {
	data := map[string]any{}
	for _, v := range values {
		key, value, _ := strings.Cut(v, "=")
		data[key] = value
	}
	o := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": name}, "stringData": data}}
	_, err := of.Apply(ctx, name, o, metav1.ApplyOptions{FieldManager: "test", Force: true})
	return err
}

// hides checks that no ConfigMap contains the text. It returns the number of
// run records of the workspace.
func hides(ts *testscript.TestScript, of dynamic.ResourceInterface, workspace, text string) (records int) {
	all, err := of.List(context.Background(), metav1.ListOptions{})
	ts.Check(err)
	for _, o := range all.Items {
		content, err := o.MarshalJSON()
		ts.Check(err)
		packed, _, err := unstructured.NestedStringMap(o.Object, "binaryData")
		ts.Check(err)
		for _, encoded := range packed {
			data, err := base64.StdEncoding.DecodeString(encoded)
			ts.Check(err)
			r, err := gzip.NewReader(bytes.NewReader(data))
			ts.Check(err)
			plain, err := io.ReadAll(r)
			ts.Check(err)
			content = append(content, plain...)
		}
		if a := o.GetAnnotations(); a[contract.AnnotationRunUID] != "" && a[contract.KeyWorkspace] == workspace {
			records++
		}
		if bytes.Contains(content, []byte(text)) {
			ts.Fatalf("ConfigMap %s holds %q", o.GetName(), text)
		}
	}
	return records
}

func frameworkOf(ts *testscript.TestScript, of dynamic.ResourceInterface, address string) string {
	all, err := of.List(context.Background(), metav1.ListOptions{})
	ts.Check(err)
	for _, f := range all.Items {
		if f.GetAnnotations()[contract.KeyAddress] == address {
			return f.GetName()
		}
	}
	ts.Fatalf("no Framework of %s", address)
	return ""
}
