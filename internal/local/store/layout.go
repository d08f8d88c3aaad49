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

	"github.com/openpai/terraform-provider-openpai/internal/atomicfile"
)

// Layout is the directory .openpai of a workspace. Its methods name what is
// in there; they change nothing.
type Layout string

// dirName is the directory in the workspace directory.
const dirName = ".openpai"

// FrameworkName matches the valid names of Frameworks. A match is safe as one
// element of a path; check names that users or files supply before you pass
// them to a Layout.
var FrameworkName = regexp.MustCompile(`^[a-z0-9]{1,63}$`)

// NewLayout returns the layout for a workspace directory. It is absolute if
// the directory is.
func NewLayout(workspaceDir string) Layout {
	return Layout(filepath.Join(workspaceDir, dirName))
}

// Join returns a path below .openpai; parts are relative to it.
func (l Layout) Join(parts ...string) string {
	return filepath.Join(append([]string{string(l)}, parts...)...)
}

// IgnoreFile keeps .openpai out of version control.
func (l Layout) IgnoreFile() string { return l.Join(".gitignore") }

// LockFile is locked by the one command that changes jobs of the workspace. Its
// content identifies that process.
func (l Layout) LockFile() string { return l.Join("lock") }

// Programs holds the copies of this program that supervisors run from, one
// directory per SHA-256 of the content.
func (l Layout) Programs() string { return l.Join("bin") }

// Frameworks holds one directory per Framework; see Object.
func (l Layout) Frameworks() string { return l.Join("frameworks") }

// Records holds one file per job, which may outlive its Framework.
func (l Layout) Records() string { return l.Join("records") }

// Plans holds the history of saved plans, one file per workspace. It outlives the
// jobs: a plan is applied once.
func (l Layout) Plans() string { return l.Join("plans") }

// PlansFile is the history of a workspace.
func (l Layout) PlansFile(workspace string) string {
	return l.Join("plans", workspaceHash(workspace)+".json")
}

// Secrets holds the secrets of jobs and the keys of workspaces. Only its owner
// may enter it.
func (l Layout) Secrets() string { return l.Join("secrets") }

// FetchCache holds the downloads of prerequisites, which tasks of all jobs
// share.
func (l Layout) FetchCache() string { return l.Join("cache") }

// Items holds the items of marketplaces that a lock file pins.
func (l Layout) Items() string { return l.Join("items") }

// Object returns the Framework of that name, whether or not it exists. The
// name must match FrameworkName.
func (l Layout) Object(framework string) Object {
	return Object{Dir: l.Join("frameworks", framework), Name: framework}
}

// RecordFile is the record of the job that has that Framework. Use LoadRecord,
// SaveRecord and EditRecord for its content.
func (l Layout) RecordFile(framework string) string {
	return l.Join("records", framework+".json")
}

// CreationLock is locked while the caller that creates the job waits for it.
func (l Layout) CreationLock(framework string) string {
	return l.Join("records", framework+".creation")
}

// StorageFile says whose a directory is that was created for a storage. Its name
// carries the hash of the path.
func (l Layout) StorageFile(dir string) string {
	sum := sha256.Sum256([]byte(filepath.Clean(dir)))
	return l.Join("storages", hex.EncodeToString(sum[:8])+".json")
}

// JobSecrets holds one file per secret of a job.
func (l Layout) JobSecrets(framework string) string {
	return l.Join("secrets", "jobs", framework)
}

// KeyFile is the file of the key for versions of secrets. Workspace names
// are free text, so the file carries their hash.
func (l Layout) KeyFile(workspace string) string {
	return l.Join("secrets", "keys", workspaceHash(workspace))
}

func workspaceHash(workspace string) string {
	sum := sha256.Sum256([]byte(workspace))
	return hex.EncodeToString(sum[:8])
}

// formerAttempts is the name that the directory of attempts had. A job that was
// submitted then keeps its place until it is deleted: its tasks know the path.
const formerAttempts = "runs"

// Attempts holds one directory per job attempt of a Framework.
func (l Layout) Attempts(framework string) string {
	if former := l.Join(formerAttempts, framework); lexists(former) {
		return former
	}
	return l.Join("attempts", framework)
}

// AllAttempts are the directories that Attempts returns paths of.
func (l Layout) AllAttempts() []string { return []string{l.Join("attempts"), l.Join(formerAttempts)} }

// lexists reports whether there is something of that name, a broken link
// too.
func lexists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

func (l Layout) jobAttempt(framework string, attempt int32) string {
	return filepath.Join(l.Attempts(framework), strconv.Itoa(int(attempt)))
}

