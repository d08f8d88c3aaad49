// SPDX-License-Identifier: MPL-2.0

package cluster

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/metrics"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

func TestAJobHasTheUsageOfItsLastAttempts(t *testing.T) {
	t.Parallel()
	ended := func(v metrics.Values, cpu float64, memory int64) TaskAttempt {
		return TaskAttempt{Exit: &exitspec.Record{Metrics: v, CPUSeconds: cpu, PeakMemoryBytes: memory}}
	}
	running := func(v metrics.Values) TaskAttempt { return TaskAttempt{Stage: &stage.Record{Metrics: v}} }
	task := func(attempts ...TaskAttempt) Task { return Task{Attempts: attempts} }
	for name, c := range map[string]struct {
		roles []TaskRole
		want  Use
	}{
		"the first task in the order of the roles": {
			[]TaskRole{{Name: "ps", Tasks: []Task{task(ended(metrics.Values{"lr": 1}, 0, 0))}}, {Name: "worker", Tasks: []Task{
				task(ended(metrics.Values{"loss": 2, "lr": 9}, 3, 4)), task(ended(metrics.Values{"loss": 5, "acc": 6}, 7, 8))}}},
			Use{metrics.Values{"lr": 1, "loss": 2, "acc": 6}, 3, 4},
		},
		"only the last attempt counts": {
			[]TaskRole{{Tasks: []Task{task(ended(metrics.Values{"loss": 1}, 9, 9), ended(nil, 1, 2)), task(ended(metrics.Values{"loss": 3}, 9, 9))}}},
			Use{metrics.Values{"loss": 3}, 1, 2},
		},
		"a running task shows what it has reported": {
			[]TaskRole{{Tasks: []Task{task(), task(ended(metrics.Values{"loss": 1}, 9, 9), running(metrics.Values{"loss": 2}))}}},
			Use{Metrics: metrics.Values{"loss": 2}},
		},
		"no task": {nil, Use{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, JobUse(&Status{TaskRoles: c.roles})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
