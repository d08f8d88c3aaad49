// SPDX-License-Identifier: MPL-2.0

package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"github.com/openpai/terraform-provider-openpai/internal/statedir"
)

// Layout is a workspace's .openpai directory. Unless noted otherwise, its methods
// return paths in this directory and do not change files.
type Layout string

// FrameworkName matches valid Framework names. A matching name is safe as a path
// element. Callers must check names from users or files before passing them to a
// Layout.
var FrameworkName = regexp.MustCompile(`^[a-z0-9]{1,63}$`)

// NewLayout returns the layout of a workspace directory. Its paths are absolute if
// workspaceDir is absolute.
func NewLayout(workspaceDir string) Layout {
	return Layout(filepath.Join(workspaceDir, statedir.Name))
}

// Join returns a path below .openpai. parts are relative to .openpai.
func (l Layout) Join(parts ...string) string {
	return filepath.Join(append([]string{string(l)}, parts...)...)
}

// IgnoreFile returns the path of the file that excludes .openpai from version
// control.
func (l Layout) IgnoreFile() string { return statedir.IgnoreFile(string(l)) }

// LockFile returns the path of the file that a command locks while it changes
// jobs in the workspace. The content of the file identifies the process of that
// command.
func (l Layout) LockFile() string { return l.Join("lock") }

// Programs returns the directory with the copies of this program that supervisors
// run. Each copy is in a subdirectory whose name is the SHA-256 of the copy.
func (l Layout) Programs() string { return l.Join("bin") }

// Frameworks returns the directory with one subdirectory per Framework; see
// Object.
func (l Layout) Frameworks() string { return l.Join("frameworks") }

// Records returns the directory with one file per job. A record can exist
// longer than its Framework.
func (l Layout) Records() string { return l.Join("records") }

// Plans returns the directory with the history of saved plans, one file per
// workspace. The history outlives all jobs: openpai must still reject a plan
// that was already applied.
func (l Layout) Plans() string { return l.Join("plans") }

// PlansFile returns the path of the plan history of a workspace.
func (l Layout) PlansFile(workspace string) string {
	return l.Join("plans", workspaceHash(workspace)+".json")
}

// Secrets returns the directory with job secrets and workspace keys. Only its
// owner can access the directory.
func (l Layout) Secrets() string { return l.Join("secrets") }

// FetchCache returns the directory with the files that prerequisites have
// downloaded. Tasks of all jobs share it.
func (l Layout) FetchCache() string { return l.Join("cache") }

// Items returns the directory with the marketplace items that lock files pin.
func (l Layout) Items() string { return l.Join("items") }

// Modules returns the directory of the modules whose source is outside the
// workspace. It has one subdirectory per content hash.
func (l Layout) Modules() string { return l.Join("modules") }

// Object returns the Object for a Framework name. The Framework does not have
// to exist. The name must match FrameworkName.
func (l Layout) Object(framework string) Object {
	return Object{Dir: l.Join("frameworks", framework), Name: framework}
}

// RecordFile returns the path of the record for the job with the given
// Framework name. Use LoadRecord, SaveRecord and EditRecord for its content.
func (l Layout) RecordFile(framework string) string {
	return l.Join("records", framework+".json")
}

// CreationLock returns the path of a lock file. The process that creates a job holds
// this lock while it waits for the job.
func (l Layout) CreationLock(framework string) string {
	return l.Join("records", framework+".creation")
}

// StorageFile returns the path of the ownership record for a directory that
// openpai created for a storage. The file name contains the hash of the
// directory's path.
func (l Layout) StorageFile(dir string) string {
	sum := sha256.Sum256([]byte(filepath.Clean(dir)))
	return l.Join("storages", hex.EncodeToString(sum[:8])+".json")
}

// JobSecrets returns the directory with one file per secret of a job.
func (l Layout) JobSecrets(framework string) string {
	return l.Join("secrets", "jobs", framework)
}

// KeyFile returns the path of the key for secret versions. The file name is the
// hash of the workspace name, which can contain any character.
func (l Layout) KeyFile(workspace string) string {
	return l.Join("secrets", "keys", workspaceHash(workspace))
}

func workspaceHash(workspace string) string {
	sum := sha256.Sum256([]byte(workspace))
	return hex.EncodeToString(sum[:8])
}

// formerAttempts is the former name of the attempts directory. Jobs that an
// earlier version created still use this name, because the paths in their
// tasks contain the name.
const formerAttempts = "runs"

// Attempts returns the directory that contains one subdirectory for each job
// attempt of a Framework.
func (l Layout) Attempts(framework string) string {
	if former := l.Join(formerAttempts, framework); lexists(former) {
		return former
	}
	return l.Join("attempts", framework)
}

// AllAttempts returns the parent directories of the paths that Attempts returns.
func (l Layout) AllAttempts() []string { return []string{l.Join("attempts"), l.Join(formerAttempts)} }

// lexists reports whether a path exists. It does not follow symbolic links.
func lexists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

func (l Layout) jobAttempt(framework string, attempt int32) string {
	return filepath.Join(l.Attempts(framework), strconv.Itoa(int(attempt)))
}

