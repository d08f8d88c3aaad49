package kubernetes

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// Logs implements cluster.Cluster. A task that runs shows the log of its Pod.
// FrameworkController deletes the Pod of every finished task; what is left
// then is the whole log in the log storage, if the cluster has one and it is
// mounted here, and the last lines in the termination message. The request's
// Note is told which it is.
func (c *Cluster) Logs(ctx context.Context, r cluster.LogRequest, w io.Writer) error {
	known, err := c.knownRecord(ctx, r.Framework)
	if err != nil {
		return err
	}
	l := logs{c: c, request: r, record: known, out: w}
	if r.Kept != "" && (known == nil || known.Logs == nil) {
		l.note("--log-storage is not used: the cluster block had no log_storage when the job was applied")
	}
	pause := firstPoll
	for {
		fw, err := l.find(ctx)
		if isNotFound(err) {
			if found, keptErr := l.copySearched(); found || keptErr != nil {
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
			return fmt.Errorf("logs of task %s[%d]: its Pod does not run yet: %w", r.Role, r.Index, cluster.ErrNotFound)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
		pause = min(pause+pause/2, lastPoll)
	}
}

// logs copies the log of one task attempt.
type logs struct {
	c       *Cluster
	request cluster.LogRequest
	record  *stored
	out     io.Writer
	role    string                // in the Framework
	task    *framework.TaskStatus // nil while the engine does not know it
	copied  time.Time             // when the Pod's log was copied to its end; zero: it was not
	told    bool                  // that the task runs on
}

// engineLag is how long FrameworkController may take to notice that a Pod has
// ended. A log that ended longer ago broke off.
const engineLag = 30 * time.Second

func (l *logs) note(format string, args ...any) {
	if l.request.Note != nil {
		l.request.Note(fmt.Sprintf(format, args...))
	}
}

// mixed is where a text goes in which the streams are one, as in the log of a
// Pod. Of the stderr nothing is shown: it would be the stdout as well.
func (l *logs) mixed() io.Writer {
	switch l.request.Stream {
	case cluster.StreamStderr:
		l.note("the log of a Pod does not tell stderr from stdout; both are in the log of stdout")
		return io.Discard
	case cluster.StreamRuntime:
		return &runtimeLines{w: l.out}
	}
	return l.out
}

// find looks for the task that is asked for.
func (l *logs) find(ctx context.Context) (*framework.Framework, error) {
	fw, err := l.c.framework(ctx, l.request.Framework)
	if isNotFound(err) && l.record != nil {
		return nil, fmt.Errorf("logs of task %s[%d]: the cluster has only the record of the job%s: %w", l.request.Role, l.request.Index, l.elsewhere(), cluster.ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	statuses, err := roleStatuses(fw)
	if err != nil {
		return nil, err
	}
	for _, role := range fw.Spec.TaskRoles {
		if role.Name != l.request.Role && l.record.written(role.Name) != l.request.Role {
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
			return nil, fmt.Errorf("task %s[%d]: the role has %d tasks: %w", l.request.Role, l.request.Index, role.TaskNumber, cluster.ErrNotFound)
		}
		return fw, nil
	}
	return nil, fmt.Errorf("task role %s: %w", l.request.Role, cluster.ErrNotFound)
}

// current refuses attempts that are over: the engine forgets them.
func (l *logs) current(fw *framework.Framework) error {
	t := l.task
	other := l.request.JobAttempt >= 0 && int32(l.request.JobAttempt) != fw.Status.AttemptStatus.ID ||
		l.request.Attempt >= 0 && int32(l.request.Attempt) != t.AttemptStatus.ID
	if !other {
		return nil
	}
	return fmt.Errorf("logs of task %s[%d]: only the latest attempt is known to the cluster; it is attempt %d of job attempt %d%s: %w",
		l.request.Role, l.request.Index, t.AttemptStatus.ID, fw.Status.AttemptStatus.ID, l.elsewhere(l.role), cluster.ErrNotFound)
}

// elsewhere tells where the whole log is kept, or "". This machine need not
// have it.
func (l *logs) elsewhere(parts ...string) string {
	if l.record == nil || l.record.Logs == nil {
		return ""
	}
	place := *l.record.Logs
	place.Path = path.Join(append([]string{place.Path}, parts...)...)
	return fmt.Sprintf("; the whole log is kept in %s, which --log-storage reads where it is mounted", &place)
}

// copy copies what there is. It is done when the attempt ended, or without
// following when there was something.
func (l *logs) copy(ctx context.Context, fw *framework.Framework) (done bool, err error) {
	if l.task == nil {
		return fw.Status != nil && fw.Status.State == framework.StateCompleted, nil
	}
	a := l.task.AttemptStatus
	over := a.CompletionStatus != nil
	if a.PodUID != nil && l.copied.IsZero() && started(l.task.State) {
		found, err := l.copyPod(ctx, a.PodName)
		if err != nil {
			return false, err
		}
		if found {
			l.copied = l.c.options.Now()
			return !l.request.Follow || over, nil
		}
	}
	if !over && !l.told && !l.copied.IsZero() && l.c.options.Now().Sub(l.copied) > engineLag {
		l.told = true
		l.note("the log of the Pod %s broke off, and the task runs on; \"openpai logs\" shows all of it", a.PodName)
	}
	if over && l.copied.IsZero() {
		if found, err := l.copyKept(l.role, deref(a.PodUID)); found || err != nil {
			return true, err
		}
		return true, l.copyMessage(a)
	}
	return over, nil
}

// started reports whether the containers of a task have run. Before, the API
// server gives an empty log of a Pod that has no node yet.
func started(s framework.State) bool {
	switch s {
	case framework.StateAttemptCreationPending, framework.StateAttemptCreationRequested, framework.StateAttemptPreparing:
		return false
	}
	return true
}

// copyPod copies the log of the app container, and with Follow goes on until
// it ends; false when it has none yet, or none any more.
func (l *logs) copyPod(ctx context.Context, name string) (bool, error) {
	client, err := l.c.connect()
	if err != nil {
		return false, err
	}
	q := url.Values{"container": {appContainer}}
	if l.request.Follow {
		q.Set("follow", "true")
	}
	if l.request.TailLines > 0 {
		q.Set("tailLines", strconv.Itoa(l.request.TailLines))
	}
	body, err := client.stream(ctx, request{method: http.MethodGet, path: pods.path(l.c.namespace, name) + "/log", query: q, accept: "*/*", what: "read the log of Pod " + name})
	if err != nil {
		return false, notYet(err)
	}
	defer body.Close()
	l.note("the log of the Pod %s", name)
	if _, err := io.Copy(l.mixed(), body); err != nil && ctx.Err() == nil {
		return true, fmt.Errorf("read the log of Pod %s: %w", name, err)
	}
	return true, ctx.Err()
}

// notYet passes over a Pod that is gone, or whose container did not start.
func notYet(err error) error {
	if isNotFound(err) || apierrors.IsBadRequest(err) {
		return nil
	}
	return err
}

// copyMessage shows the last lines that the termination message kept.
func (l *logs) copyMessage(a framework.TaskAttemptStatus) error {
	r := exitRecord(a.CompletionStatus)
	where := l.elsewhere(l.role, deref(a.PodUID), contract.AllDir)
	if len(r.LastLines) == 0 {
		l.note("the Pod is gone, and nothing of its log was kept in the cluster%s", where)
		return nil
	}
	l.note("the Pod is gone; these are the last lines, from its termination message%s", where)
	_, err := io.WriteString(l.mixed(), strings.Join(r.LastLines, "\n")+"\n")
	return err
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// runtimeLines passes on the lines that the runtime wrote.
type runtimeLines struct {
	w    io.Writer
	rest []byte
}

func (r *runtimeLines) Write(p []byte) (int, error) {
	r.rest = append(r.rest, p...)
	for {
		advance, line, _ := bufio.ScanLines(r.rest, false)
		if advance == 0 {
			return len(p), nil
		}
		r.rest = r.rest[advance:]
		if bytes.Contains(line, []byte("[openpai-runtime]")) {
			if _, err := fmt.Fprintf(r.w, "%s\n", line); err != nil {
				return 0, err
			}
		}
	}
}
