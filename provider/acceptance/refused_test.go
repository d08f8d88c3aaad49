// SPDX-License-Identifier: MPL-2.0

//go:build acc && unix

package acceptance

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/install"
)

// TestAReplacementThatCannotBeCreatedIsRefused changes a running job, then a job
// that has ended. In both cases, the values of the job's secrets are missing.
func TestAReplacementThatCannotBeCreatedIsRefused(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		for name, open := range environments {
			t.Run(name, func(t *testing.T) {
				p := newProject(t, program)
				at := open(t, p.dir)
				secret := func(command string) string {
					return strings.Replace(job(command, 1, `secrets = { a = { env = "TF_SEC_A" }, b = { env = "TF_SEC_B" } }`),
						`MODE = "test"`, `MODE = "<% $secrets.a %><% $secrets.b %>"`, 1)
				}
				p.env = append(p.env, "TF_SEC_A=1", "TF_SEC_B=2")
				p.configure(at.provider, secret("sleep 1000"))
				p.apply()
				if err := at.run(t.Context()); err != nil {
					t.Fatal(err)
				}
				waitFor(t, at, cluster.Running)
				p.env = p.env[:len(p.env)-2]
				p.configure(at.provider, secret("sleep 1001"))
				for _, args := range [][]string{{"plan", "-input=false"}, {"apply", "-auto-approve", "-input=false"}} {
					out := p.refused("cannot be created without 2 secrets", args...)
					if !strings.Contains(out, "TF_SEC_A") || !strings.Contains(out, "TF_SEC_B") || strings.Count(out, "-refresh=false") != 1 {
						t.Errorf("not all secrets in one error, or no advice:\n%s", out)
					}
				}
				waitFor(t, at, cluster.Running)
				p.must("destroy", "-auto-approve", "-input=false", "-refresh=false") // without -refresh=false, destroy would plan the change first
				expect(t, p, "create", "Value of a secret is not available")         // a warning
			})
		}
	})
}

// TestAReplacementWithoutPermissionIsRefused plans to replace a running job
// after the user has lost a permission.
func TestAReplacementWithoutPermissionIsRefused(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		at := kubernetesEnvironment(t, p.dir)
		namespace := namespaceOf(at)
		file, err := apiServer(t).WriteKubeconfigAs("alice", apiServer(t).Config.Host, namespace)
		if err != nil {
			t.Fatal(err)
		}
		grantRoles(t, namespace, "list", "create", "patch")
		provider := strings.Replace(at.provider, apiServer(t).Kubeconfig, file, 1)
		gang := func(command string) string {
			return strings.Replace(job(command, 2, ""), "gang_allocation = false", "gang_allocation = true", 1)
		}
		p.configure(provider, gang("sleep 1000"))
		p.apply()
		if err := at.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		waitFor(t, at, cluster.Running)

		grantRoles(t, namespace, "list")
		p.refused("you may not create and patch roles", "apply", "-auto-approve", "-input=false", "-replace=openpai_job.mnist")
		p.configure(provider, gang("sleep 1001"))
		for _, args := range [][]string{{"plan", "-input=false"}, {"apply", "-auto-approve", "-input=false"}} {
			p.refused("you may not create and patch roles", args...)
		}
		waitFor(t, at, cluster.Running)
		if err := at.outside.Delete(t.Context(), mnist); err != nil {
			t.Fatal(err)
		}
		expect(t, p, "create", "Permission to create the job is missing") // a warning
	})
}

// grantRoles grants the user role to alice with the given verbs for "roles".
// It waits until the API server applies the grant.
func grantRoles(t *testing.T, namespace string, verbs ...string) {
	t.Helper()
	o := install.Options{Only: []string{install.PartRole}, JobNamespace: namespace, Users: []string{"alice"}}
	text := strings.Replace(string(install.Manifests(o)), "  - roles\n", "", 1)
	for _, document := range strings.Split(text, "---\n") {
		var u unstructured.Unstructured
		if err := yaml.Unmarshal([]byte(document), &u.Object); err != nil {
			t.Fatal(err)
		}
		kind := map[string]string{"Role": "roles", "RoleBinding": "rolebindings"}[u.GetKind()]
		if kind == "" {
			continue
		}
		if kind == "roles" {
			rules, _, _ := unstructured.NestedSlice(u.Object, "rules")
			rule := map[string]any{"apiGroups": []any{"rbac.authorization.k8s.io"}, "resources": []any{"roles"}, "verbs": []any{}}
			for _, v := range verbs {
				rule["verbs"] = append(rule["verbs"].([]any), v)
			}
			if err := unstructured.SetNestedSlice(u.Object, append(rules, rule), "rules"); err != nil {
				t.Fatal(err)
			}
		}
		in := apiServer(t).Dynamic().Resource(schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: kind}).Namespace(namespace)
		if _, err := in.Apply(t.Context(), u.GetName(), &u, metav1.ApplyOptions{FieldManager: "test", Force: true}); err != nil {
			t.Fatal(err)
		}
	}
	for mayCreateRoles(t, namespace) != slices.Contains(verbs, "create") {
		time.Sleep(50 * time.Millisecond)
	}
}

// mayCreateRoles reports whether alice may create roles.
func mayCreateRoles(t *testing.T, namespace string) bool {
	t.Helper()
	reviews := apiServer(t).Dynamic().Resource(schema.GroupVersionResource{Group: "authorization.k8s.io", Version: "v1", Resource: "subjectaccessreviews"})
	answer, err := reviews.Create(t.Context(), &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview",
		"spec": map[string]any{"user": "alice", "resourceAttributes": map[string]any{
			"namespace": namespace, "group": "rbac.authorization.k8s.io", "resource": "roles", "verb": "create",
		}},
	}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	allowed, _, _ := unstructured.NestedBool(answer.Object, "status", "allowed")
	return allowed
}

