// SPDX-License-Identifier: MPL-2.0

package document

import (
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// EventHead holds the first fields of an event. Each event is one line of the output.
type EventHead struct {
	FormatVersion string    `json:"format_version" doc:"Version of the format: MAJOR.MINOR. A new minor version only adds fields and event types"`
	Time          time.Time `json:"time"`
}

// NewEventHead returns the head of an event at the given time.
func NewEventHead(now time.Time) EventHead { return EventHead{view.FormatVersion, now.UTC()} }

// PlanEvent is the plan, printed before any change is applied.
type PlanEvent struct {
	EventHead
	Type string             `json:"type" const:"plan"`
	Plan *view.PlanDocument `json:"plan"`
}

// SubmittedEvent reports one applied change.
type SubmittedEvent struct {
	EventHead
	Type    string         `json:"type" const:"submitted"`
	Address string         `json:"address"`
	Action  planner.Action `json:"action" doc:"Completed action: create, update or delete. A replacement is a delete and a create"`
}

// StageEvent is a new state of a job, or a new stage of a task.
type StageEvent struct {
	EventHead
	Type    string           `json:"type" const:"stage"`
	Address string           `json:"address"`
	State   planner.JobState `json:"state" doc:"State of the job"`
	Task    *EventTask       `json:"task,omitempty" doc:"Task; absent for events that concern the whole job"`
	Stage   *stage.Record    `json:"stage,omitempty" doc:"Stage of the task; absent if unknown"`
}

// EventTask identifies a task attempt.
type EventTask struct {
	TaskRole   string `json:"task_role"`
	Index      int    `json:"index"`
	JobAttempt int    `json:"job_attempt,omitempty" doc:"Number of the job attempt, starting at 1; absent for the latest attempt"`
	Attempt    int    `json:"attempt,omitempty" doc:"Number of the task attempt, starting at 1; absent for the latest attempt"`
	State      string `json:"state,omitempty"`
}

// NewEventTask converts an attempt ID. Attempt numbers start at 0 in the ID
// and at 1 in the EventTask.
func NewEventTask(a cluster.AttemptID) *EventTask {
	return &EventTask{TaskRole: a.Role, Index: a.Index, JobAttempt: a.JobAttempt + 1, Attempt: a.Attempt + 1}
}

// LogEvent is a log line.
type LogEvent struct {
	EventHead
	Type    string     `json:"type" const:"log"`
	Address string     `json:"address"`
	Task    *EventTask `json:"task"`
	Step    string     `json:"step,omitempty" doc:"The prerequisite that failed, or runtime; absent for the task's own log"`
	Written string     `json:"written,omitempty" doc:"Time at which the task wrote the line; present only with --timestamps, and only if known"`
	Line    string     `json:"line" doc:"Line without its terminator; invalid UTF-8 bytes are replaced"`
}

// FinishedEvent reports that a job finished.
type FinishedEvent struct {
	EventHead
	Type     string           `json:"type" const:"finished"`
	Address  string           `json:"address"`
	State    planner.JobState `json:"state"`
	ExitCode int              `json:"exit_code" doc:"Exit code that openpai run returns for the job"`
	Job      *JobStatus       `json:"job,omitempty" doc:"Status of the job; absent if the job had already finished and was not checked"`
}

// DiagnosticEvent is an error or a warning.
type DiagnosticEvent struct {
	EventHead
	Type       string          `json:"type" const:"diagnostic"`
	Diagnostic view.Diagnostic `json:"diagnostic"`
}

// SummaryEvent is the last event of a command.
type SummaryEvent struct {
	EventHead
	Type     string `json:"type" const:"summary"`
	ExitCode int    `json:"exit_code" doc:"Exit code of the command"`
	Errors   int    `json:"errors"`
	Warnings int    `json:"warnings"`
	Jobs     States `json:"jobs" doc:"Number of jobs in each last known state"`
}
