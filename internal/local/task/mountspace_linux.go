// SPDX-License-Identifier: MPL-2.0

package task

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/openpai/terraform-provider-openpai/internal/local/reexec"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
)

// maxEntries is the maximum number of entries in a directory that mountSpace can
// rebuild.
const maxEntries = 4096

// mountSpace builds the file system of a task. It binds a storage to the
// directory at the mount path. mountSpace never creates that directory on the
// machine. If the directory does not exist, mountSpace replaces its nearest
// existing ancestor with a directory in memory. Only this task sees the
// replacement. The replacement contains the new directory and every entry of the
// original directory. Files that the task creates directly in the replacement
// are lost when the task ends.
type mountSpace struct {
	scratch  string          // temporary directory for the file system that is being built
	own      map[string]bool // directories that exist for this task only
	storages []string        // mount paths so far
	oldRoot  string          // path at which the machine's root is mounted until leaveOldRoot unmounts it
}

// enterMounts creates the mounts and drops the mount capability. It then
// executes the program again in the same process. enterMounts returns only if
// an error occurs.
func enterMounts(mounts []store.Mount, scratch string, argv []string) error {
	runtime.LockOSThread() // exec keeps the capabilities of the calling thread
	if err := makeMounts(mounts, scratch); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("drop the permission to mount: %w", err)
	}
	err := syscall.Exec("/proc/self/exe", argv, append(os.Environ(), reexec.Variable+"="+reexec.Task))
	return fmt.Errorf("continue after mounting: %w", err)
}

func makeMounts(mounts []store.Mount, scratch string) error {
	if err := privateMounts(); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	sorted := append([]store.Mount{}, mounts...)
	slices.SortStableFunc(sorted, func(a, b store.Mount) int { return cmp.Compare(len(a.Target), len(b.Target)) })
	space := &mountSpace{scratch: scratch, own: map[string]bool{}}
	// A mount hides every storage whose source is below the mount path. Therefore,
	// makeMounts opens all storages before it mounts any of them.
	sources := make([]string, len(sorted))
	for i, m := range sorted {
		fd, err := unix.Open(m.Source, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			return fmt.Errorf("open storage %s at %s: %w", m.Storage, m.Source, err)
		}
		sources[i] = "/proc/self/fd/" + strconv.Itoa(fd)
	}
	for i, m := range sorted {
		if err := space.mount(m, sources[i]); err != nil {
			return fmt.Errorf("mount storage %s at %s: %w", m.Storage, m.Target, err)
		}
	}
	return space.leaveOldRoot()
}

func (s *mountSpace) mount(m store.Mount, source string) error {
	if err := s.provide(m.Target); err != nil {
		return err
	}
	if err := unix.Mount(source, m.Target, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("bind: %w", err)
	}
	s.storages = append(s.storages, m.Target)
	if !m.ReadOnly {
		return nil
	}
	if err := unix.Mount("", m.Target, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY|restrictions(m.Target), ""); err != nil {
		return fmt.Errorf("make it read-only: %w", err)
	}
	return nil
}

// restrictions returns the flags that a remount must preserve.
func restrictions(dir string) uintptr {
	var st unix.Statfs_t
	if unix.Statfs(dir, &st) != nil {
		return 0
	}
	var flags uintptr
	for has, ms := range map[int64]uintptr{
		unix.ST_NOSUID: unix.MS_NOSUID, unix.ST_NODEV: unix.MS_NODEV, unix.ST_NOEXEC: unix.MS_NOEXEC,
		unix.ST_NOATIME: unix.MS_NOATIME, unix.ST_NODIRATIME: unix.MS_NODIRATIME, unix.ST_RELATIME: unix.MS_RELATIME,
	} {
		if st.Flags&has != 0 {
			flags |= ms
		}
	}
	return flags
}

// provide ensures that the directory exists for this task. Below a mounted
// storage, provide creates the directory in the storage, as on Kubernetes.
func (s *mountSpace) provide(target string) error {
	info, err := os.Stat(target)
	switch {
	case err == nil && !info.IsDir():
		return errors.New("a file with this name already exists")
	case err == nil:
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	parent := filepath.Dir(target)
	for !store.Exists(parent) {
		parent = filepath.Dir(parent)
	}
	if !s.ours(parent) {
		if err := s.replace(parent); err != nil {
			return fmt.Errorf("add a directory to %s: %w", parent, err)
		}
	}
	if err := os.MkdirAll(target, 0o755); err != nil {
		return err
	}
	for dir := target; dir != parent; dir = filepath.Dir(dir) {
		s.own[dir] = true
	}
	return nil
}

// ours reports whether a directory may be created in dir.
func (s *mountSpace) ours(dir string) bool {
	if s.own[dir] {
		return true
	}
	for _, storage := range s.storages {
		if strings.HasPrefix(dir+"/", storage+"/") {
			return true
		}
	}
	return false
}

// replace replaces dir with an in-memory directory that has the same entries.
func (s *mountSpace) replace(dir string) error {
	built := filepath.Join(s.scratch, strconv.Itoa(len(s.own)))
	if err := s.rebuild(dir, built); err != nil {
		return err
	}
	s.own[dir] = true
	if dir != "/" {
		return unix.Mount(built, dir, "", unix.MS_MOVE, "")
	}
	// Sources were opened in the old root. They can be bound only while the old
	// root exists.
	s.oldRoot = "/.openpai-root"
	if err := os.Mkdir(built+s.oldRoot, 0o700); err != nil {
		return err
	}
	if err := unix.PivotRoot(built, built+s.oldRoot); err != nil {
		return fmt.Errorf("change the root: %w", err)
	}
	return os.Chdir("/")
}

func (s *mountSpace) leaveOldRoot() error {
	if s.oldRoot == "" {
		return nil
	}
	if err := unix.Unmount(s.oldRoot, unix.MNT_DETACH); err != nil {
		return fmt.Errorf("unmount the old root: %w", err)
	}
	return os.Remove(s.oldRoot)
}

// rebuild binds the entries of dir into a new in-memory file system at built.
func (s *mountSpace) rebuild(dir, built string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if len(entries) > maxEntries {
		return fmt.Errorf("it has %d entries, which exceeds the maximum of %d; create the mount path on this machine", len(entries), maxEntries)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(built, 0o755); err != nil {
		return err
	}
	if err := unix.Mount("tmpfs", built, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, ""); err != nil {
		return err
	}
	if err := unix.Mount("", built, "", unix.MS_UNBINDABLE, ""); err != nil {
		return err
	}
	if err := os.Chmod(built, info.Mode()); err != nil {
		return err
	}
	for _, e := range entries {
		if err := bindEntry(filepath.Join(dir, e.Name()), filepath.Join(built, e.Name()), e.Type()); err != nil {
			return fmt.Errorf("%s: %w", e.Name(), err)
		}
	}
	return nil
}

func bindEntry(from, to string, kind fs.FileMode) error {
	switch {
	case kind&fs.ModeSymlink != 0:
		target, err := os.Readlink(from)
		if err != nil {
			return err
		}
		return os.Symlink(target, to)
	case kind.IsDir():
		if err := os.Mkdir(to, 0o755); err != nil {
			return err
		}
	default:
		f, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return unix.Mount(from, to, "", unix.MS_BIND|unix.MS_REC, "")
}
