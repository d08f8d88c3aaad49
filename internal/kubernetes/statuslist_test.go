// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// maxListRequests is the maximum number of requests for all jobs of a workspace. It
// does not include the requests for the stages of running tasks. The method Jobs
// lists Frameworks and ConfigMaps. The method ListStatuses lists Frameworks and
// Pods. For incomplete jobs, ListStatuses also reads the Lease and lists Frameworks
// again. The documentation states this maximum.
const maxListRequests = 6

func TestStatusesOfManyJobsTakeFewRequests(t *testing.T) {
	t.Parallel()
	const jobsPerState = 10
	server := newWorkspaceServer(t, jobsPerState)
	c := answeredBy(t, Options{Workspace: "vision"}, server.ServeHTTP)
	together := readTogether(t, c, "vision")
	if n := len(server.requests); n > maxListRequests {
		t.Errorf("%d requests, want at most %d:\n%s", n, maxListRequests, strings.Join(server.requests, "\n"))
	}
	counts := map[string]int{}
	for name, st := range together {
		single, err := c.Status(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(single, st); diff != "" {
			t.Errorf("%s (-single +together)\n%s", st.Address, diff)
		}
		counts[string(st.State)+" "+string(st.Stalled)+" "+waitingOf(st)]++
	}
	want := map[string]int{
		"RUNNING  ": jobsPerState, "SUCCEEDED  ": jobsPerState, "WAITING  not scheduled: no node has a GPU": jobsPerState,
		"WAITING " + string(cluster.PartlySubmitted) + " ": jobsPerState,
	}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Errorf("states (-want +got)\n%s", diff)
	}
}

// A Framework without the label of its workspace is not listed.
func TestTheStatusOfAnUnlistedFrameworkIsRead(t *testing.T) {
	t.Parallel()
	server := &gangServer{objects: map[string]any{}}
	server.add(t, "running", planner.StateRunning, func(fw *framework.Framework) { runningOf(t, fw) })
	c := answeredBy(t, Options{Workspace: "vision"}, server.ServeHTTP)
	jobs, err := c.Jobs(t.Context(), "vision")
	if err != nil {
		t.Fatal(err)
	}
	l := &listedObjects{Cluster: c}
	st, err := c.statusFrom(t.Context(), jobs[0].Framework, l)
	if err != nil || st.State != planner.StateRunning || len(st.TaskRoles) != 1 {
		t.Errorf("status %+v, error %v", st, err)
	}
}

// readTogether reads the jobs of a workspace like `openpai status`.
func readTogether(t testing.TB, c *Cluster, workspace string) map[string]*cluster.Status {
	t.Helper()
	jobs, err := c.Jobs(t.Context(), workspace)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, j := range jobs {
		names = append(names, j.Framework)
	}
	status, err := c.ListStatuses(t.Context(), names)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*cluster.Status{}
	for _, name := range names {
		if all[name], err = status(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// waitingOf returns why the first task of a job is waiting.
func waitingOf(st *cluster.Status) string {
	if len(st.TaskRoles) == 0 || len(st.TaskRoles[0].Tasks) == 0 || st.TaskRoles[0].Tasks[0].Latest() == nil {
		return ""
	}
	return st.TaskRoles[0].Tasks[0].Latest().Waiting
}

// newWorkspaceServer returns a server with n jobs of each kind: running,
// unschedulable, partly submitted, and finished. Finished jobs have only a
// record.
func newWorkspaceServer(t testing.TB, n int) *gangServer {
	t.Helper()
	g := &gangServer{objects: map[string]any{}}
	for i := range n {
		g.add(t, fmt.Sprint("running", i), planner.StateRunning, func(fw *framework.Framework) { runningOf(t, fw) })
		g.add(t, fmt.Sprint("waiting", i), planner.StateWaiting, func(fw *framework.Framework) { g.addUnscheduled(t, fw) })
		g.add(t, fmt.Sprint("half", i), planner.StateWaiting, func(fw *framework.Framework) {
			fw.Spec = gangSpec()
			fw.Spec.ExecutionType = framework.ExecutionCreate
		})
		g.add(t, fmt.Sprint("kept", i), planner.StateSucceeded, nil)
	}
	return g
}

// runningOf gives a Framework a single task, and marks the task as running.
func runningOf(t testing.TB, fw *framework.Framework) {
	t.Helper()
	fw.Spec, fw.Status = gangSpec(), gangStatus(t, fw.Metadata.Name, *fw.Metadata.CreationTimestamp)
	roles, err := fw.Status.AttemptStatus.Roles()
	if err != nil {
		t.Fatal(err)
	}
	role := roles[0]
	role.TaskStatuses = slices.Clone(role.TaskStatuses[:1])
	fw.Spec.TaskRoles[0].TaskNumber = 1
	fw.Status.AttemptStatus.TaskRoleStatusesCompressed = nil
	fw.Status.AttemptStatus.TaskRoleStatuses = []framework.TaskRoleStatus{role}
}

// addUnscheduled adds an unschedulable Pod for a Framework's only task.
func (g *gangServer) addUnscheduled(t testing.TB, fw *framework.Framework) {
	t.Helper()
	runningOf(t, fw)
	fw.Status.State = framework.StateAttemptPreparing
	task := &fw.Status.AttemptStatus.TaskRoleStatuses[0].TaskStatuses[0]
	task.State, task.RunTime, task.AttemptStatus.RunTime = framework.StateAttemptPreparing, nil, nil
	name := framework.PodName(fw.Metadata.Name, "worker", 0)
	g.objects[api.Pods.Path("default", name)] = map[string]any{
		"metadata": map[string]any{"name": name, "labels": map[string]string{labelFramework: fw.Metadata.Name}},
		"status": map[string]any{"phase": "Pending", "conditions": []any{
			map[string]any{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "no node has a GPU"},
		}},
	}
}
