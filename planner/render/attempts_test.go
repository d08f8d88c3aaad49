// SPDX-License-Identifier: MPL-2.0

package render_test

import (
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner/render"
)

func TestAttemptsIncludeTheRetriesOfTheJob(t *testing.T) {
	t.Parallel()
	policy := func(fancy bool, count int32) framework.RetryPolicy {
		return framework.RetryPolicy{FancyRetryPolicy: fancy, MaxRetryCount: count}
	}
	tests := map[string]struct {
		job, task framework.RetryPolicy
		role      string
		want      int64
		limited   bool
	}{
		"no retries":                              {role: "worker", want: 1, limited: true},
		"the job retries":                         {job: policy(false, 2), role: "worker", want: 3, limited: true},
		"tasks retry":                             {task: policy(false, 3), role: "worker", want: 4, limited: true},
		"the job and its tasks retry":             {job: policy(false, 2), task: policy(false, 3), role: "worker", want: 12, limited: true},
		"the job retries on each failure":         {job: policy(false, framework.RetryOnFailure), role: "worker"},
		"the job retries always":                  {job: policy(false, framework.RetryAlways), role: "worker"},
		"tasks retry on each failure":             {task: policy(false, framework.RetryOnFailure), role: "worker"},
		"transient failures of the job retry":     {job: policy(true, 0), role: "worker"},
		"transient failures of tasks retry":       {task: policy(true, 0), role: "worker"},
		"a role that the Framework does not have": {role: "server"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &framework.Framework{Spec: framework.Spec{RetryPolicy: tt.job, TaskRoles: []framework.TaskRole{
				{Name: "worker", Task: framework.Task{RetryPolicy: tt.task}},
			}}}
			got, limited := (&render.Manifest{Framework: f}).MaxAttempts(tt.role)
			if limited != tt.limited || limited && got != tt.want {
				t.Errorf("MaxAttempts = %d, %t; want %d, %t", got, limited, tt.want, tt.limited)
			}
		})
	}
	if _, limited := (*render.Manifest)(nil).MaxAttempts("worker"); limited {
		t.Error("a job without a manifest has a limit")
	}
}
