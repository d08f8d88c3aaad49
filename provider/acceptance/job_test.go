// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/engine"
	"github.com/openpai/terraform-provider-openpai/internal/local"
)

var mnist = contract.FrameworkName("alice", "mnist")

// environment is a cluster that a test can also access without the CLI.
type environment struct {
	provider string // the provider block
	outside  cluster.Cluster
	// hold makes the newly created job wait until begin is called.
	hold func(t *testing.T) (begin func(context.Context) error)
	// run makes the engine of the cluster start the job, if the job does not
	// start automatically.
	run func(context.Context) error
	// complete makes the job succeed; complete is nil if the job ends
	// automatically.
	complete func(context.Context) error
}

// environments maps each kind of cluster to a function that creates a test
// environment.
var environments = map[string]func(t *testing.T, dir string) *environment{"local": localEnvironment, "kubernetes": kubernetesEnvironment}

func localEnvironment(t *testing.T, dir string) *environment {
	c, err := local.Open(dir, local.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Delete(context.WithoutCancel(t.Context()), mnist) })
	return &environment{
		provider: "provider \"openpai\" {\n  local { user = \"alice\" }\n}",
		outside:  c, run: func(context.Context) error { return nil },
		hold: func(t *testing.T) func(context.Context) error { return holdLocal(t, c, dir) },
	}
}

// holdLocal makes a running local job appear to be waiting. The supervisor
// does not overwrite the status until the job changes.
func holdLocal(t *testing.T, c cluster.Cluster, dir string) func(context.Context) error {
	t.Helper()
	if _, err := cluster.Wait(t.Context(), c, mnist, cluster.Running, nil); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, ".openpai", "frameworks", mnist, "status.json")
	status, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	waiting := strings.ReplaceAll(string(status), string(framework.StateAttemptRunning), string(framework.StateAttemptPreparing))
	write(t, file, waiting)
	return func(context.Context) error { return os.WriteFile(file, status, 0o644) }
}

func kubernetesEnvironment(t *testing.T, _ string) *environment {
	namespace := newNamespace(t)
	c, err := kubernetes.Open(&hclspec.Cluster{Name: "kubernetes", Kubeconfig: apiServer(t).Kubeconfig, Namespace: namespace}, kubernetes.Options{
		Workspace: "team",
	})
	if err != nil {
		t.Fatal(err)
	}
	e := &engine.Engine{Client: apiServer(t).Dynamic(), Namespace: namespace}
	run := func(ctx context.Context) error {
		if err := e.Prepare(ctx, mnist); err != nil {
			return err
		}
		return e.Run(ctx, mnist)
	}
	return &environment{
		provider: fmt.Sprintf(`provider "openpai" {
  kubernetes {
    kubeconfig    = %q
    namespace     = %q
    user          = "alice"
    workspace     = "team"
    runtime_image = "registry.example.org/runtime:1"
  }
}`, apiServer(t).Kubeconfig, namespace),
		outside: c,
		run:     run,
		hold:    func(*testing.T) func(context.Context) error { return run },
		complete: func(ctx context.Context) error {
			return e.Complete(ctx, mnist, func(string, int32) *framework.CompletionStatus {
				return framework.FromCode(framework.CodeSucceeded, "Pod succeeded")
			})
		},
	}
}

func newNamespace(t *testing.T) string {
	t.Helper()
	name := "acc-" + strings.ToLower(strings.NewReplacer("/", "-", "_", "-").Replace(t.Name()))
	name = strings.Trim(name[max(0, len(name)-40):], "-")
	kinds := apiServer(t).Dynamic().Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"})
	made, err := kinds.Create(t.Context(), &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"generateName": name + "-"},
	}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return made.GetName()
}

// job returns the configuration for the job mnist and its prerequisite.
func job(command string, instances int, more string) string {
	return prerequisite("greet", "echo hello") + jobAlone(command, instances, more)
}

func jobAlone(command string, instances int, more string) string {
	return fmt.Sprintf(`
resource "openpai_job" "mnist" {
  name            = "mnist"
  gang_allocation = false
  stop_grace      = "1s"
  environment     = { MODE = "test" }
  task_roles = {
    worker = {
      instances     = %d
      image         = "ubuntu:22.04"
      commands      = [%q]
      prerequisites = [{ use = openpai_prerequisite.greet.definition }]
      resources     = { gpu = 0, cpu = 1, memory_mb = 64 }
    }
  }
  %s
}
`, instances, command, more)
}

func TestTheProviderManagesTheLifecycleOfAJob(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		for name, open := range environments {
			t.Run(name, func(t *testing.T) {
				p := newProject(t, program)
				jobLifecycle(t, p, open(t, p.dir))
			})
		}
	})
}

