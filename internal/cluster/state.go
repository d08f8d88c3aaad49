// SPDX-License-Identifier: MPL-2.0

package cluster

import (
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// FrameworkState returns the state of a Framework's job.
func FrameworkState(fw *framework.Framework) planner.JobState {
	if fw.Status == nil {
		return planner.StateWaiting
	}
	return JobState(fw.Status.State, fw.Status.AttemptStatus.CompletionStatus)
}

// StateWhileDeleted is like [FrameworkState], but returns STOPPING for a job that
// ended during the deletion. The deletion ended the job.
func StateWhileDeleted(fw *framework.Framework) planner.JobState {
	state, deletion := FrameworkState(fw), fw.Metadata.DeletionTimestamp
	if deletion == nil || !state.Finished() {
		return state
	}
	// The engine writes times in whole seconds.
	if end := fw.Status.CompletionTime; end != nil && end.Before(deletion.Truncate(time.Second)) {
		return state
	}
	return planner.StateStopping
}

// Unstarted reports whether the creation or deletion of a Framework is
// incomplete. The next apply completes the creation or deletion.
func Unstarted(fw *framework.Framework) bool {
	return fw.Spec.ExecutionType == framework.ExecutionCreate || fw.Metadata.DeletionTimestamp != nil
}

// JobState returns the OpenPAI state of a job or task. c is the completion status
// of the current attempt, or nil before its completion. Source: microsoft/pai:
// src/rest-server/src/models/v2/utils/frameworkConverter.js.
func JobState(s framework.State, c *framework.CompletionStatus) planner.JobState {
	switch s {
	case framework.StateAttemptCreationPending, framework.StateAttemptCreationRequested, framework.StateAttemptPreparing:
		return planner.StateWaiting
	case framework.StateAttemptRunning:
		return planner.StateRunning
	case framework.StateAttemptDeletionPending, framework.StateAttemptDeletionRequested, framework.StateAttemptDeleting, framework.StateAttemptCompleted:
		if Stopped(c) {
			return planner.StateStopping
		}
		return planner.StateRunning // the engine has not decided the next step yet
	case framework.StateCompleted:
		return outcome(c)
	default:
		return planner.StateUnknown
	}
}

// AttemptState is like [JobState] for one attempt. A completed attempt has an
// outcome even if another attempt follows.
func AttemptState(s framework.State, c *framework.CompletionStatus) planner.JobState {
	if s == framework.StateAttemptCompleted {
		return outcome(c)
	}
	return JobState(s, c)
}

func outcome(c *framework.CompletionStatus) planner.JobState {
	switch {
	case c == nil:
		return planner.StateUnknown
	case Stopped(c):
		return planner.StateStopped
	case c.Type.Name == framework.Succeeded:
		return planner.StateSucceeded
	default:
		return planner.StateFailed
	}
}

// Stopped reports whether the user, a rescale or the end of the job ended the
// attempt.
func Stopped(c *framework.CompletionStatus) bool {
	return c != nil && (c.Code == framework.CodeStopRequested || c.Code == framework.CodeAttemptCompletion || c.Code == framework.CodeDeleteTaskRequested)
}

// EngineExit converts the engine's completion status of a task attempt to an
// exit record. If the engine ended the attempt, the record is complete
// without the exit code of the commands.
func EngineExit(done *framework.CompletionStatus) *exitspec.Record {
	r := &exitspec.Record{
		Code: int(done.Code), UserCode: int(done.Code), Phrase: done.Phrase,
		Reason: done.Diagnostics, Behavior: behavior(done.Type), Stopped: Stopped(done),
	}
	if done.Code == framework.CodeDeleteTaskRequested {
		r.Reason = "removed by rescale"
	}
	return r
}

func behavior(t framework.CompletionType) string {
	if t.Name != framework.Failed {
		return ""
	}
	for _, a := range t.Attributes {
		if a == framework.Transient || a == framework.Permanent {
			return strings.ToUpper(string(a))
		}
	}
	return "UNKNOWN"
}
