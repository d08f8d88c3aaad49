// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
)

// stateOfManifest returns a state with a Framework as a kubernetes_manifest
// resource.
func stateOfManifest(t *testing.T, registry string, object map[string]any) []byte {
	t.Helper()
	delete(object, "status")
	text, err := json.Marshal(map[string]any{
		"version": 4, "terraform_version": "1.8.0", "serial": 1, "lineage": "5d7a3f4e-0000-0000-0000-000000000000",
		"resources": []any{map[string]any{
			"mode": "managed", "type": "kubernetes_manifest", "name": "mnist", "provider": `provider["` + registry + `/hashicorp/kubernetes"]`,
			"instances": []any{map[string]any{"schema_version": 1, "attributes": map[string]any{
				"manifest": map[string]any{"value": object, "type": "dynamic"},
			}}},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// registries is the default provider registry of each program.
var registries = map[string]string{"terraform": "registry.terraform.io", "tofu": "registry.opentofu.org"}

// TestAFrameworkOfAManifestContinuesAsAJob moves a job from kubernetes_manifest. The
// provider in the old state is never called.
func TestAFrameworkOfAManifestContinuesAsAJob(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		first := newProject(t, program)
		at := kubernetesEnvironment(t, first.dir)
		first.configure(at.provider, job("sleep 1000", 1, ""))
		first.apply()
		objects := apiServer(t).Dynamic().Resource(apitest.Frameworks).Namespace(namespaceOf(at))
		before, err := objects.Get(t.Context(), mnist, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}

		p := newProject(t, program)
		p.overrideKubernetes()
		if err := os.WriteFile(filepath.Join(p.dir, "terraform.tfstate"), stateOfManifest(t, registries[program], before.DeepCopy().Object), 0o600); err != nil {
			t.Fatal(err)
		}
		p.configure(at.provider, job("sleep 1000", 1, ""), "moved {\n  from = kubernetes_manifest.mnist\n  to   = openpai_job.mnist\n}\n")
		p.expectChange("openpai_job.mnist", "update")
		p.apply()
		p.mustBeEmpty()
		after, err := objects.Get(t.Context(), mnist, metav1.GetOptions{})
		if err != nil || after.GetUID() != before.GetUID() {
			t.Errorf("another Framework: %v", err)
		}
		p.must("destroy", "-auto-approve", "-input=false")
	})
}

// otherPrograms removes openpai's metadata and objects, as if a different
// program had created the Framework.
func otherPrograms(t *testing.T, at *environment) *unstructured.Unstructured {
	t.Helper()
	client := apiServer(t).Dynamic()
	records := client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Namespace(namespaceOf(at))
	if err := records.Delete(t.Context(), mnist+"-record", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	objects := client.Resource(apitest.Frameworks).Namespace(namespaceOf(at))
	o, err := objects.Get(t.Context(), mnist, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	o.SetLabels(map[string]string{contract.LabelUser: "alice"})
	o.SetAnnotations(map[string]string{contract.AnnotationJobName: "mnist"})
	if o, err = objects.Update(t.Context(), o, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	return o
}

// TestAFrameworkOfAnotherProgramIsTakenOver moves and imports a Framework that
// a different program created.
func TestAFrameworkOfAnotherProgramIsTakenOver(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		first := newProject(t, program)
		at := kubernetesEnvironment(t, first.dir)
		first.configure(at.provider, job("sleep 1000", 1, ""))
		first.apply()
		for _, way := range []string{"moved", "imported"} {
			before := otherPrograms(t, at)
			p := newProject(t, program)
			p.configure(at.provider, job("sleep 1000", 1, ""))
			if out, code := p.run("plan", "-input=false"); code == 0 || !strings.Contains(strings.Join(strings.Fields(out), " "), "terraform import ADDRESS alice~mnist") {
				t.Errorf("no advice to import the job of another program: exit code %d\n%s", code, out)
			}
			p.overrideKubernetes()
			declared := []string{at.provider, job("sleep 1000", 1, "")}
			p.configure(declared...)
			if way == "moved" {
				if err := os.WriteFile(filepath.Join(p.dir, "terraform.tfstate"), stateOfManifest(t, registries[program], before.DeepCopy().Object), 0o600); err != nil {
					t.Fatal(err)
				}
				p.configure(append(declared, "moved {\n  from = kubernetes_manifest.mnist\n  to   = openpai_job.mnist\n}\n")...)
			} else {
				p.must("import", "openpai_job.mnist", "mnist")
			}
			expect(t, p, "update", "Apply takes over the existing job")
			p.apply()
			p.mustBeEmpty()
			live, err := at.outside.(cluster.Finder).Find(t.Context(), mnist)
			if err != nil || live.Workspace != "team" || live.Address != "job.mnist" || live.UID != string(before.GetUID()) {
				t.Fatalf("%s: %+v %v", way, live, err)
			}
		}
		first.must("destroy", "-auto-approve", "-input=false")
	})
}

// overrideKubernetes replaces the kubernetes provider from the old state with
// the openpai provider.
func (p *project) overrideKubernetes() {
	p.t.Helper()
	dir := p.t.TempDir()
	if err := os.Symlink(filepath.Join(build.dir, "terraform-provider-openpai"), filepath.Join(dir, "terraform-provider-kubernetes")); err != nil {
		p.t.Fatal(err)
	}
	write(p.t, filepath.Join(filepath.Dir(p.dir), "cli.rc"), `provider_installation {
  dev_overrides {
    "openpai/openpai"      = "`+filepath.ToSlash(build.dir)+`"
    "hashicorp/kubernetes" = "`+filepath.ToSlash(dir)+`"
  }
  direct {}
}
`)
}
