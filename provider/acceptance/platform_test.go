// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
)

// namespacedKinds are all kinds of objects that the provider creates in a namespace.
var namespacedKinds = []schema.GroupVersionResource{
	apitest.Frameworks, claimKind, configMapKind,
	{Version: "v1", Resource: "secrets"}, {Version: "v1", Resource: "serviceaccounts"},
	{Group: "coordination.k8s.io", Version: "v1", Resource: "leases"},
	{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "roles"},
	{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "rolebindings"},
}

// leftIn lists the objects and volumes of a namespace, except objects that
// Kubernetes creates.
func leftIn(t *testing.T, namespace string) []string {
	t.Helper()
	var remaining []string
	volumes, err := apiServer(t).Dynamic().Resource(volumeKind).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range volumes.Items {
		if strings.HasPrefix(o.GetName(), namespace+"-") && o.GetDeletionTimestamp() == nil {
			remaining = append(remaining, "volume "+o.GetName())
		}
	}
	for _, kind := range namespacedKinds {
		found, err := apiServer(t).Dynamic().Resource(kind).Namespace(namespace).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range found.Items {
			if o.GetName() != "kube-root-ca.crt" && o.GetName() != "default" && o.GetDeletionTimestamp() == nil {
				remaining = append(remaining, kind.Resource+"/"+o.GetName())
			}
		}
	}
	return remaining
}

// files lists the files of the project, except files of the CLI.
func (p *project) files() []string {
	p.t.Helper()
	var all []string
	err := filepath.WalkDir(p.dir, func(path string, _ fs.DirEntry, err error) error {
		if base := filepath.Base(path); !strings.HasPrefix(base, "terraform.tfstate") && base != ".terraform.lock.hcl" {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return all
}

// TestThePlatformIsAppliedFromNothingAndDestroyedToNothing runs
// examples/terraform/platform with a cluster that is unknown until apply.
func TestThePlatformIsAppliedFromNothingAndDestroyedToNothing(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		if !p.knowsEphemeralValues() {
			return
		}
		tested, namespace := newNamespace(t), newNamespace(t)
		if err := os.CopyFS(p.dir, os.DirFS(filepath.Join(examples, "terraform", "platform"))); err != nil {
			t.Fatal(err)
		}
		ca := read(t, apiServer(t).Config.CAFile)
		p.env = append(p.env, "TF_VAR_endpoint="+apiServer(t).Config.Host, "TF_VAR_ca_certificate="+ca, "TF_VAR_token="+apiServer(t).Config.BearerToken)
		environment, before := p.env, p.files()
		p.env = append(environment, "TF_VAR_namespace="+tested)
		p.must("fmt", "-check", "-recursive")
		p.must("validate")
		if out := p.must("test"); !strings.Contains(out, "3 passed, 0 failed") {
			t.Errorf("%s", out)
		}
		if remaining := leftIn(t, tested); remaining != nil {
			t.Errorf("after the tests: %v", remaining)
		}
		p.env = append(environment, "TF_VAR_namespace="+namespace)
		out := p.apply()
		if !strings.Contains(out, "Apply complete! Resources: 16 added") || strings.Contains(out, "Warning: The cluster") {
			t.Errorf("%s", out)
		}
		p.mustBeEmpty()
		if state := read(t, filepath.Join(p.dir, "terraform.tfstate")); strings.Contains(state, apiServer(t).Config.BearerToken) {
			t.Error("the state contains the token")
		}
		frameworks, err := apiServer(t).Dynamic().Resource(apitest.Frameworks).Namespace(namespace).List(t.Context(), metav1.ListOptions{})
		if err != nil || len(frameworks.Items) != 12 {
			t.Errorf("%d Frameworks: %v", len(frameworks.Items), err)
		}
		p.must("destroy", "-auto-approve", "-input=false")
		if remaining := leftIn(t, namespace); remaining != nil {
			t.Errorf("after destroy: %v", remaining)
		}
		if after := p.files(); !slices.Equal(after, before) {
			t.Errorf("files after destroy: %v, before apply: %v", after, before)
		}
	})
}
