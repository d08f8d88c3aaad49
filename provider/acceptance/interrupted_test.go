// SPDX-License-Identifier: MPL-2.0

//go:build acc && unix

package acceptance

import (
	"encoding/json"
	"net/http"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/fault"
)

func children(pid int) []int {
	out, err := exec.Command("pgrep", "-P", strconv.Itoa(pid)).Output()
	if err != nil {
		return nil // it has none
	}
	var all []int
	for _, field := range strings.Fields(string(out)) {
		if child, err := strconv.Atoi(field); err == nil {
			all = append(all, child)
		}
	}
	return all
}

// TestAnApplyWhoseProviderIsKilledIsFinishedByTheNext does not kill the CLI,
// which still writes the received state.
func TestAnApplyWhoseProviderIsKilledIsFinishedByTheNext(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		n := 12
		p := newProject(t, program)
		at := kubernetesEnvironment(t, p.dir)
		p.configure(at.provider, many(n))
		cmd := exec.Command(p.program, "apply", "-auto-approve", "-input=false", "-no-color", "-parallelism=2")
		cmd.Dir, cmd.Env = p.dir, p.env
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for frameworks(t, namespaceOf(at)) < n/3 {
			time.Sleep(10 * time.Millisecond)
		}
		killed := children(cmd.Process.Pid)
		for _, pid := range killed {
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				t.Error(err)
			}
		}
		if err := cmd.Wait(); err == nil || len(killed) == 0 {
			t.Fatalf("%d processes were killed: %v", len(killed), err)
		}
		p.finish()
		p.mustBeEmpty()
		if got := frameworks(t, namespaceOf(at)); got != n {
			t.Errorf("%d Frameworks, want %d", got, n)
		}
	})
}

// TestApplyConvergesWhenTheServerDoesNotRespond drops the first request to create a
// Framework, and the response to the second one. Only the second request reaches the
// API server, which then creates the Framework.
func TestApplyConvergesWhenTheServerDoesNotRespond(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		var mu sync.Mutex
		kinds := []fault.Kind{fault.HangBefore, fault.HangAfter}
		proxy, err := fault.New(apiServer(t), func(r fault.Request) (fault.Kind, bool) {
			mu.Lock()
			defer mu.Unlock()
			if len(kinds) == 0 || r.Method != http.MethodPost || !strings.HasSuffix(r.Path, "/frameworks") {
				return "", false
			}
			kind := kinds[0]
			kinds = kinds[1:]
			return kind, true
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(proxy.Close)
		p := newProject(t, program)
		at := kubernetesEnvironment(t, p.dir)
		kubeconfig, err := apiServer(t).WriteKubeconfig("silent-"+program, proxy.URL, namespaceOf(at))
		if err != nil {
			t.Fatal(err)
		}
		p.configure(strings.Replace(at.provider, apiServer(t).Kubeconfig, kubeconfig, 1), many(3))
		for tries := 1; ; tries++ {
			out, code := p.run("apply", "-auto-approve", "-input=false")
			if code == 0 {
				break
			}
			if tries == 3 {
				t.Fatalf("apply does not converge:\n%s", out)
			}
		}
		p.mustBeEmpty()
		if got := frameworks(t, namespaceOf(at)); got != 3 || len(kinds) > 0 {
			t.Errorf("%d Frameworks, want 3; %d faults remain", got, len(kinds))
		}
	})
}

// supervisor returns the process ID of the supervisor of the job acc-test.
func supervisor(t *testing.T, dir string) int {
	t.Helper()
	text := read(t, filepath.Join(dir, ".openpai", "frameworks", accTest, "supervisor.json"))
	var info struct{ Process struct{ PID int } }
	if err := json.Unmarshal([]byte(text), &info); err != nil || info.Process.PID <= 1 {
		t.Fatalf("%s: %v", text, err)
	}
	return info.Process.PID
}

func TestAJobWithoutASupervisorIsContinuedByApply(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config, before := localIn(dir, sleeping("")), 0
	kill := func() {
		if err := syscall.Kill(before, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		eventually(t, func() bool { return len(liveJob(t, dir).Drift) > 0 })
	}
	testResource(t,
		resource.TestStep{Config: config, PostApplyFunc: func() { before = supervisor(t, dir) }},
		resource.TestStep{PreConfig: kill, RefreshState: true, ExpectNonEmptyPlan: true},
		resource.TestStep{
			PreConfig: func() {
				if supervisor(t, dir) != before {
					t.Error("reading started a supervisor")
				}
			},
			Config: config, ConfigPlanChecks: expectAction("openpai_job.test", plancheck.ResourceActionUpdate),
			PostApplyFunc: func() {
				if supervisor(t, dir) == before {
					t.Error("apply did not start a supervisor")
				}
			},
		},
	)
}
