// SPDX-License-Identifier: MPL-2.0

package local

import (
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/runtime/check"
	"github.com/openpai/terraform-provider-openpai/runtime/check/porttest"
)

func TestGangSharesOneHostTable(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	script := "env | grep -E '^PAI_HOST_IP_|^PAI_PORT_LIST_' | sort"
	a, b := newRole("Left_1", script), newRole("right", script)
	a.Instances, b.Instances = 2, 2
	job := newJob("gang", a, b)
	w.apply(job)
	if st := w.finished(job); st.State != planner.StateSucceeded {
		t.Fatalf("status %+v", st)
	}
	first := w.output(job, "Left_1", 0)
	for i := range 2 {
		for _, role := range []string{"left1", "right"} {
			if got := w.output(job, role, i); got != first {
				t.Errorf("%s[%d] sees\n%swant\n%s", role, i, got, first)
			}
			if want := fmt.Sprintf("PAI_HOST_IP_%s_%d=127.0.0.1", role, i); !strings.Contains(first, want) {
				t.Errorf("no %s in\n%s", want, first)
			}
		}
	}
	var hosts runspec.Hosts
	if err := store.ReadJSON(w.layout.Hosts(job.Framework, 0), &hosts); err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	for _, h := range hosts.Tasks {
		for label, ports := range h.Ports {
			for _, p := range ports {
				if seen[p] || p == 0 {
					t.Errorf("port %d of %s[%d] %s is used twice", p, h.Role, h.Index, label)
				}
				seen[p] = true
			}
		}
	}
	if len(seen) != 8 {
		t.Errorf("%d ports, want 8", len(seen))
	}
}

// Without gang allocation, tasks do not wait for each other. A task receives no
// information about other tasks. This matches a Kubernetes cluster.
func TestTasksWithoutGangDoNotKnowEachOther(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	role := newRole("worker", "env | grep -E '^PAI_HOST_IP_' | sort; echo $PAI_TASK_ROLE_worker_HOST_LIST | grep -o : | wc -l; echo $PAI_TASK_ROLE_INSTANCES")
	role.Instances = 2
	job := newJob("loose", role)
	job.GangAllocation = false
	w.apply(job)
	if st := w.finished(job); st.State != planner.StateSucceeded {
		t.Fatalf("status %+v", st)
	}
	for i := range 2 {
		want := fmt.Sprintf("PAI_HOST_IP_worker_%d=127.0.0.1\n1\nworker:0,worker:1\n", i)
		if got := w.output(job, "worker", i); got != want {
			t.Errorf("worker[%d] sees\n%swant\n%s", i, got, want)
		}
	}
}

func TestPortsAreFreeAndNeverGivenTwice(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	used := listener.Addr().(*net.TCPAddr).Port
	c := &portAllocator{random: zeros{}, inUse: map[int]bool{used + 1: true}}
	defer c.close()
	ports, err := c.allocate([]runspec.Port{{Label: "a", Count: 2}, {Label: "b", Count: 0}}, 0, used, used+200)
	if err != nil {
		t.Fatal(err)
	}
	if len(ports["a"]) != 2 || ports["a"][0] == ports["a"][1] || ports["b"] == nil {
		t.Errorf("ports %v", ports)
	}
	for _, p := range ports["a"] {
		if p == used || p == used+1 {
			t.Errorf("port %d was allocated although it is in use", p)
		}
	}
	if _, err := c.allocate([]runspec.Port{{Label: "a", Count: 1}}, 0, used, used+1); err == nil {
		t.Error("found a port in a range that is in use")
	}
}

func TestATaskThatAsksForTooManyPortsHoldsNone(t *testing.T) {
	t.Parallel()
	second, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	start := second.Addr().(*net.TCPAddr).Port
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	c := &portAllocator{random: zeros{}}
	defer c.close()
	if _, err := c.allocate([]runspec.Port{{Label: "a", Count: 3}}, 0, start, start+2); err == nil {
		t.Fatal("found three ports in a range of two")
	}
	if len(c.listeners) != 0 {
		t.Errorf("%d ports are still reserved", len(c.listeners))
	}
}

func TestTasksGetTheirFixedPorts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := twoFreePorts(t)
	role := newRole("worker", `echo "$PAI_CONTAINER_HOST_http_PORT_LIST of $PAI_TASK_ROLE_worker_HOST_LIST"`)
	role.Instances, role.FixedPorts = 2, map[string]int{"http": first}
	job := newJob("fixed", role)
	w.apply(job)
	if st := w.finished(job); st.State != planner.StateSucceeded {
		t.Fatalf("status %+v", st)
	}
	for i := range 2 {
		want := fmt.Sprintf("%d of 127.0.0.1:%d,127.0.0.1:%d\n", first+i, first, first+1)
		if got := w.output(job, "worker", i); got != want {
			t.Errorf("worker[%d] printed %q, want %q", i, got, want)
		}
	}
}

func TestAFixedPortInUseFailsTheTask(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	listener, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	port := listener.Addr().(*net.TCPAddr).Port
	role := newRole("worker", "true")
	role.FixedPorts = map[string]int{"http": port}
	job := newJob("taken", role)
	w.apply(job)
	st := w.finished(job)
	if want := fmt.Sprintf("reserve the fixed port %d for http", port); st.State != planner.StateFailed || !strings.Contains(fmt.Sprintf("%+v", st), want) {
		t.Errorf("status %+v, want %s", st, want)
	}
}

// twoFreePorts returns the first of two consecutive free ports.
func twoFreePorts(t *testing.T) int {
	t.Helper()
	for range 100 {
		port := porttest.Free(t)
		if check.Ports(t.Context(), []int{port + 1}) == nil {
			return port
		}
	}
	t.Fatal("no two ports are free")
	return 0
}

// zeros is a reader that returns only zeros.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestFollowSeesEverythingOfManyTasks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	role := newRole("worker", "for i in 1 2 3 4 5; do echo line $i of $FC_TASK_INDEX; sleep 0.02; done")
	role.Instances = 4
	job := newJob("talk", role)
	w.apply(job)
	outputs := make([]strings.Builder, role.Instances)
	errs := make(chan error)
	for i := range outputs {
		go func() {
			errs <- w.Logs(w.ctx, cluster.LogRequest{
				Framework: job.Framework, Role: "worker", Index: i, JobAttempt: -1, Attempt: -1, Follow: true,
			}, &outputs[i])
		}()
	}
	for range outputs {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	for i := range outputs {
		want := ""
		for n := 1; n <= 5; n++ {
			want += fmt.Sprintf("line %d of %d\n", n, i)
		}
		if got := outputs[i].String(); got != want {
			t.Errorf("task %d: %q", i, got)
		}
	}
}