// TaskAttempt is the directory of one attempt of a task within a job attempt.
// Attempts count from 0.
func (l Layout) TaskAttempt(framework string, jobAttempt int32, key TaskKey, attempt int32) TaskDir {
	return TaskDir(filepath.Join(l.jobAttempt(framework, jobAttempt), key.String(), strconv.Itoa(int(attempt))))
}

// Hosts is the host table of a job attempt.
func (l Layout) Hosts(framework string, attempt int32) string {
	return filepath.Join(l.jobAttempt(framework, attempt), "hosts.json")
}

// TaskDir is the directory of one task attempt.
type TaskDir string

func (d TaskDir) join(name string) string { return filepath.Join(string(d), name) }

// Launch describes what the task runs. The supervisor writes it before it
// starts the process.
func (d TaskDir) Launch() string { return d.join("task.json") }

// Process identifies the task's process. The task runs nothing before this
// file is written.
func (d TaskDir) Process() string { return d.join("process.json") }

// Ready exists once the task waits for the other tasks of its gang.
func (d TaskDir) Ready() string { return d.join("ready.json") }

// Exit is the exit record, which the runtime writes.
func (d TaskDir) Exit() string { return d.join("exit.json") }

// RefusedExit is an exit record that contradicts how the process ended. It is
// kept for users; nothing reads it.
func (d TaskDir) RefusedExit() string { return d.join("exit-refused.json") }

// Status is the CompletedAttempt; it exists once the attempt has completed.
func (d TaskDir) Status() string { return d.join("status.json") }

// Output is what the task process itself prints, mostly errors of the runtime.
// The output of the user's command is in Logs.
func (d TaskDir) Output() string { return d.join("process.log") }

// Root holds the runtime's own files, which a container has in /usr/local/pai.
func (d TaskDir) Root() string { return d.join("root") }

// Sessions is where the runtime of a task that runs opens sessions.
func (d TaskDir) Sessions() string { return filepath.Join(d.Root(), "sessions") }

// Logs holds the log files of the runtime and of the user's command.
func (d TaskDir) Logs() string { return d.join("logs") }

// Work is the working directory of the task.
func (d TaskDir) Work() string { return d.join("work") }

// Scratch is where the task builds its mounts, which only the task sees: its
// directories are empty for others. Never remove it recursively, in case one is
// not.
func (d TaskDir) Scratch() string { return d.join("mounts") }

// TaskKey names a task of a Framework.
type TaskKey struct {
	Role  string // in the Framework
	Index int32
}

func (k TaskKey) String() string { return k.Role + "-" + strconv.Itoa(int(k.Index)) }

// Names returns every Framework that exists or has a record, sorted.
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

// Exists reports whether there is a file of that name.
func Exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// Check fails when .openpai, or what is shared in it or of one of the
// Frameworks, belongs to another user or is somewhere else.
func (l Layout) Check(frameworks ...string) error {
	if err := l.checkLinks(); err != nil {
		return err
	}
	for _, framework := range frameworks {
		if err := l.checkLinksOf(framework); err != nil {
			return err
		}
	}
	return l.CheckOwner(os.Geteuid())
}

// Prepare makes .openpai, which only its owner may enter and version control
// ignores. It fails when Check does.
func (l Layout) Prepare() error {
	if err := l.checkLinks(); err != nil {
		return err
	}
	if err := os.MkdirAll(string(l), 0o700); err != nil {
		return fmt.Errorf("make the directory of the local cluster: %w", err)
	}
	if err := l.CheckOwner(os.Geteuid()); err != nil {
		return err
	}
	if err := os.Chmod(string(l), 0o700); err != nil {
		return fmt.Errorf("close the directory of the local cluster: %w", err)
	}
	ignore := l.IgnoreFile()
	if Exists(ignore) {
		return nil
	}
	return atomicfile.Write(ignore, []byte("*\n"), 0o644)
}

// RemoveIfEmpty removes the directory when nothing but the lock and the note
// for version control is in it. The lock goes last: who waits for it sees that
// it is no longer the file of that name. A directory that somebody begins to
// use meanwhile stays.
func (l Layout) RemoveIfEmpty() error {
	entries, err := os.ReadDir(string(l))
	if err != nil {
		return fmt.Errorf("clean up the local cluster: %w", err)
	}
	own := append(Glob(string(l), ".*.tmp"), l.IgnoreFile(), l.LockFile()) // the first of commands that were killed
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !slices.Contains(own, l.Join(e.Name())) }) {
		return nil
	}
	for _, name := range append(own, string(l)) {
		_ = os.Remove(name)
	}
	return nil
}