// TestASavedPlanDoesNotEndAJobThatRunsAgain saves a plan to replace a
// finished job. Then it runs the job again from a different state. Applying
// the saved plan must fail.
func TestASavedPlanDoesNotEndAJobThatRunsAgain(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		for name, open := range environments {
			t.Run(name, func(t *testing.T) {
				p, other := newProject(t, program), newProject(t, program)
				at := open(t, p.dir)
				block := "import {\n  to = openpai_job.mnist\n  id = \"alice~mnist\"\n}\n"
				p.configure(at.provider, job("true", 1, ""))
				p.apply()
				if at.complete != nil {
					if err := at.run(t.Context()); err != nil {
						t.Fatal(err)
					}
					if err := at.complete(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
				waitFor(t, at, cluster.Finished)
				p.configure(at.provider, job("echo again", 1, `rerun = "on_change"`))
				saved := p.dir + "/plan"
				p.must("plan", "-input=false", "-out="+saved)
				other.configure(at.beside(p), job("sleep 1000", 1, `rerun = "on_change"`), block)
				other.apply()
				if err := at.run(t.Context()); err != nil {
					t.Fatal(err)
				}
				waitFor(t, at, cluster.Running)
				p.refused("created again outside Terraform", "apply", "-input=false", saved)
				p.refused("created again outside Terraform", "destroy", "-auto-approve", "-input=false", "-refresh=false")
				waitFor(t, at, cluster.Running)
				other.must("destroy", "-auto-approve", "-input=false")
			})
		}
	})
}

// TestASavedPlanDoesNotEndAJobThatBeganToRun saves plans while the job is
// waiting.
func TestASavedPlanDoesNotEndAJobThatBeganToRun(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		for name, open := range environments {
			t.Run(name, func(t *testing.T) {
				p := newProject(t, program)
				at := open(t, p.dir)
				p.configure(at.provider, job("sleep 1000", 1, ""))
				p.apply()
				begin := at.hold(t)
				p.must("refresh", "-input=false") // without this refresh, the first apply below would change the state
				before, state := p.jobState().Private, filepath.Join(p.dir, "terraform.tfstate")
				text, err := os.ReadFile(state)
				if err != nil {
					t.Fatal(err)
				}
				p.must("plan", "-input=false", "-destroy", "-out=destroy.plan")
				p.must("plan", "-input=false", "-replace=openpai_job.mnist", "-out=replace.plan")
				p.configure(at.provider, job("sleep 1001", 1, ""))
				p.must("plan", "-input=false", "-out=change.plan")
				p.configure(at.provider, strings.Replace(job("sleep 1000", 1, ""), `= "mnist"`, `= "other"`, 1))
				p.must("plan", "-input=false", "-out=rename.plan")
				if err := begin(t.Context()); err != nil {
					t.Fatal(err)
				}
				waitFor(t, at, cluster.Running)
				for _, saved := range []string{"destroy.plan", "replace.plan", "change.plan", "rename.plan"} {
					p.refused("job.mnist started after the plan was created: 1 running task would end", "apply", "-input=false", saved)
					if after := p.jobState().Private; !bytes.Equal(after, before) {
						t.Errorf("%s changed the private state from %s to %s", saved, before, after)
					}
					write(t, state, string(text)) // for the next plan
				}
				waitFor(t, at, cluster.Running)
				p.configure(at.provider, job("sleep 1001", 1, ""))
				p.apply() // of a new plan
				if err := at.run(t.Context()); err != nil {
					t.Fatal(err)
				}
				waitFor(t, at, cluster.Running)
				p.must("destroy", "-auto-approve", "-input=false", "-refresh=false") // the state may show a waiting job
			})
		}
	})
}

func TestTheOutcomeIsReadAfterTheTimeout(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		for name, open := range environments {
			t.Run(name, func(t *testing.T) {
				p := newProject(t, program)
				at := open(t, p.dir)
				p.configure(at.provider, job("sleep 1000", 1, "wait_for = \"completed\"\n  timeouts = { create = \"6s\" }"))
				out := p.apply()
				if !strings.Contains(out, "6s of timeouts.create have passed; the job goes on") || strings.Contains(out, "States are not refreshed") {
					t.Errorf("%s", out)
				}
				p.mustBeEmpty()
				if err := at.outside.Delete(t.Context(), mnist); err != nil {
					t.Fatal(err)
				}
				p.must("destroy", "-auto-approve", "-input=false")
			})
		}
	})
}

// TestANamespaceInWhichOpenPAIDeletesJobsIsRefused creates a
// database-controller without retain mode.
func TestANamespaceInWhichOpenPAIDeletesJobsIsRefused(t *testing.T) {
	t.Parallel()
	at := kubernetesEnvironment(t, t.TempDir())
	labels := map[string]any{"app": "database-controller"}
	sets := apiServer(t).Dynamic().Resource(schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "statefulsets"}).Namespace(namespaceOf(at))
	watcher := map[string]any{"name": "watcher", "image": "x", "env": []any{map[string]any{"name": "RETAIN_MODE_ENABLED", "value": "false"}}}
	_, err := sets.Create(t.Context(), &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": map[string]any{"name": "database-controller-sts"},
		"spec": map[string]any{"serviceName": "x", "selector": map[string]any{"matchLabels": labels}, "template": map[string]any{
			"metadata": map[string]any{"labels": labels}, "spec": map[string]any{"containers": []any{watcher}},
		}},
	}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	testRefusals(t, map[string]refusal{"a new job": {preamble + at.provider + job("true", 1, ""), hclspec.LivingOpenPAI.Summary}})
}
