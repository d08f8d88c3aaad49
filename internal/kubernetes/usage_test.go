// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

func TestUsageIsReadFromTheMetricsAPI(t *testing.T) {
	t.Parallel()
	const metrics = `{"items": [
		{"metadata": {"name": "f-worker-0"}, "containers": [{"usage": {"cpu": "1500m", "memory": "2Gi"}}, {"usage": {"cpu": "250000000n", "memory": "1Ki"}}]},
		{"metadata": {"name": "f-worker-1"}, "containers": [{"usage": {"cpu": "much", "memory": "1Ki"}}]},
		{"metadata": {"name": "of-another-job"}, "containers": [{"usage": {"cpu": "9", "memory": "9"}}]}]}`
	const path = "/apis/metrics.k8s.io/v1beta1/namespaces/default/pods?labelSelector=FC_FRAMEWORK_NAME%3Df"
	for name, c := range map[string]struct {
		code   int
		answer string
		want   []*cluster.Usage
		err    string
	}{
		"measured":      {200, metrics, []*cluster.Usage{{CPU: 1.75, Memory: 2<<30 + 1024}, nil, nil}, ""},
		"not served":    {404, `{"kind": "Status", "code": 404, "reason": "NotFound", "message": "the server could not find the requested resource"}`, []*cluster.Usage{nil, nil, nil}, "metrics"},
		"not permitted": {403, `{"kind": "Status", "code": 403, "reason": "Forbidden", "message": "pods.metrics.k8s.io is forbidden"}`, []*cluster.Usage{nil, nil, nil}, "forbidden"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked []string
			k := answeredBy(t, Options{Workspace: "vision"}, func(w http.ResponseWriter, r *http.Request) {
				asked = append(asked, r.URL.String())
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(c.code)
				fmt.Fprint(w, c.answer)
			})
			st := &cluster.Status{Framework: "f", TaskRoles: []cluster.TaskRole{{Name: "worker"}}}
			for i := range 3 {
				a := cluster.TaskAttempt{State: "RUNNING", Pod: fmt.Sprintf("f-worker-%d", i)}
				st.TaskRoles[0].Tasks = append(st.TaskRoles[0].Tasks, cluster.Task{Index: i, Attempts: []cluster.TaskAttempt{a}})
			}
			err := k.AddUsage(t.Context(), []*cluster.Status{st})
			if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("error %v", err)
			}
			var got []*cluster.Usage
			for _, task := range st.TaskRoles[0].Tasks {
				got = append(got, task.Attempts[0].Usage)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if diff := cmp.Diff([]string{path}, asked); diff != "" {
				t.Errorf("requests (-want +got)\n%s", diff)
			}
		})
	}
}
