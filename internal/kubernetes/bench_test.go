// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// maxStatusRequests is the maximum number of requests for the status of a job,
// regardless of its number of tasks. The documentation states it.
const maxStatusRequests = 20

const gangSize = 1000

// BenchmarkStatusOfAGang counts the requests that read the status of a job with
// 1,000 running tasks. BenchmarkStatusOfAGangOnAnAPIServer, with the build tag
// acc, counts the requests on a real API server.
func BenchmarkStatusOfAGang(b *testing.B) {
	requests := 0
	for b.Loop() {
		server := newGangServer(b)
		readGang(b, answeredBy(b, Options{Workspace: "vision"}, server.ServeHTTP))
		requests = len(server.requests)
	}
	b.ReportMetric(float64(requests), "requests")
}

func TestStatusOfAGangTakesFewRequests(t *testing.T) {
	t.Parallel()
	server := newGangServer(t)
	st := readGang(t, answeredBy(t, Options{Workspace: "vision"}, server.ServeHTTP))
	if n := len(server.requests); n > maxStatusRequests {
		t.Errorf("%d requests, want at most %d:\n%s", n, maxStatusRequests, strings.Join(server.requests, "\n"))
	}
	if st.Address != "job.gang" || len(st.TaskRoles) != 1 || len(st.TaskRoles[0].Tasks) != gangSize || st.Sample == nil {
		t.Errorf("the status is of %q with %d roles and the sample %+v", st.Address, len(st.TaskRoles), st.Sample)
	}
}

// readGang reads the status of the only job in the workspace "vision", like the
// status command.
func readGang(t testing.TB, c *Cluster) *cluster.Status {
	t.Helper()
	jobs, err := c.Jobs(t.Context(), "vision")
	if err != nil || len(jobs) != 1 {
		t.Fatalf("%d jobs: %v", len(jobs), err)
	}
	st, err := c.Status(t.Context(), jobs[0].Framework)
	if err != nil {
		t.Fatal(err)
	}
	c.AddStages(t.Context(), st)
	return st
}

// gangServer behaves like an API server that supports only a few kinds of objects.
// It records the requests, and returns lists in as many pages as an API server.
type gangServer struct {
	objects map[string]any // by path

	mu       sync.Mutex
	requests []string
}

func newGangServer(t testing.TB) *gangServer {
	t.Helper()
	g := &gangServer{objects: map[string]any{}}
	g.add(t, "gang", planner.StateRunning, func(fw *framework.Framework) {
		fw.Spec, fw.Status = gangSpec(), gangStatus(t, fw.Metadata.Name, *fw.Metadata.CreationTimestamp)
	})
	return g
}

// add stores the record of a job, and the Framework if complete is not nil.
func (g *gangServer) add(t testing.TB, name string, recorded planner.JobState, complete func(*framework.Framework)) {
	t.Helper()
	fw, created := contract.FrameworkName("alice", name), time.Now().UTC().Truncate(time.Second)
	r := cluster.Record{
		Address: hclspec.NewAddress("job", name), Workspace: "vision", Name: name, User: "alice", Framework: fw,
		Created: created, State: recorded,
	}
	meta := framework.ObjectMeta{
		Name: fw, UID: "uid", ResourceVersion: "1", CreationTimestamp: &created, Labels: ownLabels(r.Workspace, r.Address),
		Annotations: map[string]string{contract.KeyWorkspace: r.Workspace, contract.KeyAddress: string(r.Address), contract.AnnotationJobName: r.Name},
	}
	if complete != nil {
		live := framework.Framework{Metadata: meta}
		live.Metadata.Labels = maps.Clone(meta.Labels)
		complete(&live)
		g.objects[api.Frameworks.Path("default", fw)] = live
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	record := recordObject{Metadata: meta, Data: map[string]string{recordKey: string(text)}}
	record.Metadata.Name = contract.RecordConfigMap(fw)
	record.Metadata.Labels[contract.KeyType] = typeRecord
	g.objects[api.ConfigMaps.Path("default", record.Metadata.Name)] = record
}

func gangSpec() framework.Spec {
	return framework.Spec{ExecutionType: framework.ExecutionStart, TaskRoles: []framework.TaskRole{{Name: "worker", TaskNumber: gangSize}}}
}

// gangStatus returns the status of a job whose tasks are running.
func gangStatus(t testing.TB, name string, since time.Time) *framework.Status {
	t.Helper()
	role := framework.TaskRoleStatus{Name: "worker", InstanceUID: "role-worker"}
	for i := range gangSize {
		uid := fmt.Sprint("uid-", i)
		role.TaskStatuses = append(role.TaskStatuses, framework.TaskStatus{
			Index: int32(i), State: framework.StateAttemptRunning, StartTime: since, RunTime: &since, TransitionTime: since,
			AttemptStatus: framework.TaskAttemptStatus{StartTime: since, RunTime: &since, PodName: framework.PodName(name, "worker", i), PodUID: &uid},
		})
	}
	st := &framework.Status{State: framework.StateAttemptRunning, StartTime: since, RunTime: &since, TransitionTime: since}
	st.AttemptStatus = framework.AttemptStatus{StartTime: since, RunTime: &since, TaskRoleStatuses: []framework.TaskRoleStatus{role}}
	if err := st.AttemptStatus.Compress(); err != nil {
		t.Fatal(err)
	}
	return st
}

// ServeHTTP implements http.Handler. It returns one object, a list of objects, or
// the log of a Pod.
func (g *gangServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	g.requests = append(g.requests, r.Method+" "+r.URL.String())
	g.mu.Unlock()
	if strings.HasSuffix(r.URL.Path, "/log") {
		fmt.Fprint(w, stageText(stage.Fetching))
		return
	}
	answer, found := g.objects[r.URL.Path]
	switch {
	case r.Method != http.MethodGet:
		http.Error(w, "only reads are expected", http.StatusMethodNotAllowed)
		return
	case slices.Contains([]string{"frameworks", "configmaps", "secrets", "serviceaccounts", "roles", "rolebindings", "pods"}, r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]):
		answer = map[string]any{"metadata": map[string]any{}, "items": g.within(r.URL.Path)}
	case !found:
		w.WriteHeader(http.StatusNotFound)
		answer = map[string]any{"kind": "Status", "code": http.StatusNotFound, "reason": "NotFound"}
	}
	_ = json.NewEncoder(w).Encode(answer)
}

func (g *gangServer) within(path string) []any {
	items := []any{}
	for name, o := range g.objects {
		if strings.HasPrefix(name, path+"/") {
			items = append(items, o)
		}
	}
	return items
}
