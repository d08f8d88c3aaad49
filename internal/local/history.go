// SPDX-License-Identifier: MPL-2.0

package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/openpai/terraform-provider-openpai/internal/atomicfile"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/logtime"
)

var _ cluster.RunStore = (*Cluster)(nil)

// Default limits for the runs of a workspace.
const (
	runsKept    = 20
	runLogsKept = 2 << 30
)

// RunLimits implements cluster.RunStore.
func (c *Cluster) RunLimits() history.Limits {
	return history.Limits{Runs: runsKept, LogBytes: runLogsKept}
}

// Counters implements cluster.RunStore.
func (c *Cluster) Counters(_ context.Context, workspace string) (*history.Counters, error) {
	if err := c.layout.CheckHistory(workspace); err != nil {
		return nil, err
	}
	file := c.layout.CountersFile(workspace)
	text, err := readDocument(file)
	if errors.Is(err, fs.ErrNotExist) {
		return &history.Counters{}, nil
	}
	if err != nil {
		return nil, damagedCounters(err)
	}
	counters, err := history.DecodeCounters(file, workspace, text)
	return counters, damagedCounters(err)
}

// damagedCounters adds advice for a damaged file, but not if a later version
// of openpai wrote the file.
func damagedCounters(err error) error {
	var format *history.FormatError
	if !errors.As(err, &format) || format.Version > history.Version {
		return err
	}
	return fmt.Errorf("%w; restore or delete the file (without the file, the runs of each job continue after the highest recorded number)", err)
}

// SaveCounters implements cluster.RunStore. It does not compare revisions, because it
// holds the lock of the workspace directory while it writes.
func (c *Cluster) SaveCounters(_ context.Context, workspace string, counters *history.Counters) error {
	return c.writeHistory(workspace, func() error {
		file := c.layout.CountersFile(workspace)
		if len(counters.Last) > 0 {
			return atomicfile.Write(file, counters.Encode(workspace), 0o644)
		}
		return c.removeHistory(workspace, file)
	})
}

