// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/logtime"
)

// openRole opens the directory of a task role in the log storage. The directory
// contains one directory per Pod UID. openRole returns nil if the request has no
// log storage or the job did not keep logs. The cluster sets the directory names
// and tasks write the files, so the root rejects links that point outside the
// directory.
func (l *logs) openRole(role string) (*os.Root, error) {
	if l.request.Kept == "" || l.record == nil || l.record.Logs == nil {
		return nil, nil
	}
	path, err := filepath.Localize(l.record.Logs.Path)
	if err != nil {
		return nil, fmt.Errorf("read the log storage: the job's record contains the invalid directory %q: %w", l.record.Logs.Path, err)
	}
	storage, err := os.OpenRoot(l.request.Kept)
	if err != nil {
		return nil, fmt.Errorf("open the log storage: %w", err)
	}
	defer func() { _ = storage.Close() }()
	job, err := openDir(storage, path)
	if job == nil || err != nil {
		return nil, err
	}
	defer func() { _ = job.Close() }()
	return openName(job, role)
}

// openName opens a directory whose name the cluster returned.
func openName(in *os.Root, name string) (*os.Root, error) {
	if name == "." || strings.ContainsAny(name, `/\`) || !filepath.IsLocal(name) {
		return nil, fmt.Errorf("read the log storage: the cluster returned the invalid directory name %q", name)
	}
	return openDir(in, name)
}

// openDir opens a directory below in. It returns nil if the directory does
// not exist.
func openDir(in *os.Root, path string) (*os.Root, error) {
	dir, err := in.OpenRoot(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read the log storage: %s: %w", filepath.Join(in.Name(), path), err)
	}
	return dir, nil
}

// copyStored copies a log from the log storage. It returns false if the log
// does not exist.
func (l *logs) copyStored(role, podUID string) (bool, error) {
	dir, err := l.openRole(role)
	if dir == nil || err != nil || podUID == "" {
		return false, err
	}
	defer func() { _ = dir.Close() }()
	return l.copyPodDir(dir, podUID)
}

func (l *logs) copyPodDir(role *os.Root, podUID string) (bool, error) {
	dir, err := openName(role, podUID)
	if dir == nil || err != nil {
		return false, err
	}
	defer func() { _ = dir.Close() }()
	files, err := logFiles(dir, l.request.Stream)
	if err != nil || len(files) == 0 {
		return false, err
	}
	l.note("the log in the log storage, from %s", dir.Name())
	return true, copyFiles(l.lines, dir, files, l.request.TailLines)
}

// logFiles returns the files of a log, oldest first: the rotated files and the
// current file.
func logFiles(dir *os.Root, stream cluster.Stream) ([]string, error) {
	if stream == cluster.StreamRuntime {
		return regularFiles(dir, contract.RuntimeLog)
	}
	sub, ok := map[cluster.Stream]string{cluster.StreamStdout: contract.StdoutDir, cluster.StreamStderr: contract.StderrDir}[stream]
	if !ok {
		sub = contract.AllDir
	}
	older, err := fs.Glob(dir.FS(), sub+"/@*.s")
	if err != nil {
		return nil, err
	}
	slices.Sort(older)
	return regularFiles(dir, append(older, sub+"/"+contract.CurrentLog)...)
}

// regularFiles returns the names that exist. It fails if an existing name is
// not a regular file.
func regularFiles(dir *os.Root, names ...string) ([]string, error) {
	var files []string
	for _, name := range names {
		info, err := dir.Stat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err == nil && !info.Mode().IsRegular():
			err = errors.New("it is not a regular file")
		}
		if err != nil {
			return nil, fmt.Errorf("read the log storage: %s: %w", filepath.Join(dir.Name(), name), err)
		}
		files = append(files, name)
	}
	return files, nil
}

// copyFiles copies the named files in order. If tail is not 0, it copies only
// the last lines of the combined files.
func copyFiles(lines *logtime.Lines, dir *os.Root, names []string, tail int) error {
	to, last := lines.Out, &cluster.LastLines{Limit: tail}
	if tail > 0 {
		lines.Out = last
	}
	for _, name := range names {
		if err := copyKeptFile(lines, dir, name); err != nil {
			return fmt.Errorf("read the log %s: %w", filepath.Join(dir.Name(), name), err)
		}
	}
	lines.Out = to
	if tail == 0 {
		return nil
	}
	_, err := to.Write(last.Bytes())
	return err
}

// copyKeptFile reads the timestamps of the lines from the index of the log
// file.
func copyKeptFile(lines *logtime.Lines, dir *os.Root, name string) error {
	f, err := dir.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	lines.Follow(&logtime.Index{})
	if found, err := regularFiles(dir, logtime.Name(name)); err == nil && len(found) > 0 {
		if times, err := dir.Open(found[0]); err == nil {
			defer func() { _ = times.Close() }()
			lines.Follow(logtime.NewIndex(times))
		}
	}
	_, err = io.Copy(lines, f)
	return err
}

// copyForgotten copies the log of an attempt that is no longer in the status
// of the Framework. Exit records in the log storage identify the task of each
// log directory.
func (l *logs) copyForgotten() (bool, error) {
	if l.request.JobAttempt >= 0 {
		return false, nil
	}
	role, err := l.openRole(l.frameworkRole())
	if role == nil || err != nil {
		return false, err
	}
	defer func() { _ = role.Close() }()
	uids, err := fs.ReadDir(role.FS(), ".")
	if err != nil {
		return false, fmt.Errorf("read the log storage: %s: %w", role.Name(), err)
	}
	var best exitspec.Record
	uid := ""
	for _, entry := range uids {
		r, ok := readExit(role, entry.Name())
		if ok && r.Index == l.request.Index && (l.request.Attempt < 0 || r.Attempt == l.request.Attempt) && (uid == "" || r.Finished.After(best.Finished)) {
			best, uid = r, entry.Name()
		}
	}
	if uid == "" {
		return false, nil
	}
	return l.copyPodDir(role, uid)
}

// maxExitRecord is the maximum number of bytes that readExit reads from an
// exit record. Tasks can overwrite the record, so its size is not bounded.
const maxExitRecord = 1 << 20

func readExit(role *os.Root, podUID string) (exitspec.Record, bool) {
	var r exitspec.Record
	found, err := regularFiles(role, podUID+"/"+contract.ExitRecord)
	if err != nil || len(found) == 0 {
		return r, false
	}
	f, err := role.Open(found[0])
	if err != nil {
		return r, false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxExitRecord))
	return r, err == nil && json.Unmarshal(text, &r) == nil
}

// frameworkRole returns the name of the requested role in the Framework.
func (l *logs) frameworkRole() string {
	if l.record != nil {
		for name, written := range l.record.RoleNames {
			if written == l.request.Role {
				return name
			}
		}
	}
	return l.request.Role
}
