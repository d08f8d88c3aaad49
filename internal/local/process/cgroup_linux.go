// SPDX-License-Identifier: MPL-2.0

package process

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// DelegatedCgroup returns the directory of this process's version 2 cgroup, or "" if
// subgroups are not permitted. Subgroups are permitted if the service manager marked
// the cgroup as delegated, or if no higher cgroup is visible. Otherwise, another
// program manages the subgroups. Source for delegation: systemd:
// docs/CGROUP_DELEGATION.md.
func DelegatedCgroup() string {
	if dir := ownCgroup(); dir != "" && delegated(dir) {
		return dir
	}
	return ""
}

func delegated(dir string) bool {
	if unix.Access(dir, unix.W_OK) != nil || unix.Access(filepath.Join(dir, "cgroup.procs"), unix.W_OK) != nil {
		return false
	}
	topmost := !isCgroup(filepath.Dir(dir))
	return topmost || markedDelegated(dir)
}

// ownCgroup returns "" if the directory of this process's cgroup is not
// visible.
func ownCgroup() string {
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return ""
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return ""
	}
	return cgroupDir(string(groups), string(mounts))
}

// cgroupDir derives the cgroup directory of a process from its cgroup and
// mountinfo files. Source: proc_pid_cgroup(5), proc_pid_mountinfo(5).
func cgroupDir(groups, mounts string) string {
	group := ""
	for line := range strings.Lines(groups) {
		if path, found := strings.CutPrefix(line, "0::"); found {
			group = strings.TrimSuffix(path, "\n")
		}
	}
	if group == "" || strings.HasPrefix(group, "/..") { // outside the cgroup namespace
		return ""
	}
	for line := range strings.Lines(mounts) {
		mount, kind, _ := strings.Cut(line, " - ")
		fields := strings.Fields(mount)
		if !strings.HasPrefix(kind, "cgroup2 ") || len(fields) < 5 || strings.Contains(fields[4], `\`) {
			continue
		}
		if below, err := filepath.Rel(fields[3], group); err == nil && filepath.IsLocal(below) {
			return filepath.Join(fields[4], below)
		}
	}
	return ""
}

func isCgroup(dir string) bool {
	var st unix.Statfs_t
	return unix.Statfs(dir, &st) == nil && st.Type == unix.CGROUP2_SUPER_MAGIC
}

func markedDelegated(dir string) bool {
	for _, name := range []string{"user.delegate", "trusted.delegate"} {
		mark := make([]byte, 8)
		if n, err := unix.Getxattr(dir, name, mark); err == nil && string(mark[:n]) == "1" {
			return true
		}
	}
	return false
}

// TaskCgroup returns the directory of a task's cgroup below a delegated cgroup. The
// name depends on the task directory and the Pod UID: a copied workspace must not
// refer to the original's processes.
func TaskCgroup(delegated, taskDir, podUID string) string {
	sum := sha256.Sum256([]byte(taskDir + "\x00" + podUID))
	return filepath.Join(delegated, "openpai-"+hex.EncodeToString(sum[:16]))
}

// IsTaskCgroup reports whether a recorded directory is the cgroup of the given task.
func IsTaskCgroup(dir, taskDir, podUID string) bool {
	return filepath.IsAbs(dir) && TaskCgroup(filepath.Dir(dir), taskDir, podUID) == dir && isCgroup(dir)
}

// MakeCgroup creates a cgroup in which the caller can start a process; see
// syscall.SysProcAttr.CgroupFD. It fails if the system does not support killing
// a whole cgroup.
func MakeCgroup(dir string) (*os.File, error) {
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	_, err := os.Stat(killFile(dir))
	if err != nil {
		return nil, errors.Join(err, os.Remove(dir))
	}
	return os.Open(dir)
}

// KillCgroup kills all processes in a cgroup and its subgroups, and removes
// these cgroups. It returns true if a process or cgroup remains. The caller
// must then call KillCgroup again.
func KillCgroup(dir string) (remaining bool, err error) {
	err = os.WriteFile(killFile(dir), []byte("1"), 0)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return true, fmt.Errorf("kill a cgroup: %w", err)
	}
	return removeCgroup(dir)
}

func killFile(dir string) string { return filepath.Join(dir, "cgroup.kill") }

// removeCgroup removes an empty cgroup and its subgroups.
func removeCgroup(dir string) (remaining bool, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return true, err
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		if remaining, err := removeCgroup(filepath.Join(dir, e.Name())); remaining || err != nil {
			return remaining, err
		}
	}
	switch err := unix.Rmdir(dir); {
	case errors.Is(err, unix.EBUSY):
		return true, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return true, fmt.Errorf("remove the cgroup %s: %w", dir, err)
	}
	return false, nil
}
