// SPDX-License-Identifier: MPL-2.0

package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// AttemptsKept is the number of latest attempts that pruning keeps in addition
// to the first attempt.
const AttemptsKept = 20

// Hold protects a task attempt from pruning until release is called.
func (d TaskDir) Hold() (release func(), err error) {
	f, err := os.Open(string(d))
	if err != nil {
		return nil, err
	}
	if err := flock(f, false, true); err != nil {
		_ = f.Close()
		return nil, lockError(string(d), err)
	}
	return func() { _ = f.Close() }, nil
}

// PruneTaskAttempts removes old attempts of a task, except attempts that Hold
// protects.
func (l Layout) PruneTaskAttempts(framework string, jobAttempt int32, key TaskKey, current int32) error {
	dir := filepath.Dir(string(l.TaskAttempt(framework, jobAttempt, key, current)))
	return prune(dir, current, func(name string) error { return TaskDir(name).remove() })
}

// PruneJobAttempts removes old attempts of a job. It skips task attempts that
// Hold protects; a later call removes them.
func (l Layout) PruneJobAttempts(framework string, current int32) error {
	return prune(l.Attempts(framework), current, func(name string) error {
		var err error
		for _, task := range Glob(name, "*/*") {
			err = errors.Join(err, TaskDir(task).remove())
		}
		if len(Glob(name, "*/*")) > 0 {
			return err
		}
		return errors.Join(err, os.RemoveAll(name))
	})
}

// prune calls remove for each attempt that is too old to keep.
func prune(dir string, current int32, remove func(name string) error) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("list attempts: %w", err)
	}
	var errs []error
	for _, e := range entries {
		if id, err := strconv.ParseInt(e.Name(), 10, 32); err == nil && id > 0 && id <= int64(current)-AttemptsKept {
			errs = append(errs, remove(filepath.Join(dir, e.Name())))
		}
	}
	return errors.Join(errs...)
}

// remove deletes the directory of a task attempt. It does nothing if Hold
// protects the attempt.
func (d TaskDir) remove() error {
	f, err := os.Open(string(d))
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		if err := flock(f, true, false); errors.Is(err, ErrLocked) {
			return nil
		} else if err != nil {
			return lockError(string(d), err)
		}
	}
	return os.RemoveAll(string(d))
}
