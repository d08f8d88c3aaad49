// SPDX-License-Identifier: MPL-2.0

package cluster

import (
	"strings"

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

// Unstarted reports whether a Framework was created or deleted only in part, so
// that the next apply continues it.
func Unstarted(fw *framework.Framework) bool {
	return fw.Spec.ExecutionType == framework.ExecutionCreate || fw.Metadata.DeletionTimestamp != nil
}

// JobState returns the OpenPAI state of a job or task. The completion status is
// that of the current attempt; nil if it has not completed. Source:
// microsoft/pai: src/rest-server/src/models/v2/utils/frameworkConverter.js.
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
		return planner.StateRunning // the next step is not decided yet
	case framework.StateCompleted:
		return outcome(c)
	default:
		return planner.StateUnknown
	}
}

// AttemptState is like [JobState] for one attempt: a completed attempt has an
// outcome, whether or not another attempt follows.
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

// Stopped reports whether the attempt was ended by the user, a rescale, or the
// end of the job.
func Stopped(c *framework.CompletionStatus) bool {
	return c != nil && (c.Code == framework.CodeStopRequested || c.Code == framework.CodeAttemptCompletion || c.Code == framework.CodeDeleteTaskRequested)
}

// EngineExit returns the exit record of a task attempt from the engine's status.
// For an attempt that the engine ended it is complete: how the commands handled
// the signal does not matter for the job.
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
