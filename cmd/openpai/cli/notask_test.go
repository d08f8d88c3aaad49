// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"fmt"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
)

// statusWith returns the status of a job with workers and parameter servers.
func statusWith(address string, workers, servers int) *cluster.Status {
	st := &cluster.Status{Address: address}
	for _, r := range []struct {
		name  string
		tasks int
	}{{"worker", workers}, {"ps", servers}} {
		role := cluster.TaskRole{Name: r.name}
		for i := range r.tasks {
			role.Tasks = append(role.Tasks, cluster.Task{Index: i})
		}
		st.TaskRoles = append(st.TaskRoles, role)
	}
	return st
}

func TestAMissingTaskIsExplained(t *testing.T) {
	t.Parallel()
	train := []*cluster.Status{statusWith("job.train", 3, 1)}
	var many []*cluster.Status
	for i := range 200 {
		many = append(many, statusWith(fmt.Sprintf("job.%d", i), 1, 0))
	}
	for name, tt := range map[string]struct {
		statuses []*cluster.Status
		filter   operation.LogFilter
		want     string
	}{
		"a task that exists":  {train, operation.LogFilter{Role: "worker", Index: 2}, ""},
		"a role that exists":  {train, operation.LogFilter{Role: "ps", Index: -1}, ""},
		"no filter":           {nil, operation.LogFilter{Index: -1}, ""},
		"a missing index":     {train, operation.LogFilter{Index: 3}, "a task with the index 3 does not exist: job.train has worker[0] to worker[2], ps[0]."},
		"a missing task":      {train, operation.LogFilter{Role: "worker", Index: 3}, "task worker[3] does not exist: job.train has worker[0] to worker[2], ps[0]."},
		"a missing role":      {train, operation.LogFilter{Role: "workr", Index: -1}, `task role "workr" does not exist: job.train has worker[0] to worker[2], ps[0]. Did you mean "worker"?`},
		"a job without tasks": {[]*cluster.Status{{Address: "job.new"}}, operation.LogFilter{Role: "worker", Index: 0}, "task worker[0] does not exist: job.new has no tasks yet."},
		"many jobs":           {many, operation.LogFilter{Role: "worker", Index: 1}, "task worker[1] does not exist: job.0 has worker[0], job.1 has worker[0], job.2 has worker[0], job.3 has worker[0], job.4 has worker[0], job.5 has worker[0], job.6 has worker[0], job.7 has worker[0], and 192 more jobs."},
	} {
		got := ""
		if err := noTask(tt.statuses, tt.filter); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, tt.want)
		}
	}
}
