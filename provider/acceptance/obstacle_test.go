// SPDX-License-Identifier: MPL-2.0

//go:build acc && unix

package acceptance

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// adopted returns a storage that mounts an existing claim.
func adopted(claim, more string) string {
	return "resource \"openpai_storage\" \"data\" {\n  name  = \"data\"\n  claim = \"" + claim + "\"\n" + more + "}\n"
}

// useData makes a job mount the storage.
const useData = `storage = [{ use = openpai_storage.data.definition }]`

// TestAMissingClaimOfANewJobIsOneWarning uses one missing claim in two new
// jobs.
func TestAMissingClaimOfANewJobIsOneWarning(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		at := kubernetesEnvironment(t, p.dir)
		other := strings.ReplaceAll(jobAlone("sleep 1000", 1, useData), `"mnist"`, `"other"`)
		p.configure(at.provider, adopted("absent", ""), job("sleep 1000", 1, useData), other)
		out := p.must("plan", "-input=false")
		if n := strings.Count(out, "Claim does not exist"); n != 1 || strings.Contains(out, "more similar warning") {
			t.Errorf("%d warnings\n%s", n, out)
		}
	})
}

// TestAReplacementWithoutItsStorageIsRefused covers a storage that does not
// exist and a storage that the user may not mount.
func TestAReplacementWithoutItsStorageIsRefused(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		at := kubernetesEnvironment(t, p.dir)
		p.configure(at.provider, nfs("10Gi", ""), job("sleep 1000", 1, useData))
		p.apply()
		if err := at.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		waitFor(t, at, cluster.Running)
		for want, storage := range map[string]string{
			"the claim absent does not exist in the namespace": adopted("absent", ""),
			`is restricted to`: nfs("10Gi", `users = ["bob"]`),
		} {
			p.configure(at.provider, storage, job("sleep 1001", 1, useData))
			for _, args := range [][]string{{"plan", "-input=false"}, {"apply", "-auto-approve", "-input=false"}} {
				p.refused(want, args...)
			}
		}
		waitFor(t, at, cluster.Running)
	})
}

// TestAFinishedJobWithoutItsSecretIsAWarning plans to run a finished job again.
// The value of the job's secret is missing.
func TestAFinishedJobWithoutItsSecretIsAWarning(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		for name, open := range environments {
			t.Run(name, func(t *testing.T) {
				p := newProject(t, program)
				at := open(t, p.dir)
				config := func(command string) string {
					secret := job(command, 1, "rerun = \"on_change\"\n  secrets = { a = { env = \"TF_SEC_FINISHED\" } }")
					return strings.Replace(secret, `MODE = "test"`, `MODE = "<% $secrets.a %>"`, 1)
				}
				env := p.env
				p.env = append(p.env, "TF_SEC_FINISHED=1")
				p.configure(at.provider, config("true"))
				p.apply()
				if err := at.run(t.Context()); err != nil {
					t.Fatal(err)
				}
				if at.complete != nil {
					if err := at.complete(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
				waitFor(t, at, cluster.Finished)
				p.env = env
				p.configure(at.provider, config("echo again"))
				expect(t, p, "delete create", "Value of a secret is not available")
			})
		}
	})
}

// TestTwoProviderBlocksCreateOneJob checks that only one of two concurrent
// provider processes creates the job.
func TestTwoProviderBlocksCreateOneJob(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		for name, open := range environments {
			t.Run(name, func(t *testing.T) {
				p := newProject(t, program)
				at := open(t, p.dir)
				parts := []string{strings.Replace(prerequisite("greet", "echo hello"), "{", "{\n  provider = openpai.a", 1)}
				for _, alias := range []string{"a", "b"} {
					resource := strings.Replace(jobAlone("sleep 1000", 1, ""), `"mnist" {`, `"`+alias+"\" {\n  provider = openpai."+alias, 1)
					block := strings.Replace(at.provider, `provider "openpai" {`, "provider \"openpai\" {\n  alias = \""+alias+"\"", 1)
					parts = append(parts, block, resource)
				}
				p.configure(parts...)
				p.refused(`import { to = openpai_job.mnist id = "alice~mnist" }`, "apply", "-auto-approve", "-input=false")
				if _, err := at.outside.Status(t.Context(), mnist); err != nil {
					t.Error(err)
				}
				p.refused("use destroy with -refresh=false", "destroy", "-auto-approve", "-input=false")
				p.must("destroy", "-auto-approve", "-input=false", "-refresh=false")
			})
		}
	})
}

// TestAMissingKubernetesSecretFailsApply expects a warning in the plan and an error in
// apply.
func TestAMissingKubernetesSecretFailsApply(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		at := kubernetesEnvironment(t, p.dir)
		secret := func(name string) string {
			resource := job("sleep 1000", 1, `secrets = { token = { kubernetes = { name = "`+name+`", key = "k" } } }`)
			return strings.Replace(resource, `MODE = "test"`, `MODE = "<% $secrets.token %>"`, 1)
		}
		p.configure(at.provider, secret("absent"))
		expect(t, p, "create", "Value of a secret is not available")
		out := p.refused("create job.mnist: secret token: ", "apply", "-auto-approve", "-input=false")
		if strings.Contains(out, "create job.mnist: create job.mnist") || !strings.Contains(out, `At secrets["token"].`) {
			t.Errorf("%s", out)
		}
		secrets := apiServer(t).Dynamic().Resource(schema.GroupVersionResource{Version: "v1", Resource: "secrets"}).Namespace(namespaceOf(at))
		present := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": "present"}, "stringData": map[string]any{"k": canary},
		}}
		if _, err := secrets.Create(t.Context(), present, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		p.configure(at.provider, secret("present"))
		p.apply()
		if err := at.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		waitFor(t, at, cluster.Running)
		if err := secrets.Delete(t.Context(), "present", metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		p.refused("cannot be created without the value of the secret", "apply", "-auto-approve", "-input=false", "-replace=openpai_job.mnist")
		waitFor(t, at, cluster.Running)
	})
}
