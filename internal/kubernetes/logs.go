// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/internal/logtime"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
)

// Logs implements cluster.Cluster. For a running task, it copies the log of the
// task's Pod. FrameworkController deletes the Pod of every finished task. For a
// finished task, it copies the whole log from a locally mounted log storage.
// Otherwise, it copies the last lines from the termination message. Logs
// reports the source of the log to r.Note.
func (c *Cluster) Logs(ctx context.Context, r cluster.LogRequest, w io.Writer) error {
	known, err := c.knownRecord(ctx, r.Framework)
	if err != nil {
		return err
	}
	l := logs{c: c, request: r, record: known, lines: &logtime.Lines{Out: w, Since: r.Since, Stamp: r.Stamp}}
	if r.Kept != "" && (known == nil || known.Logs == nil) {
		l.note("%s is ignored: the cluster block did not set log_storage when the job was applied", message.OptionLogStorage)
	}
	seen := c.attemptsOf(r.Framework)
	pause := minPollInterval
	for {
		if a := seen.find(&l); a != nil && r.Follow {
			l.role = a.key.role
			f := follower{logs: &l, seen: seen, attempt: a}
			return f.run(ctx)
		}
		fw, err := l.find(ctx)
		if done, keptErr := l.copyForgottenAttempt(seen, err); done {
			return keptErr
		}
		if api.IsNotFound(err) {
			if found, keptErr := l.copyForgotten(); found || keptErr != nil {
				return keptErr
			}
		}
		if err != nil {
			return err
		}
		done, err := l.copy(ctx, fw)
		if done || err != nil {
			return err
		}
		if !r.Follow {
			return cluster.NotFound("task %s[%d] has no log: its Pod is not running yet", r.Role, r.Index)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
		pause = min(pause+pause/2, maxPollInterval)
	}
}

// logs copies the log of one task attempt.
type logs struct {
	c       *Cluster
	request cluster.LogRequest
	record  *stored
	lines   *logtime.Lines        // destination of the log
	role    string                // name in the Framework
	task    *framework.TaskStatus // nil until the Framework's status contains the task
	copied  time.Time             // time at which the Pod's log was completely copied, or zero
	noted   bool                  // whether the note about the running task has been sent
}

// engineLag is the maximum delay before FrameworkController detects that a Pod
// has ended. If FrameworkController still reports the task as running after
// engineLag, the log was cut off.
const engineLag = 30 * time.Second

// gap reports a part of the log that could not be read.
func (l *logs) gap(format string, args ...any) {
	if l.request.Gap == nil {
		l.note(format, args...)
		return
	}
	l.request.Gap(message.Textf(format, args...))
}

func (l *logs) note(format string, args ...any) {
	if l.request.Note != nil {
		l.request.Note(message.Textf(format, args...))
	}
}

// combined returns the writer for a Pod's log, which contains both streams. For
// stderr, the writer discards the log: the log for stdout already contains
// stderr. The output is complete after Flush.
func (l *logs) combined() *streamFilter {
	if l.request.Stream == cluster.StreamStderr {
		l.note("the log of a Pod does not separate stderr from stdout; the stdout log contains both")
		return &streamFilter{w: io.Discard}
	}
	return &streamFilter{w: l.lines, runtime: l.request.Stream == cluster.StreamRuntime}
}

// find sets the requested task and returns the Framework.
func (l *logs) find(ctx context.Context) (*framework.Framework, error) {
	fw, err := l.c.framework(ctx, l.request.Framework)
	if api.IsNotFound(err) && l.record != nil {
		return nil, l.stored(cluster.NotFound("the log of task %s[%d] no longer exists: the cluster has only the record of the job", l.request.Role, l.request.Index))
	}
	if err != nil {
		return nil, err
	}
	statuses, err := roleStatuses(fw)
	if err != nil {
		return nil, err
	}
	for _, role := range fw.Spec.TaskRoles {
		if role.Name != l.request.Role && l.record.declaredRole(role.Name) != l.request.Role {
			continue
		}
		l.role, l.task = role.Name, nil
		for _, t := range statuses[role.Name].TaskStatuses {
			if int(t.Index) == l.request.Index {
				l.task = &t
				return fw, l.current(fw)
			}
		}
		if l.request.Index >= int(role.TaskNumber) || l.request.Index < 0 {
			return nil, cluster.NotFound("task %s[%d] does not exist: the role has %s", l.request.Role, l.request.Index, quantity.Count(int(role.TaskNumber), "task"))
		}
		return fw, nil
	}
	return nil, cluster.NotFound("task role %q does not exist", l.request.Role)
}

// current returns an error if the request selects another attempt, because
// FrameworkController does not store earlier attempts.
func (l *logs) current(fw *framework.Framework) error {
	t := l.task
	other := l.request.JobAttempt >= 0 && int32(l.request.JobAttempt) != fw.Status.AttemptStatus.ID ||
		l.request.Attempt >= 0 && int32(l.request.Attempt) != t.AttemptStatus.ID
	if !other {
		return nil
	}
	return l.stored(cluster.NotFound("the log of this attempt of task %s[%d] does not exist: the cluster has only the log of the latest attempt (attempt %d of job attempt %d)",
		l.request.Role, l.request.Index, t.AttemptStatus.ID+1, fw.Status.AttemptStatus.ID+1), l.role)
}

// stored adds the location of the complete log to err if the job keeps its logs
// in a log storage.
func (l *logs) stored(err error, parts ...string) error {
	if hint, kept := l.storageHint(parts...); kept {
		return message.WithHint(err, hint)
	}
	return err
}

// storageNote returns the end of a note, or an empty text if the location of
// the complete log is unknown.
func (l *logs) storageNote(parts ...string) message.Text {
	if hint, kept := l.storageHint(parts...); kept {
		return message.Textf("; %s", hint)
	}
	return message.Text{}
}

// storageHint returns the location of the complete log in a storage. The storage
// does not have to be mounted on this machine.
func (l *logs) storageHint(parts ...string) (hint message.Hint, kept bool) {
	if l.record == nil || l.record.Logs == nil {
		return message.Hint{}, false
	}
	place := *l.record.Logs
	place.Path = path.Join(append([]string{place.Path}, parts...)...)
	return message.Hint{Kind: message.HintStoredLog, Place: fmt.Sprint(&place)}, true
}

// copy copies the available part of the log. done is true if the attempt has
// ended or, without Follow, if a log was available.
func (l *logs) copy(ctx context.Context, fw *framework.Framework) (done bool, err error) {
	if l.task == nil {
		return fw.Status != nil && fw.Status.State == framework.StateCompleted, nil
	}
	a := l.task.AttemptStatus
	over := a.CompletionStatus != nil
	if a.PodUID != nil && l.copied.IsZero() && started(l.task.State) {
		found, err := l.copyPod(ctx, a.PodName, stageKeyOf(a.PodName, int(fw.Status.AttemptStatus.ID), int(a.ID)))
		if err != nil {
			return false, err
		}
		if found {
			l.copied = l.c.options.Now()
			return !l.request.Follow || over, nil
		}
	}
	if !over && !l.noted && !l.copied.IsZero() && l.c.options.Now().Sub(l.copied) > engineLag {
		l.noted = true
		l.gap("the log of the Pod %s ended early, and the task is still running; run %q to show the complete log", a.PodName, message.CommandLogs)
	}
	if over && l.copied.IsZero() {
		if found, err := l.copyStored(l.role, deref(a.PodUID)); found || err != nil {
			return true, err
		}
		return true, l.copyLastLines(l.exitRecord(a, fw.Status.AttemptStatus.ID), deref(a.PodUID))
	}
	return over, nil
}

// started reports whether the containers of a task have started. If the Pod is
// not scheduled yet, the API server may return an empty log.
func started(s framework.State) bool {
	switch s {
	case framework.StateAttemptCreationPending, framework.StateAttemptCreationRequested, framework.StateAttemptPreparing:
		return false
	}
	return true
}

// copyPod copies the log of the app container. With Follow, it continues until
// the container ends. It returns false if the log does not exist yet or was
// removed. stageKey identifies the attempt.
func (l *logs) copyPod(ctx context.Context, name, stageKey string) (found bool, err error) {
	log := podLog{lines: l.lines}
	if l.request.Follow {
		defer l.c.withStages(stageKey, &log)()
	} else {
		keep := l.c.readingStage(stageKey, &log)
		defer func() {
			if err == nil {
				keep()
			}
		}()
	}
	body, err := l.openPod(ctx, name, &log, l.request.Follow && l.request.TailLines == 0)
	if err != nil {
		return false, ignoreNotReady(err)
	}
	l.note("the log of the Pod %s", name)
	out := l.combined()
	log.out = out
	if l.request.TailLines > 0 {
		err = l.copyTail(body, &log, out)
		if l.request.Follow && err == nil {
			if body, err = l.openPod(ctx, name, &log, true); err != nil {
				return true, ignoreNotReady(err)
			}
		}
	}
	if l.request.Follow || l.request.TailLines == 0 {
		err = errors.Join(err, log.copy(body), body.Close(), log.finish(), out.Flush())
	}
	if err != nil && ctx.Err() == nil {
		return true, fmt.Errorf("read the log of Pod %s: %w", name, err)
	}
	return true, ctx.Err()
}

// openPod opens the log of the app container at the position in the podLog.
func (l *logs) openPod(ctx context.Context, name string, log *podLog, follow bool) (io.ReadCloser, error) {
	client, err := l.c.connect()
	if err != nil {
		return nil, err
	}
	q := url.Values{"container": {appContainer}}
	if follow {
		q.Set("follow", "true")
	}
	log.query(q)
	return client.Stream(ctx, l.c.logRequest(name, q))
}

// copyTail copies the last lines and advances the position in the podLog. It
// reads the whole log, because the server counts the lines of all streams
// together.
func (l *logs) copyTail(body io.ReadCloser, log *podLog, out *streamFilter) error {
	to, tail := l.lines.Out, &cluster.LastLines{Limit: l.request.TailLines}
	l.lines.Out = tail
	err := errors.Join(log.copy(body), body.Close())
	if !l.request.Follow {
		err = errors.Join(err, log.finish(), out.Flush())
	}
	l.lines.Out = to
	if err != nil {
		return err
	}
	_, err = to.Write(tail.Bytes())
	return err
}

// ignoreNotReady ignores a missing Pod or a container that has not started.
func ignoreNotReady(err error) error {
	if api.IsNotFound(err) || apierrors.IsBadRequest(err) {
		return nil
	}
	return err
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
