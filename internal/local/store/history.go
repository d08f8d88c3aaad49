// SPDX-License-Identifier: MPL-2.0

package store

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/history"
)

// History returns the directory with the run history of a workspace. It outlives
// the jobs.
func (l Layout) History(workspace string) string {
	return l.Join("history", workspaceHash(workspace))
}

// CountersFile returns the path of the file with the run counters of a workspace.
func (l Layout) CountersFile(workspace string) string {
	return filepath.Join(l.History(workspace), "counters.json")
}

// RunFile returns the path of the record of a run.
func (l Layout) RunFile(workspace string, k history.Key) string {
	return filepath.Join(l.History(workspace), k.String()+".json")
}

// RunLogs returns the directory with the logs of a run whose job was deleted. It has
// one directory per task attempt.
func (l Layout) RunLogs(workspace string, k history.Key) string {
	return filepath.Join(l.History(workspace), k.String())
}

// RunKeys lists the runs that have a record.
func (l Layout) RunKeys(workspace string) ([]history.Key, error) {
	if err := l.CheckHistory(workspace); err != nil {
		return nil, err
	}
	var all []history.Key
	for _, file := range Glob(l.History(workspace), "*.json") {
		if k, ok := history.ParseKey(strings.TrimSuffix(filepath.Base(file), ".json")); ok {
			all = append(all, k)
		}
	}
	return all, nil
}

// CheckHistory fails if a history directory or a log directory in the history
// is a symbolic link.
func (l Layout) CheckHistory(workspace string) error {
	for _, dir := range []string{string(l), l.Join("history"), l.History(workspace)} {
		if err := notLinked(dir); err != nil {
			return err
		}
	}
	return noLinksIn(l.History(workspace), 1)
}

// RunAttempt identifies a task attempt with logs in the history of a run.
type RunAttempt struct {
	JobAttempt int32
	Key        TaskKey
	Attempt    int32
}

func (a RunAttempt) dirName() string {
	return fmt.Sprintf("%d.%s.%d", a.JobAttempt, a.Key, a.Attempt)
}

// RunAttemptLogs returns the directory that contains an attempt's logs.
func (l Layout) RunAttemptLogs(workspace string, k history.Key, a RunAttempt) string {
	return filepath.Join(l.RunLogs(workspace, k), a.dirName())
}

// KeepLogs moves the logs of a job to the directory of the job's run before the
// job is deleted. It does not replace the files that an earlier call has moved.
func (l Layout) KeepLogs(workspace string, k history.Key) error {
	if err := l.CheckHistory(workspace); err != nil {
		return err
	}
	for _, dir := range Glob(l.Attempts(k.Framework), "*/*/*") {
		a, ok := parseAttemptDir(l.Attempts(k.Framework), dir)
		if !ok {
			continue
		}
		to := l.RunAttemptLogs(workspace, k, a)
		if lexists(to) || notLinked(TaskDir(dir).Logs()) != nil || !isDir(TaskDir(dir).Logs()) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return fmt.Errorf("store the logs of a run: %w", err)
		}
		if err := os.Rename(TaskDir(dir).Logs(), to); err != nil {
			return fmt.Errorf("store the logs of a run: %w", err)
		}
	}
	return nil
}

// parseAttemptDir parses the path of a directory below root. The path relative
// to root has the form "JOB ATTEMPT/ROLE-INDEX/ATTEMPT".
func parseAttemptDir(root, dir string) (RunAttempt, bool) {
	below, err := filepath.Rel(root, dir)
	if err != nil {
		return RunAttempt{}, false
	}
	return parseRunAttempt(strings.Split(filepath.ToSlash(below), "/"))
}

// RunAttempts lists the attempts whose logs the run keeps, sorted by
// directory name.
func (l Layout) RunAttempts(workspace string, k history.Key) []RunAttempt {
	var all []RunAttempt
	for _, dir := range Glob(l.RunLogs(workspace, k), "*") {
		if a, ok := parseRunAttempt(strings.Split(filepath.Base(dir), ".")); ok {
			all = append(all, a)
		}
	}
	return all
}

func parseRunAttempt(parts []string) (RunAttempt, bool) {
	var a RunAttempt
	if len(parts) != 3 {
		return a, false
	}
	dash := strings.LastIndex(parts[1], "-")
	if dash < 1 {
		return a, false
	}
	role, index := parts[1][:dash], parts[1][dash+1:]
	a.Key.Role = role
	for n, text := range []string{parts[0], index, parts[2]} {
		count, err := strconv.ParseInt(text, 10, 32)
		if err != nil || count < 0 {
			return a, false
		}
		*[]*int32{&a.JobAttempt, &a.Key.Index, &a.Attempt}[n] = int32(count)
	}
	return a, true
}

// DirSize returns the total size of the files below a directory.
func DirSize(dir string) int64 {
	var total int64
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			total += info.Size()
		}
		return nil
	})
	return total
}