func jobLifecycle(t *testing.T, p *project, at *environment) {
	ctx := t.Context()
	p.configure(at.provider, job("sleep 1000", 1, ""))
	p.apply()
	p.mustBeEmpty()
	if err := at.run(ctx); err != nil {
		t.Fatal(err)
	}
	waitFor(t, at, cluster.Running)
	p.mustBeEmpty()
	p.apply() // saves the refreshed state
	if got := p.attribute("state"); got != "RUNNING" {
		t.Errorf("state %v", got)
	}

	p.configure(at.provider, job("sleep 1000", 2, ""))
	expect(t, p, "update", "")
	p.apply()
	p.mustBeEmpty()

	p.configure(at.provider, job("sleep 1001", 2, ""))
	expect(t, p, "delete create", " is replaced: ")
	p.apply()
	p.mustBeEmpty()

	if err := at.outside.Delete(ctx, mnist); err != nil {
		t.Fatal(err)
	}
	expect(t, p, "create", "")
	p.apply()
	p.mustBeEmpty()
	if err := at.run(ctx); err != nil {
		t.Fatal(err)
	}
	p.apply("-refresh-only")
	p.mustBeEmpty()

	p.must("state", "rm", "openpai_job.mnist")
	p.must("import", "openpai_job.mnist", "mnist")
	p.mustBeEmpty()

	p.must("destroy", "-auto-approve", "-input=false")
	if live, err := at.outside.(cluster.Finder).Find(ctx, mnist); err != nil || live != nil {
		t.Errorf("after destroy: %+v %v", live, err)
	}
}

// expect checks the planned action for the job and the warning in the plan.
func expect(t *testing.T, p *project, action, warning string) {
	t.Helper()
	actions, text := p.actions()
	if actions["openpai_job.mnist"] != action || !strings.Contains(text, warning) {
		t.Fatalf("%q, want %q with %q\n%s", actions["openpai_job.mnist"], action, warning, text)
	}
}

func waitFor(t *testing.T, at *environment, until cluster.Condition) {
	t.Helper()
	if _, err := cluster.Wait(t.Context(), at.outside, mnist, until, nil); err != nil {
		t.Fatal(err)
	}
}

func TestAFinishedJobStaysAfterItsFrameworkIsGone(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		at := kubernetesEnvironment(t, p.dir)
		p.configure(at.provider, job("true", 1, ""))
		p.apply()
		for _, step := range []func(context.Context) error{at.run, at.complete} {
			if err := step(t.Context()); err != nil {
				t.Fatal(err)
			}
			p.mustBeEmpty()
		}
		p.apply()
		if got := p.attribute("state"); got != "SUCCEEDED" {
			t.Errorf("state %v", got)
		}
		ns := at.outside.(*kubernetes.Cluster)
		if _, err := ns.Status(t.Context(), mnist); err != nil { // saves the outcome
			t.Fatal(err)
		}
		if err := apiServer(t).Dynamic().Resource(apitest.Frameworks).Namespace(namespaceOf(at)).Delete(t.Context(), mnist, metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		p.mustBeEmpty()
		p.configure(at.provider, job("echo changed", 1, ""))
		expect(t, p, "update", "A finished job does not run again")
		p.configure(at.provider, job("echo changed", 1, `rerun = "on_change"`))
		expect(t, p, "delete create", "")
	})
}

func namespaceOf(at *environment) string {
	_, rest, _ := strings.Cut(at.provider, `namespace     = "`)
	name, _, _ := strings.Cut(rest, `"`)
	return name
}

// TestAJobThatAnotherConfigurationChangedIsPutBack changes a running job from a
// second state. Apply from the first state must revert the change.
func TestAJobThatAnotherConfigurationChangedIsPutBack(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		for name, open := range environments {
			t.Run(name, func(t *testing.T) {
				p, other := newProject(t, program), newProject(t, program)
				at := open(t, p.dir)
				p.configure(at.provider, job("sleep 1000", 1, ""))
				p.apply()
				if err := at.run(t.Context()); err != nil {
					t.Fatal(err)
				}
				waitFor(t, at, cluster.Running)
				p.apply("-refresh-only")
				other.configure(at.beside(p), job("sleep 1000", 2, ""))
				other.must("import", "openpai_job.mnist", "mnist")
				other.must("import", "openpai_prerequisite.greet", "script.greet")
				other.apply()
				expect(t, p, "update", " is changed in place: ")
				p.apply()
				p.mustBeEmpty()
				other.configure(at.beside(p), job("sleep 1000", 1, "job_retry_count = 3")) // no attribute of p's state shows the change
				other.apply()
				expect(t, p, "update", "")
				p.apply()
				p.mustBeEmpty()
				p.must("destroy", "-auto-approve", "-input=false")
			})
		}
	})
}

func TestDriftOnKubernetesIsPutBack(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		at := kubernetesEnvironment(t, p.dir)
		p.configure(at.provider, job("sleep 1000", 1, ""))
		p.apply()
		patch := []byte(`[{"op":"replace","path":"/spec/taskRoles/0/taskNumber","value":7}, {"op":"add","path":"/spec/retryPolicy/maxRetryCount","value":5}]`)
		if _, err := apiServer(t).Dynamic().Resource(apitest.Frameworks).Namespace(namespaceOf(at)).Patch(t.Context(), mnist, "application/json-patch+json", patch, metav1.PatchOptions{FieldManager: "kubectl-patch"}); err != nil {
			t.Fatal(err)
		}
		expect(t, p, "update", "taskNumber was changed by kubectl-patch from 1 to 7")
		expect(t, p, "update", "maxRetryCount was changed by kubectl-patch from 0 to 5")
		expect(t, p, "update", "Warning: job.mnist was changed outside of Terraform")
		p.apply()
		p.mustBeEmpty()
	})
}
