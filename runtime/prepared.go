package runtime

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// preparedFile is the name, below the root, of what an init container found out
// for the task, so that the task starts at once however large its gang is.
const preparedFile = "runtime.d/prepared.json"

// ExitSpecFile is the name, below the root, of the rules that the operator of a
// cluster adds to the exit specification: a list of exitspec.Rule as JSON.
const ExitSpecFile = "runtime.d/exit-spec.json"

// prepared is the content of that file.
type prepared struct {
	// The attempt that it is of.
	PodUID     string `json:"pod_uid"`
	Attempt    int    `json:"attempt"`
	JobAttempt int    `json:"job_attempt"`

	Self      runspec.Host      `json:"self"`
	Variables map[string]string `json:"variables"`
}

// Prepare writes the table of hosts and the variables that follow from it below
// c.Root, for the task of the same attempt that runs there later.
func Prepare(c Config, hosts *runspec.Hosts) error {
	self := selfHost(&c)
	p := prepared{
		PodUID: c.PodUID, Attempt: c.Attempt, JobAttempt: c.JobAttempt,
		Self: self, Variables: taskVariables(&c, self, hosts.Tasks),
	}
	delete(p.Variables, workDirVariable) // of another container
	if err := writeTables(c.Root, hosts, p.Variables); err != nil {
		return err
	}
	return replace(filepath.Join(c.Root, preparedFile), encode(p))
}

// writeTables writes copies of what a task knows for other programs in it.
func writeTables(root string, hosts *runspec.Hosts, variables map[string]string) error {
	if err := os.MkdirAll(filepath.Join(root, filepath.Dir(envFile)), 0o755); err != nil {
		return err
	}
	if err := replace(filepath.Join(root, hostsFile), encodeHosts(hosts)); err != nil {
		return err
	}
	return replace(filepath.Join(root, envFile), exportLines(variables))
}

// readPrepared returns what was prepared for this attempt, nil when nothing
// was.
func (c *Config) readPrepared() (*prepared, error) {
	text, err := os.ReadFile(filepath.Join(c.Root, preparedFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var p prepared
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err != nil {
		return nil, fmt.Errorf("read what init prepared: %w", err)
	}
	if p.PodUID != c.PodUID || p.Attempt != c.Attempt || p.JobAttempt != c.JobAttempt || p.Variables == nil {
		return nil, nil
	}
	p.Variables[workDirVariable] = c.WorkDir
	return &p, nil
}

// replace gives a file new content: a reader sees the old or the new, never a
// part. Unlike atomicfile it does not wait for the disk, which takes longer
// than starting a shell: these files are of no use after a crash.
func replace(name string, content []byte) error { return Replace(name, content, 0o644) }

// Replace gives a file new content and a mode.
func Replace(name string, content []byte, mode os.FileMode) error {
	tmp := name + ".tmp"
	if err := os.WriteFile(tmp, content, mode); err != nil {
		return err
	}
	return os.Rename(tmp, name)
}

// encode is the JSON of a value of ours, with a newline.
func encode(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic("runtime: " + err.Error())
	}
	return append(text, '\n')
}
