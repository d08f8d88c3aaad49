// SPDX-License-Identifier: MPL-2.0

package output

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
	"github.com/openpai/terraform-provider-openpai/planner"
)

func TestTheStageOfAJobShowsWhyItWaits(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	fetching := &stage.Record{Stage: stage.Fetching, Number: 1, Count: 1, Reason: "503 Service Unavailable", Until: now.Add(8 * time.Second), Fetch: &stage.Progress{Source: "http://x/a.zip"}}
	long := &stage.Record{Stage: stage.Scheduling, Reason: strings.Repeat("Insufficient cpu ", 20)}
	for name, c := range map[string]struct {
		job   *stage.Record
		tasks []*stage.Record
		want  string
	}{
		"unknown":         {nil, []*stage.Record{nil}, "-"},
		"one task":        {nil, []*stage.Record{fetching}, "fetching a.zip: 503 Service Unavailable, next try in 8 s"},
		"several tasks":   {nil, []*stage.Record{fetching, fetching, {Stage: stage.Commands}}, "2 of 3 fetching, for example: 503 Service Unavailable"},
		"none waits":      {nil, []*stage.Record{{Stage: stage.Commands}, {Stage: stage.Commands}}, "2 of 2 commands"},
		"the job":         {&stage.Record{Stage: stage.Scheduling, Reason: "waits 30s before attempt 2", Until: now.Add(17 * time.Second)}, nil, "scheduling: waits 30s before attempt 2, 17 s left"},
		"a reason is cut": {nil, []*stage.Record{long}, "scheduling: Insufficient cpu Insufficient cpu Insufficient cpu Insufficient c..."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			role := cluster.TaskRole{Name: "w"}
			for i, r := range c.tasks {
				role.Tasks = append(role.Tasks, cluster.Task{Index: i, Attempts: []cluster.TaskAttempt{{Stage: r}}})
			}
			s := Summary{Status: &cluster.Status{Stage: c.job, TaskRoles: []cluster.TaskRole{role}}}
			if got := s.stage(now); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestOnlyUsageWithGPUsOrAPriceIsPrinted(t *testing.T) {
	usage := planner.Usage{Tasks: 2, CPUs: 6, MemoryMB: 8192, GPUs: 4}
	tests := map[string]struct {
		in   []planner.InUse
		want string
	}{
		"nothing runs":           {},
		"neither GPUs nor price": {in: []planner.InUse{{Cluster: "local", Usage: planner.Usage{Tasks: 1, CPUs: 1}}}},
		"GPUs and their price": {
			in:   []planner.InUse{{Cluster: "gpu", VirtualCluster: "default", Usage: usage, PricePerHour: 10}},
			want: "\nIn use by running jobs\n  cluster gpu, virtual cluster default: 2 tasks, 4 GPUs, 6 CPUs, 8 GiB, price 10 per hour\n",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			InUse(&out, tt.in)
			if diff := cmp.Diff(tt.want, out.String()); diff != "" {
				t.Errorf("in use (-want +got):\n%s", diff)
			}
		})
	}
}
