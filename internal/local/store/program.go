// SPDX-License-Identifier: MPL-2.0

package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// InstallProgram stores a permanent copy of this program and returns its path.
// Supervisors and tasks need the copy, because `go run` and upgrades remove or
// replace the executable. The content hash identifies a copy, so only one copy
// of each version is stored.
func (l Layout) InstallProgram(now time.Time) (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	self, err := openSelf(path)
	if err != nil {
		return "", fmt.Errorf("read this program: %w", err)
	}
	defer func() { _ = self.Close() }()
	if kept := l.installedCopy(self, now); kept != "" {
		return kept, nil
	}
	sum, err := contentHash(self)
	if err != nil {
		return "", fmt.Errorf("read this program: %w", err)
	}
	kept := l.Join("bin", sum, filepath.Base(path))
	if err := install(self, path, kept, sum); err != nil {
		return "", fmt.Errorf("store a copy of this program: %w", err)
	}
	return kept, nil
}

// ProgramAtHand returns the path of the program for a supervisor that ends
// tasks but does not start any. The program is the existing copy or, if no
// copy exists, the executable itself. ProgramAtHand creates a copy only if
// the executable was replaced, because the disk may be full.
func (l Layout) ProgramAtHand(now time.Time) (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	self, err := openSelf(path)
	if err != nil {
		return "", fmt.Errorf("read this program: %w", err)
	}
	defer func() { _ = self.Close() }()
	if kept := l.installedCopy(self, now); kept != "" {
		return kept, nil
	}
	if SameFile(self, path) {
		return path, nil
	}
	return l.InstallProgram(now) // the executable was replaced
}

// installedCopy returns the path of the stored copy from which this process
// runs, or "". It marks the copy as in use.
func (l Layout) installedCopy(self *os.File, now time.Time) string {
	for _, c := range Glob(l.Programs(), "*/*") {
		if SameFile(self, c) {
			_ = os.Chtimes(filepath.Dir(c), now, now) // marks the copy as in use: see PrunePrograms
			return c
		}
	}
	return ""
}

func contentHash(f *os.File) (string, error) {
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// installing is the mutex that prevents this process from creating copies
// concurrently. The workspace lock prevents other processes from creating
// copies.
var installing sync.Mutex

// install creates the copy of the program, unless a valid copy exists. kept is
// the path of the copy. If path is still the running executable and links are
// permitted, install creates a hard link instead of a copy.
func install(self *os.File, path, kept, sum string) error {
	installing.Lock()
	defer installing.Unlock()
	if err := os.MkdirAll(filepath.Dir(kept), 0o755); err != nil {
		return err
	}
	if SameFile(self, path) {
		_ = os.Link(path, kept) // fails if the link already exists or if hard links are not permitted
	}
	if SameFile(self, kept) || hasContent(kept, sum) {
		return nil
	}
	if _, err := self.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return copyProgram(self, kept)
}

func hasContent(name, sum string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	got, err := contentHash(f)
	return err == nil && got == sum
}

// copyProgram copies the program to a file. During the copy, this process
// cannot start other processes. Such a process would keep the copy open for
// writing until it executes its program. The system does not execute a file
// that is open for writing.
func copyProgram(from io.Reader, to string) (err error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	tmp, err := os.CreateTemp(filepath.Dir(to), ".copy-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(tmp.Name())
		}
	}()
	_, err = io.Copy(tmp, from)
	if err := errors.Join(err, tmp.Chmod(0o755), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), to)
}

// ProgramRetention is the time for which PrunePrograms keeps an unused copy
// of the program. A command may be about to start a supervisor from this
// copy.
const ProgramRetention = time.Hour

// PrunePrograms removes old program copies that no unfinished Framework uses.
func (l Layout) PrunePrograms(now time.Time) error {
	unused, err := l.UnusedPrograms(now)
	if err != nil {
		return err
	}
	for _, dir := range unused {
		if err := os.RemoveAll(dir); err != nil {
			return fmt.Errorf("remove a copy of the program: %w", err)
		}
	}
	return nil
}

// UnusedPrograms returns the directories of the copies that PrunePrograms removes.
func (l Layout) UnusedPrograms(now time.Time) ([]string, error) {
	used := map[string]bool{}
	all, err := l.Objects()
	if err != nil {
		return nil, err
	}
	for _, o := range all {
		var s Supervisor
		if err := ReadJSON(o.SupervisorFile(), &s); err == nil && !o.finished() {
			used[filepath.Dir(s.Program)] = true
		}
	}
	dirs, err := os.ReadDir(l.Programs())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list kept programs: %w", err)
	}
	var unused []string
	for _, d := range dirs {
		dir := filepath.Join(l.Programs(), d.Name())
		info, err := d.Info()
		if used[dir] || err != nil || now.Sub(info.ModTime()) < ProgramRetention {
			continue
		}
		unused = append(unused, dir)
	}
	return unused, nil
}
