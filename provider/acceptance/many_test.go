// SPDX-License-Identifier: MPL-2.0

//go:build acc && unix

package acceptance

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/fault"
)

// manyJobs returns the number of jobs for tests; OPENPAI_ACC_JOBS increases
// the number for measurements.
func manyJobs(t testing.TB) int {
	t.Helper()
	count := os.Getenv("OPENPAI_ACC_JOBS")
	if count == "" {
		return 20
	}
	n, err := strconv.Atoi(count)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// manyDeclared is the configuration of each job.
const manyDeclared = `
  name        = "many-${count.index}"
  environment = { MODE = "test" }
  task_roles = {
    worker = {
      image     = "ubuntu:22.04"
      commands  = ["sleep 1000"]
      resources = { gpu = 0, cpu = 1, memory_mb = 64 }
    }
  }
`

func many(n int) string {
	return fmt.Sprintf("resource \"openpai_job\" \"many\" {\n  count = %d\n%s}\n", n, manyDeclared)
}

func frameworks(t *testing.T, namespace string) int {
	t.Helper()
	list, err := apiServer(t).Dynamic().Resource(apitest.Frameworks).Namespace(namespace).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return len(list.Items)
}

func timed(t *testing.T, what string, do func()) {
	began := time.Now()
	do()
	t.Logf("%s: %.2f s", what, time.Since(began).Seconds())
}

func TestManyJobsAreCreatedAndDestroyedAtOnce(t *testing.T) {
	for program := range build.programs {
		for _, parallelism := range []string{"1", "256"} {
			t.Run(program+" "+parallelism, func(t *testing.T) {
				n := manyJobs(t)
				p := newProject(t, program)
				at := kubernetesEnvironment(t, p.dir)
				p.configure(at.provider, many(n))
				timed(t, "create", func() { p.apply("-parallelism=" + parallelism) })
				if got := frameworks(t, namespaceOf(at)); got != n {
					t.Errorf("%d Frameworks, want %d", got, n)
				}
				timed(t, "second plan", p.mustBeEmpty)
				timed(t, "destroy", func() { p.must("destroy", "-auto-approve", "-input=false", "-parallelism="+parallelism) })
				if got := frameworks(t, namespaceOf(at)); got != 0 {
					t.Errorf("%d Frameworks are left", got)
				}
			})
		}
	}
}

// TestAnApplyThatIsKilledIsFinishedByTheNext kills Terraform or OpenTofu, and
// the provider, while they create jobs.
func TestAnApplyThatIsKilledIsFinishedByTheNext(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		n := manyJobs(t)
		p := newProject(t, program)
		at := kubernetesEnvironment(t, p.dir)
		p.configure(at.provider, many(n))
		cmd := exec.Command(p.program, "apply", "-auto-approve", "-input=false", "-no-color", "-parallelism=2")
		cmd.Dir, cmd.Env = p.dir, p.env
		cmd.SysProcAttr = newGroup()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for frameworks(t, namespaceOf(at)) < n/4 {
			time.Sleep(10 * time.Millisecond)
		}
		if err := killGroup(cmd.Process.Pid); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		_ = os.Remove(p.dir + "/.terraform.tfstate.lock.info")
		p.finish("-lock=false")
		p.mustBeEmpty()
		if got := frameworks(t, namespaceOf(at)); got != n {
			t.Errorf("%d Frameworks, want %d", got, n)
		}
		started, err := apiServer(t).Dynamic().Resource(apitest.Frameworks).Namespace(namespaceOf(at)).List(context.Background(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, fw := range started.Items {
			if spec := fw.Object["spec"].(map[string]any); spec["executionType"] != "Start" {
				t.Errorf("%s was not started", fw.GetName())
			}
		}
	})
}

// TestPermissionsAreAskedForOncePerPlan checks that a plan with many new jobs
// sends only one permission check.
func TestPermissionsAreAskedForOncePerPlan(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		proxy, err := fault.New(apiServer(t), nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(proxy.Close)
		p := newProject(t, program)
		at := kubernetesEnvironment(t, p.dir)
		kubeconfig, err := apiServer(t).WriteKubeconfig("counted-"+program, proxy.URL, namespaceOf(at))
		if err != nil {
			t.Fatal(err)
		}
		p.configure(strings.Replace(at.provider, apiServer(t).Kubeconfig, kubeconfig, 1), many(20))
		p.must("plan", "-input=false")
		reviews := 0
		for _, r := range proxy.Requests() {
			if strings.HasPrefix(r.Path, "/apis/authorization.k8s.io/") {
				reviews++
			}
		}
		if reviews != 1 {
			t.Errorf("%d of %d requests check permissions, want 1", reviews, len(proxy.Requests()))
		}
	})
}

// TestApplyConvergesDespiteIntermittentServerFailures uses a server that fails every
// seventh request. The next apply must complete a failed apply without creating objects
// twice.
func TestApplyConvergesDespiteIntermittentServerFailures(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		kinds := []fault.Kind{fault.TooMany, fault.Internal, fault.ResetAfter, fault.Unavailable, fault.ResetBefore}
		count := 0
		proxy, err := fault.New(apiServer(t), func(fault.Request) (fault.Kind, bool) {
			count++
			return kinds[count/7%len(kinds)], count%7 == 0
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(proxy.Close)
		p := newProject(t, program)
		at := kubernetesEnvironment(t, p.dir)
		kubeconfig, err := apiServer(t).WriteKubeconfig("faults-"+program, proxy.URL, namespaceOf(at))
		if err != nil {
			t.Fatal(err)
		}
		n := 10
		p.configure(strings.Replace(at.provider, apiServer(t).Kubeconfig, kubeconfig, 1), many(n))
		for tries := 1; ; tries++ {
			out, code := p.run("apply", "-auto-approve", "-input=false")
			if code == 0 {
				break
			}
			if tries == 5 {
				t.Fatalf("apply does not converge:\n%s", out)
			}
		}
		p.configure(at.provider, many(n))
		p.mustBeEmpty()
		if got := frameworks(t, namespaceOf(at)); got != n {
			t.Errorf("%d Frameworks, want %d", got, n)
		}
	})
}