// removeHistory removes the counters, and then any empty directories.
func (c *Cluster) removeHistory(workspace, counters string) error {
	unfinished := store.Glob(c.layout.History(workspace), ".*.tmp")
	for _, file := range append(unfinished, counters) {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if os.Remove(c.layout.History(workspace)) == nil {
		_ = os.Remove(filepath.Dir(c.layout.History(workspace)))
	}
	return nil
}

// writeHistory calls write while it holds the lock of the workspace
// directory.
func (c *Cluster) writeHistory(workspace string, write func() error) error {
	release, err := c.acquire()
	if err != nil {
		return err
	}
	defer release()
	if err := c.layout.CheckHistory(workspace); err != nil {
		return err
	}
	if err := os.MkdirAll(c.layout.History(workspace), 0o755); err != nil {
		return noRoom(fmt.Errorf("create the history directory: %w", err))
	}
	return noRoom(write())
}

// noRoom adds advice to the error for a full disk.
func noRoom(err error) error {
	if err != nil && store.IsDiskFull(err) {
		return fmt.Errorf("%w: %w", cluster.ErrNoRoom, err)
	}
	return err
}

// readDocument returns a [history.FormatError] for a damaged file.
func readDocument(file string) (json.RawMessage, error) {
	var text json.RawMessage
	err := store.ReadJSON(file, &text)
	var unreadable *store.UnreadableError
	if errors.As(err, &unreadable) {
		return nil, &history.FormatError{Name: file, Err: fmt.Errorf("it is damaged: %w", unreadable.Err)}
	}
	return text, err
}

// RunSizes implements cluster.RunStore.
func (c *Cluster) RunSizes(_ context.Context, workspace string) ([]history.Size, error) {
	keys, err := c.layout.RunKeys(workspace)
	if err != nil {
		return nil, err
	}
	var all []history.Size
	for _, k := range keys {
		info, err := os.Lstat(c.layout.RunFile(workspace, k))
		if err != nil {
			continue // removed in the meantime
		}
		all = append(all, history.Size{
			Key: k, Bytes: info.Size(), LogBytes: store.DirSize(c.layout.RunLogs(workspace, k)), Order: info.ModTime().UnixNano(), At: info.ModTime(),
		})
	}
	return all, nil
}

// Run implements cluster.RunStore.
func (c *Cluster) Run(_ context.Context, workspace string, k history.Key) (*history.Run, error) {
	if err := c.layout.CheckHistory(workspace); err != nil {
		return nil, err
	}
	file := c.layout.RunFile(workspace, k)
	text, err := readDocument(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, cluster.NotFound("the history has no run %s", k)
	}
	if err != nil {
		return nil, err
	}
	r, err := history.Decode(file, text)
	if err != nil {
		return nil, err
	}
	if r.Key() != k || r.Workspace != workspace {
		return nil, &history.FormatError{Name: file, Version: r.Version, Err: errors.New("it is the record of a different run")}
	}
	r.Logs = c.runLogs(r)
	return r, nil
}

// runLogs returns the logs that were moved to the run when the job was
// deleted.
func (c *Cluster) runLogs(r *history.Run) []history.Log {
	written := map[string]string{}
	if job, err := r.Resolved(); err == nil && job != nil {
		for _, role := range job.TaskRoles {
			written[role.FrameworkName] = role.Name
		}
	}
	var all []history.Log
	for _, a := range c.layout.RunAttempts(r.Workspace, r.Key()) {
		dir, err := filepath.Rel(c.dir, c.layout.RunAttemptLogs(r.Workspace, r.Key(), a))
		if err != nil {
			continue
		}
		role := a.Key.Role
		if name := written[role]; name != "" {
			role = name
		}
		l := history.Log{
			Role: role, Index: int(a.Key.Index), JobAttempt: int(a.JobAttempt), Attempt: int(a.Attempt), Directory: filepath.ToSlash(dir),
		}
		all = append(all, l)
		if l.Step = cluster.CauseStep(r.Exit(l)); l.Step != "" {
			all = append(all, l)
		}
	}
	return all
}

// Runs implements cluster.RunStore.
func (c *Cluster) Runs(ctx context.Context, workspace string) ([]*history.Run, error) {
	keys, err := c.layout.RunKeys(workspace)
	if err != nil {
		return nil, err
	}
	var all []*history.Run
	var errs []error
	for _, k := range keys {
		r, err := c.Run(ctx, workspace, k)
		if errors.Is(err, cluster.ErrNotFound) {
			continue
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		all = append(all, r)
	}
	return all, errors.Join(errs...)
}

// SaveRun implements cluster.RunStore.
func (c *Cluster) SaveRun(_ context.Context, r *history.Run) error {
	saved := *r
	saved.Logs = nil // derived from the files
	return c.writeHistory(r.Workspace, func() error {
		return atomicfile.Write(c.layout.RunFile(r.Workspace, r.Key()), saved.Encode(), 0o644)
	})
}

// RemoveRun implements cluster.RunStore. It removes the record last, so that an
// interrupted removal can be repeated.
func (c *Cluster) RemoveRun(_ context.Context, workspace string, k history.Key, logsOnly bool) error {
	return c.writeHistory(workspace, func() error {
		if err := os.RemoveAll(c.layout.RunLogs(workspace, k)); err != nil || logsOnly {
			return err
		}
		err := os.Remove(c.layout.RunFile(workspace, k))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
}

// RunLog implements cluster.RunStore.
func (c *Cluster) RunLog(_ context.Context, r *history.Run, l history.Log, w io.Writer) error {
	if err := c.layout.CheckHistory(r.Workspace); err != nil {
		return err
	}
	for _, a := range c.layout.RunAttempts(r.Workspace, r.Key()) {
		dir := c.layout.RunAttemptLogs(r.Workspace, r.Key(), a)
		if rel, err := filepath.Rel(c.dir, dir); err != nil || filepath.ToSlash(rel) != l.Directory {
			continue
		}
		if l.Step == "" {
			return copyKept(filepath.Join(dir, contract.AllDir, contract.CurrentLog), w)
		}
		cause := cluster.NewCauseWriter(w, r.Exit(l), false)
		return errors.Join(copyKept(filepath.Join(dir, contract.RuntimeLog), cause), cause.Close())
	}
	return cluster.NotFound("the history has no log of task %s[%d] in directory %s", l.Role, l.Index, l.Directory)
}

// copyKept copies a kept log, including its rotated file.
func copyKept(path string, w io.Writer) error {
	kept := &log{path: path, lines: logtime.Lines{Out: w}}
	defer kept.close()
	return kept.start(0)
}

// keepLogs moves the logs of a job to the directory of the job's run before
// the job is deleted. If the run is no longer in the history, the logs are
// deleted with the job.
func (c *Cluster) keepLogs(o store.Object) error {
	r, err := c.layout.LoadRecord(o.Name)
	if err != nil || r == nil || r.Run == 0 {
		return nil // if the job's files are unreadable, its run is unknown
	}
	keys, err := c.layout.RunKeys(r.Workspace)
	if err != nil {
		return err
	}
	for _, k := range keys {
		if k.Framework == o.Name && k.Number == r.Run {
			return c.layout.KeepLogs(r.Workspace, k)
		}
	}
	return nil
}
