// SPDX-License-Identifier: MPL-2.0

package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
)

// Intervals for polling a followed log and its supervisor.
const (
	pollLog        = 50 * time.Millisecond
	pollSupervisor = time.Second
)

// Logs implements cluster.Cluster. It does not start a supervisor. Following
// a log fails with cluster.ErrStalled if the supervisor of the job is not
// running.
func (c *Cluster) Logs(ctx context.Context, r cluster.LogRequest, w io.Writer) error {
	o, err := c.object(r.Framework)
	if err != nil {
		return err
	}
	dir, err := c.findAttempt(ctx, o, r)
	if err != nil {
		return fmt.Errorf("logs of task %s[%d] of Framework %s: %w", r.Role, r.Index, o.Name, err)
	}
	if r.Kept != "" && r.Note != nil {
		r.Note(message.Textf("%s is ignored: the local cluster always keeps complete logs", message.OptionLogStorage))
	}
	release, err := dir.Hold()
	if err != nil {
		return fmt.Errorf("read log: %w", err)
	}
	defer release()
	l := openLog(dir, r, w)
	defer l.close()
	if err := l.start(r.TailLines); err != nil {
		return fmt.Errorf("read log: %w", err)
	}
	if !r.Follow {
		return nil
	}
	return c.follow(ctx, o, dir, l)
}

// follow copies the log until the attempt has ended. It checks for the end
// before each copy, so that the last copy is complete.
func (c *Cluster) follow(ctx context.Context, o store.Object, dir store.TaskDir, l *log) error {
	checked := time.Now()
	for {
		ended := store.Exists(dir.Status()) || !store.Exists(string(dir))
		if err := l.copy(); err != nil {
			return fmt.Errorf("read log: %w", err)
		}
		if ended {
			return nil
		}
		if time.Since(checked) > pollSupervisor {
			checked = time.Now()
			if err := c.continues(o); err != nil {
				return errors.Join(l.copy(), err)
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pollLog):
		}
	}
}

// continues returns an error if no command or supervisor is processing the job.
func (c *Cluster) continues(o store.Object) error {
	reason, err := c.stalled(o)
	if err != nil {
		return err
	}
	return (&cluster.Status{Stalled: reason}).StalledError()
}

// findAttempt returns the directory of the requested task attempt. With Follow,
// it waits until the attempt exists or can no longer start.
func (c *Cluster) findAttempt(ctx context.Context, o store.Object, r cluster.LogRequest) (store.TaskDir, error) {
	for {
		fw, _, err := o.Load()
		if err != nil {
			return "", err
		}
		dir, err := c.attemptDir(fw, r)
		if err == nil && store.Exists(string(dir)) {
			return dir, nil
		}
		if err != nil {
			return "", err
		}
		over := fw.Status != nil && fw.Status.State == framework.StateCompleted
		if !r.Follow || over {
			return "", noAttempt(r)
		}
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-time.After(pollLog):
		}
		if err := c.continues(o); err != nil {
			return "", err
		}
	}
}

func noAttempt(r cluster.LogRequest) error {
	switch {
	case r.Attempt >= 0:
		return cluster.NotFound("the task has no attempt %d", r.Attempt+1)
	case r.JobAttempt >= 0:
		return cluster.NotFound("the task has no attempts in attempt %d of the job", r.JobAttempt+1)
	}
	return cluster.NotFound("the task has not started")
}

// attemptDir returns the directory of the attempt, even if the directory does not
// exist yet.
func (c *Cluster) attemptDir(fw *framework.Framework, r cluster.LogRequest) (store.TaskDir, error) {
	role, err := c.roleName(fw, r.Role)
	if err != nil {
		return "", err
	}
	key := store.TaskKey{Role: role.Name, Index: int32(r.Index)}
	jobAttempt, attempt := int32(r.JobAttempt), int32(r.Attempt)
	if jobAttempt < 0 {
		jobAttempt = 0
		if fw.Status != nil {
			jobAttempt = fw.Status.AttemptStatus.ID
		}
	}
	if attempt < 0 {
		attempt = c.latestAttempt(fw, jobAttempt, key)
	}
	if r.Index < 0 || int32(r.Index) >= role.TaskNumber && !store.Exists(string(c.layout.TaskAttempt(fw.Metadata.Name, jobAttempt, key, attempt))) {
		return "", cluster.NotFound("the task does not exist: the role has %s", quantity.Count(int(role.TaskNumber), "task"))
	}
	return c.layout.TaskAttempt(fw.Metadata.Name, jobAttempt, key, attempt), nil
}

func (c *Cluster) latestAttempt(fw *framework.Framework, jobAttempt int32, key store.TaskKey) int32 {
	if kept := c.layout.CompletedAttempts(fw.Metadata.Name, jobAttempt, key); len(kept) > 0 {
		last := kept[len(kept)-1].Status.ID
		if next := last + 1; store.Exists(string(c.layout.TaskAttempt(fw.Metadata.Name, jobAttempt, key, next))) {
			return next
		}
		return last
	}
	return 0
}

// roleName returns the task role with a declared name or a name in the
// Framework.
func (c *Cluster) roleName(fw *framework.Framework, name string) (*framework.TaskRole, error) {
	if role := fw.Spec.TaskRole(name); role != nil {
		return role, nil
	}
	r, err := c.layout.LoadRecord(fw.Metadata.Name)
	if err != nil {
		return nil, err
	}
	for i := range fw.Spec.TaskRoles {
		if r.WrittenName(fw.Spec.TaskRoles[i].Name) == name {
			return &fw.Spec.TaskRoles[i], nil
		}
	}
	return nil, cluster.NotFound("the job has no task role %q", name)
}

// logFile returns the current file of a stream.
func logFile(dir store.TaskDir, s cluster.Stream) string {
	switch s {
	case cluster.StreamRuntime:
		return filepath.Join(dir.Logs(), contract.RuntimeLog)
	case cluster.StreamStdout:
		return filepath.Join(dir.Logs(), contract.StdoutDir, contract.CurrentLog)
	case cluster.StreamStderr:
		return filepath.Join(dir.Logs(), contract.StderrDir, contract.CurrentLog)
	default:
		return filepath.Join(dir.Logs(), contract.AllDir, contract.CurrentLog)
	}
}
