// SPDX-License-Identifier: MPL-2.0

package cluster

import (
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner"
)

func TestStatesOfTheEngineBecomeStatesOfJobs(t *testing.T) {
	t.Parallel()
	ok, failed := framework.FromExit(0, "", nil), framework.FromExit(7, "", nil)
	stop := framework.FromCode(framework.CodeStopRequested, "")
	over := framework.FromCode(framework.CodeAttemptCompletion, "")
	scaled := framework.FromCode(framework.CodeDeleteTaskRequested, "")
	tests := map[string]struct {
		state   framework.State
		c       *framework.CompletionStatus
		job     planner.JobState
		attempt planner.JobState
	}{
		"a job that will be created waits":                   {framework.StateAttemptCreationPending, nil, planner.StateWaiting, planner.StateWaiting},
		"a job whose creation was requested waits":           {framework.StateAttemptCreationRequested, nil, planner.StateWaiting, planner.StateWaiting},
		"a job whose tasks have not run yet waits":           {framework.StateAttemptPreparing, nil, planner.StateWaiting, planner.StateWaiting},
		"a running job runs":                                 {framework.StateAttemptRunning, nil, planner.StateRunning, planner.StateRunning},
		"a job that ends without a request still runs":       {framework.StateAttemptDeletionPending, ok, planner.StateRunning, planner.StateRunning},
		"a job that is stopped is stopping":                  {framework.StateAttemptDeletionRequested, stop, planner.StateStopping, planner.StateStopping},
		"a task that ends with its attempt is stopping":      {framework.StateAttemptDeleting, over, planner.StateStopping, planner.StateStopping},
		"another attempt may follow a failed attempt":        {framework.StateAttemptCompleted, failed, planner.StateRunning, planner.StateFailed},
		"another attempt may follow a succeeded attempt":     {framework.StateAttemptCompleted, ok, planner.StateRunning, planner.StateSucceeded},
		"a stopped attempt of a job that is not stopped yet": {framework.StateAttemptCompleted, stop, planner.StateStopping, planner.StateStopped},
		"a job that succeeded":                               {framework.StateCompleted, ok, planner.StateSucceeded, planner.StateSucceeded},
		"a job that failed":                                  {framework.StateCompleted, failed, planner.StateFailed, planner.StateFailed},
		"a job that was stopped":                             {framework.StateCompleted, stop, planner.StateStopped, planner.StateStopped},
		"a task that ended with its job was stopped":         {framework.StateCompleted, over, planner.StateStopped, planner.StateStopped},
		"a task removed by a rescale did not fail":           {framework.StateCompleted, scaled, planner.StateStopped, planner.StateStopped},
		"a completed job without a status is unknown":        {framework.StateCompleted, nil, planner.StateUnknown, planner.StateUnknown},
		"a state of a newer engine is unknown":               {"Dreaming", nil, planner.StateUnknown, planner.StateUnknown},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := JobState(tt.state, tt.c); got != tt.job {
				t.Errorf("job %s, want %s", got, tt.job)
			}
			if got := AttemptState(tt.state, tt.c); got != tt.attempt {
				t.Errorf("attempt %s, want %s", got, tt.attempt)
			}
		})
	}
}

func TestTasksEndedByADeletionDoNotFailTheJob(t *testing.T) {
	t.Parallel()
	deletion := time.Date(2026, 11, 23, 10, 0, 0, 500e6, time.UTC)
	before, during := deletion.Add(-time.Minute), deletion.Truncate(time.Second)
	for name, tt := range map[string]struct {
		state     framework.State
		completed *time.Time
		deletion  *time.Time
		want      planner.JobState
	}{
		"a running job":                          {framework.StateAttemptRunning, nil, &deletion, planner.StateRunning},
		"a job that failed before the deletion":  {framework.StateCompleted, &before, &deletion, planner.StateFailed},
		"a job whose tasks the deletion ended":   {framework.StateCompleted, &during, &deletion, planner.StateStopping},
		"a failed job that is not being deleted": {framework.StateCompleted, &during, nil, planner.StateFailed},
		"a job that ended at an unknown time":    {framework.StateCompleted, nil, &deletion, planner.StateStopping},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fw := &framework.Framework{
				Metadata: framework.ObjectMeta{DeletionTimestamp: tt.deletion},
				Status: &framework.Status{
					State: tt.state, CompletionTime: tt.completed, AttemptStatus: framework.AttemptStatus{CompletionStatus: framework.FromExit(7, "", nil)},
				},
			}
			if got := StateWhileDeleted(fw); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}