// TaskAttempt returns the directory of one attempt of a task within a job
// attempt. Attempts count from 0.
func (l Layout) TaskAttempt(framework string, jobAttempt int32, key TaskKey, attempt int32) TaskDir {
	return TaskDir(filepath.Join(l.jobAttempt(framework, jobAttempt), key.String(), strconv.Itoa(int(attempt))))
}

// Hosts returns the path of the host table of a job attempt.
func (l Layout) Hosts(framework string, attempt int32) string {
	return filepath.Join(l.jobAttempt(framework, attempt), "hosts.json")
}

// TaskDir is the directory of one task attempt. Its methods return paths.
type TaskDir string

func (d TaskDir) join(name string) string { return filepath.Join(string(d), name) }

// Launch returns the path of the file that describes the process of the task. The
// supervisor writes the file before it starts the process.
func (d TaskDir) Launch() string { return d.join("task.json") }

// Process returns the path of the file that identifies the task's process. The task
// does not run any command before this file exists.
func (d TaskDir) Process() string { return d.join("process.json") }

// Ready returns the path of a file that exists once the task is waiting for its
// gang.
func (d TaskDir) Ready() string { return d.join("ready.json") }

// Exit returns the path of the exit record, which the runtime writes.
func (d TaskDir) Exit() string { return d.join("exit.json") }

// RefusedExit returns the path of an exit record that contradicts how the process
// ended. The file is for users; no program reads it.
func (d TaskDir) RefusedExit() string { return d.join("exit-refused.json") }

// Status returns the path of the CompletedAttempt, which exists once the attempt
// has completed.
func (d TaskDir) Status() string { return d.join("status.json") }

// Output returns the path of the file with the output of the task process itself.
// This output consists mostly of errors from the runtime. The output of the
// user's command is in Logs.
func (d TaskDir) Output() string { return d.join("process.log") }

// Root returns the directory of the runtime's own files, which is /usr/local/pai
// in a container.
func (d TaskDir) Root() string { return d.join("root") }

// Sessions returns the directory in which the runtime of a running task opens
// sessions.
func (d TaskDir) Sessions() string { return filepath.Join(d.Root(), "sessions") }

// Logs returns the directory with the log files of the runtime and of the user's
// command.
func (d TaskDir) Logs() string { return d.join("logs") }

// Work returns the working directory of the task.
func (d TaskDir) Work() string { return d.join("work") }

// Scratch returns the directory in which the task builds its mounts. Only the task
// sees the mounts; for other processes, the subdirectories are empty. The directory
// must never be removed recursively, because a subdirectory may contain a mounted
// storage.
func (d TaskDir) Scratch() string { return d.join("mounts") }

// TaskKey identifies a task of a Framework.
type TaskKey struct {
	Role  string // name in the Framework
	Index int32
}

func (k TaskKey) String() string { return k.Role + "-" + strconv.Itoa(int(k.Index)) }

// Names returns the sorted names of the Frameworks that exist or have a record.
func (l Layout) Names() ([]string, error) {
	names := l.recordNames()
	objects, err := l.Objects()
	if err != nil {
		return nil, err
	}
	for _, o := range objects {
		names = append(names, o.Name)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// Exists reports whether a file exists.
func Exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// Check fails if .openpai does not belong to the user of this process. It
// also fails if .openpai, a shared directory or a directory of a given
// Framework is a symbolic link.
func (l Layout) Check(frameworks ...string) error {
	if err := l.checkLinks(); err != nil {
		return err
	}
	for _, framework := range frameworks {
		if err := l.CheckLinksOf(framework); err != nil {
			return err
		}
	}
	return l.CheckOwner(os.Geteuid())
}

// Prepare creates .openpai. Only its owner can access the directory, and
// version control ignores it. It fails if Check fails.
func (l Layout) Prepare() error {
	if err := l.checkLinks(); err != nil {
		return err
	}
	if err := os.MkdirAll(string(l), 0o700); err != nil {
		return fmt.Errorf("create the directory of the local cluster: %w", err)
	}
	if err := l.CheckOwner(os.Geteuid()); err != nil {
		return err
	}
	if err := os.Chmod(string(l), 0o700); err != nil {
		return fmt.Errorf("restrict access to the directory of the local cluster: %w", err)
	}
	return statedir.Ignore(string(l))
}

// RemoveIfEmpty removes the directory if it contains only the lock and the ignore
// file. It removes the lock file last: a process that waits for the lock then
// detects the removal. It does not remove the directory if another process is
// using it.
func (l Layout) RemoveIfEmpty() error {
	entries, err := os.ReadDir(string(l))
	if err != nil {
		return fmt.Errorf("clean up the local cluster: %w", err)
	}
	own := append(Glob(string(l), ".*.tmp"), l.IgnoreFile(), l.LockFile()) // the temporary files are from killed commands
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !slices.Contains(own, l.Join(e.Name())) }) {
		return nil
	}
	for _, name := range append(own, string(l)) {
		_ = os.Remove(name)
	}
	return nil
}
