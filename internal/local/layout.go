package local

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"regexp"
	"strconv"
)

// layout is the directory .openpai of a workspace. Its methods name what is
// in there; they touch nothing.
type layout string

// dirName is the directory in the workspace directory.
const dirName = ".openpai"

var frameworkName = regexp.MustCompile(`^[a-z0-9]{1,63}$`)

func newLayout(workspaceDir string) layout {
	return layout(filepath.Join(workspaceDir, dirName))
}

func (l layout) join(parts ...string) string {
	return filepath.Join(append([]string{string(l)}, parts...)...)
}

func (l layout) ignoreFile() string { return l.join(".gitignore") }
func (l layout) lock() string       { return l.join("lock") }
func (l layout) programs() string   { return l.join("bin") }
func (l layout) frameworks() string { return l.join("frameworks") }
func (l layout) records() string    { return l.join("records") }
func (l layout) secrets() string    { return l.join("secrets") }
func (l layout) fetches() string    { return l.join("cache") }

func (l layout) object(framework string) object {
	return object{dir: l.join("frameworks", framework), name: framework}
}

func (l layout) record(framework string) string {
	return l.join("records", framework+".json")
}

// jobSecrets holds one file per secret of a job.
func (l layout) jobSecrets(framework string) string {
	return l.join("secrets", "jobs", framework)
}

// workspaceKey is the file of the key for versions of secrets. Workspace names
// are free text, so the file carries their hash.
func (l layout) workspaceKey(workspace string) string {
	sum := sha256.Sum256([]byte(workspace))
	return l.join("secrets", "keys", hex.EncodeToString(sum[:8]))
}

func (l layout) runs(framework string) string {
	return l.join("runs", framework)
}

func (l layout) jobAttempt(framework string, attempt int32) string {
	return l.join("runs", framework, strconv.Itoa(int(attempt)))
}

func (l layout) taskAttempt(framework string, jobAttempt int32, key taskKey, attempt int32) taskDir {
	return taskDir(filepath.Join(l.jobAttempt(framework, jobAttempt), key.String(), strconv.Itoa(int(attempt))))
}

// hosts is the host table of a job attempt.
func (l layout) hosts(framework string, attempt int32) string {
	return filepath.Join(l.jobAttempt(framework, attempt), "hosts.json")
}

// taskDir is the directory of one task attempt.
type taskDir string

func (d taskDir) join(name string) string { return filepath.Join(string(d), name) }

func (d taskDir) launch() string  { return d.join("task.json") }    // what the task is told
func (d taskDir) process() string { return d.join("process.json") } // which process it is
func (d taskDir) ready() string   { return d.join("ready.json") }   // it waits for the gang
func (d taskDir) exit() string    { return d.join("exit.json") }    // the runtime's record
func (d taskDir) status() string  { return d.join("status.json") }  // how the attempt ended
func (d taskDir) output() string  { return d.join("process.log") }  // of the process itself
func (d taskDir) root() string    { return d.join("root") }
func (d taskDir) logs() string    { return d.join("logs") }
func (d taskDir) work() string    { return d.join("work") }
func (d taskDir) scratch() string { return d.join("mounts") }

// taskKey names a task of a Framework.
type taskKey struct {
	role  string // in the Framework
	index int32
}

func (k taskKey) String() string { return k.role + "-" + strconv.Itoa(int(k.index)) }
