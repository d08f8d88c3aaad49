package kubernetes

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
)

// keptRole returns the directory of this machine that has one directory per
// Pod UID of a task role, in the log storage of the cluster; empty when the
// request names none, or the job kept no logs.
func (l *logs) keptRole(role string) string {
	if l.request.Kept == "" || l.record == nil || l.record.Logs == nil {
		return ""
	}
	return filepath.Join(l.request.Kept, filepath.FromSlash(l.record.Logs.Path), role)
}

// copyKept copies the log of a Pod from the log storage; false when it is not
// there.
func (l *logs) copyKept(role, podUID string) (bool, error) {
	dir := l.keptRole(role)
	if dir == "" || podUID == "" {
		return false, nil
	}
	files, err := keptFiles(filepath.Join(dir, podUID), l.request.Stream)
	if err != nil || len(files) == 0 {
		return false, err
	}
	l.note("the log in the log storage, from %s", filepath.Join(dir, podUID))
	return true, copyFiles(l.out, files, l.request.TailLines)
}

// keptFiles are the files of a log, the oldest first: what was put aside when
// it grew too large, and the current one.
func keptFiles(dir string, stream cluster.Stream) ([]string, error) {
	if stream == cluster.StreamRuntime {
		return existing(filepath.Join(dir, contract.RuntimeLog))
	}
	sub, ok := map[cluster.Stream]string{cluster.StreamStdout: contract.StdoutDir, cluster.StreamStderr: contract.StderrDir}[stream]
	if !ok {
		sub = contract.AllDir
	}
	older, err := filepath.Glob(filepath.Join(dir, sub, "@*.s"))
	if err != nil {
		return nil, err
	}
	slices.Sort(older)
	current, err := existing(filepath.Join(dir, sub, contract.CurrentLog))
	return append(older, current...), err
}

func existing(name string) ([]string, error) {
	_, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read the log storage: %w", err)
	}
	return []string{name}, nil
}

// copyFiles copies files one after the other, or their last lines.
func copyFiles(w io.Writer, names []string, tail int) error {
	var last []string
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return fmt.Errorf("read the log storage: %w", err)
		}
		if tail > 0 {
			last, err = lastOf(f, last, tail)
		} else {
			_, err = io.Copy(w, f)
		}
		_ = f.Close()
		if err != nil {
			return fmt.Errorf("read the log %s: %w", name, err)
		}
	}
	for _, line := range last {
		if _, err := io.WriteString(w, line); err != nil {
			return err
		}
	}
	return nil
}

// lastOf adds the lines of a file to those before, and keeps the last n.
func lastOf(f io.Reader, lines []string, n int) ([]string, error) {
	r := bufio.NewReader(f)
	for {
		line, err := r.ReadString('\n')
		if line != "" {
			lines = append(lines, line)
			lines = lines[max(0, len(lines)-n):]
		}
		if errors.Is(err, io.EOF) {
			return lines, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// copySearched copies the log of an attempt that the cluster has forgotten: the
// exit records in the log storage say which task a directory belongs to.
func (l *logs) copySearched() (bool, error) {
	role := l.frameworkRole()
	dir := l.keptRole(role)
	if dir == "" || l.request.JobAttempt >= 0 {
		return false, nil
	}
	found, err := filepath.Glob(filepath.Join(dir, "*", contract.ExitRecord))
	if err != nil {
		return false, err
	}
	var best exitspec.Record
	uid := ""
	for _, name := range found {
		r, ok := readExit(name)
		if ok && r.Index == l.request.Index && (l.request.Attempt < 0 || r.Attempt == l.request.Attempt) && (uid == "" || r.Finished.After(best.Finished)) {
			best, uid = r, filepath.Base(filepath.Dir(name))
		}
	}
	return l.copyKept(role, uid)
}

func readExit(name string) (exitspec.Record, bool) {
	var r exitspec.Record
	text, err := os.ReadFile(name)
	return r, err == nil && json.Unmarshal(text, &r) == nil
}

// frameworkRole is the name that the Framework had for the role.
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
