package cluster

import (
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// FrameworkState returns the state of the job of a Framework.
func FrameworkState(fw *framework.Framework) planner.JobState {
	if fw.Status == nil {
		return planner.StateWaiting
	}
	return JobState(fw.Status.State, fw.Status.AttemptStatus.CompletionStatus)
}

// Unstarted reports whether the next apply continues with a Framework: it was
// created or deleted in part.
func Unstarted(fw *framework.Framework) bool {
	return fw.Spec.ExecutionType == framework.ExecutionCreate || fw.Metadata.DeletionTimestamp != nil
}

// JobState returns the state of a job, or of a task, in OpenPAI's words. The
// completion status is that of the current attempt, nil while it has none.
// Source: microsoft/pai:
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
		return planner.StateRunning // what comes next is not decided yet
	case framework.StateCompleted:
		return outcome(c)
	default:
		return planner.StateUnknown
	}
}

// AttemptState is [JobState] for one attempt: once completed it has an outcome,
// whether or not another attempt follows.
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

// Stopped reports whether the user, a change of the number of tasks, or the end
// of the job around it ended the attempt.
func Stopped(c *framework.CompletionStatus) bool {
	return c != nil && (c.Code == framework.CodeStopRequested || c.Code == framework.CodeAttemptCompletion || c.Code == framework.CodeDeleteTaskRequested)
}

// EngineExit returns the exit record of a task attempt as far as the engine
// knows it. It is the whole truth about an attempt that the engine ended: how
// the commands took the signal says nothing about the job.
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
