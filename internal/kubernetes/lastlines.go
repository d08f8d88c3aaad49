// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"io"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
)

// copyLastLines copies the last lines of the log from the termination message. If
// a task failed before its commands started, the runtime wrote these lines, and
// the logs of the user's streams do not contain them.
func (l *logs) copyLastLines(r *exitspec.Record, podUID string) error {
	ofRuntime := r.BeforeCommands()
	if !r.Finished.IsZero() && r.Finished.Before(l.request.Since) || ofRuntime && l.request.Stream != cluster.StreamRuntime {
		return nil
	}
	where := l.storageNote(l.role, podUID, contract.AllDir)
	if len(r.LastLines) == 0 {
		l.gap("the Pod no longer exists, and the cluster did not keep its log%s", where)
		return nil
	}
	l.gap("the Pod no longer exists; these are the last lines, from its termination message%s", where)
	l.lines.SetTime(time.Time{})
	var out io.Writer = l.lines
	if l.request.Stream == cluster.StreamStderr || l.request.Stream == cluster.StreamRuntime && !ofRuntime {
		out = l.combined()
	}
	_, err := io.WriteString(out, strings.Join(r.LastLines, "\n")+"\n")
	return err
}

// copyForgottenAttempt copies the recorded lines of a requested attempt that
// the cluster no longer lists. err is the error from the other lookups.
func (l *logs) copyForgottenAttempt(seen *attempts, err error) (bool, error) {
	if !api.IsNotFound(err) || l.request.JobAttempt < 0 && l.request.Attempt < 0 {
		return false, nil
	}
	k := l.kept(seen, l.isAttempt)
	if k == nil {
		return false, nil
	}
	l.role = k.Role
	return true, l.copyLastLines(k.Exit, "")
}

// exitRecord returns the exit record of the current attempt. It uses the observed
// attempts if the engine deleted the Pod and has no termination message.
func (l *logs) exitRecord(a framework.TaskAttemptStatus, jobAttempt int32) *exitspec.Record {
	r := exitRecord(a.CompletionStatus)
	if len(r.LastLines) > 0 {
		return r
	}
	same := func(jobNumber, number int) bool { return jobNumber == int(jobAttempt) && number == int(a.ID) }
	if k := l.kept(l.c.attemptsOf(l.request.Framework), same); k != nil {
		return k.Exit
	}
	return r
}

// kept returns the latest ended attempt for which fits returns true, or nil
// if there is none.
func (l *logs) kept(seen *attempts, fits func(jobAttempt, attempt int) bool) *cluster.EndedAttempt {
	known := seen.ended()
	if l.record != nil {
		known = append(known, l.record.Attempts...)
	}
	var latest *cluster.EndedAttempt
	for _, k := range known {
		if l.isTask(k.Role, k.Index) && fits(k.JobAttempt, k.Attempt) && (latest == nil || after(&k, latest)) {
			latest = &k
		}
	}
	return latest
}

// isTask reports whether the request selects a task. role is the role name in
// the Framework.
func (l *logs) isTask(role string, index int) bool {
	return index == l.request.Index && (role == l.request.Role || l.record.declaredRole(role) == l.request.Role)
}

func (l *logs) isAttempt(jobAttempt, attempt int) bool {
	return (l.request.JobAttempt < 0 || l.request.JobAttempt == jobAttempt) && (l.request.Attempt < 0 || l.request.Attempt == attempt)
}
