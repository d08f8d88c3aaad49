// SPDX-License-Identifier: MPL-2.0

package store

import (
	"errors"
	"io/fs"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// DecidingExit returns the exit record of the task that triggered completion of
// the current attempt, or nil.
func (l Layout) DecidingExit(fw *framework.Framework) *exitspec.Record {
	attempt := fw.Status.AttemptStatus
	if attempt.CompletionStatus == nil || attempt.CompletionStatus.Trigger == nil {
		return nil
	}
	key := TaskKey{attempt.CompletionStatus.Trigger.TaskRoleName, attempt.CompletionStatus.Trigger.TaskIndex}
	role := attempt.TaskRole(key.Role)
	if role == nil {
		return nil
	}
	for _, t := range role.TaskStatuses {
		if t.Index == key.Index {
			r, err := ReadExit(l.TaskAttempt(fw.Metadata.Name, attempt.ID, key, t.AttemptStatus.ID))
			if err != nil {
				return nil
			}
			return r
		}
	}
	return nil
}

// ExitCode returns the exit code for the run command: 0 if the job succeeded, even if
// its last task failed. Otherwise, it returns the exit code of the user's commands in
// the task that triggered completion, or nil if this code is unknown.
func (l Layout) ExitCode(fw *framework.Framework) *int {
	if fw.Status == nil || fw.Status.AttemptStatus.CompletionStatus == nil {
		return nil
	}
	done := fw.Status.AttemptStatus.CompletionStatus
	code := 0
	if done.Type.Name == framework.Succeeded {
		return &code
	}
	r := l.DecidingExit(fw)
	if r == nil {
		return nil
	}
	code = r.UserCode
	return &code
}

// ReadExit reads the exit record of an attempt. It returns nil if the runtime did not
// write a record.
func ReadExit(dir TaskDir) (*exitspec.Record, error) {
	var r exitspec.Record
	err := ReadJSON(dir.Exit(), &r)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r.Metrics = r.Metrics.Clean()
	return &r, nil
}
