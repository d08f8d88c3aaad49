// SPDX-License-Identifier: MPL-2.0

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

// preparedFile is the path, relative to the root, of the file with the data that
// an init container has prepared. With this data, the task starts immediately,
// regardless of its gang's size.
const preparedFile = "runtime.d/prepared.json"

// ExitSpecFile is the path, relative to the root, of the cluster operator's
// additions to the exit specification. The file contains a JSON list of
// exitspec.Rule.
const ExitSpecFile = "runtime.d/exit-spec.json"

// prepared is the content of preparedFile.
type prepared struct {
	// These fields identify the attempt to which the data belongs.
	PodUID     string `json:"pod_uid"`
	Attempt    int    `json:"attempt"`
	JobAttempt int    `json:"job_attempt"`

	Self      runspec.Host      `json:"self"`
	Variables map[string]string `json:"variables"`
}

// Prepare computes variables from the host table, and writes the table and the
// variables to files below c.Root. The task reads these files later, in the same
// attempt.
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

// writeTables writes files that other programs in the task can read.
func writeTables(root string, hosts *runspec.Hosts, variables map[string]string) error {
	if err := os.MkdirAll(filepath.Join(root, filepath.Dir(envFile)), 0o755); err != nil {
		return err
	}
	if err := replace(filepath.Join(root, hostsFile), encodeHosts(hosts)); err != nil {
		return err
	}
	return replace(filepath.Join(root, envFile), exportLines(variables))
}

// readPrepared reads the data that init prepared. It returns nil if init did
// not prepare data for this attempt.
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
		return nil, fmt.Errorf("read the data prepared by init: %w", err)
	}
	if p.PodUID != c.PodUID || p.Attempt != c.Attempt || p.JobAttempt != c.JobAttempt || p.Variables == nil {
		return nil, nil
	}
	p.Variables[workDirVariable] = c.WorkDir
	return &p, nil
}

// replace atomically replaces the content of a file. Unlike atomicfile, it does
// not sync the file to disk. A call to fsync can take longer than starting a
// shell, and the files are useless after a crash.
func replace(name string, content []byte) error { return Replace(name, content, 0o644) }

// Replace atomically replaces the content and the mode of a file.
func Replace(name string, content []byte, mode os.FileMode) error {
	tmp := name + ".tmp"
	if err := os.WriteFile(tmp, content, mode); err != nil {
		return err
	}
	return os.Rename(tmp, name)
}

// encode returns JSON followed by a newline.
func encode(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic("runtime: " + err.Error())
	}
	return append(text, '\n')
}
