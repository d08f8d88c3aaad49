// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// rig is a task under test. All files of the task are below one directory.
type rig struct {
	t       *testing.T
	dir     string
	spec    *runspec.Spec
	config  Config
	signals chan os.Signal
	stdout  safeBuffer
	stderr  safeBuffer
	// stopSent is set once the test has sent a stop. A stop may interrupt taskFails
	// callbacks.
	stopSent bool
}

// safeBuffer can be read while the task is still writing.
type safeBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// newRig returns a task without steps, in a role with one task. commands are the
// user's commands.
func newRig(t *testing.T, commands ...string) *rig {
	t.Helper()
	dir := t.TempDir()
	work := filepath.Join(dir, "work")
	if err := os.Mkdir(work, 0o755); err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, dir: dir, signals: make(chan os.Signal, 8)}
	r.spec = &runspec.Spec{
		Version: runspec.Version, Framework: "0123456789abcdef0123456789abcdef", Job: "alice~job", User: "alice",
		VirtualCluster: "default", Role: "worker", Commands: commands, PortStart: 20000, PortEnd: 40000, StopGraceSeconds: 5,
		Roles: []runspec.Role{{Name: "worker", Written: "worker", Tasks: 1, MinFailed: 1, MinSucceeded: 1, Ports: []runspec.Port{{Label: "ssh", Count: 1}, {Label: "http", Count: 1}}}},
	}
	r.config = Config{
		Spec: r.spec, PodUID: "f1020521-9bda-11ea-830b-000d3ab25bb6", Environ: []string{"PATH=" + os.Getenv("PATH"), "FC_POD_UID=f1020521"},
		Root: filepath.Join(dir, "pai"), LogDir: filepath.Join(dir, "logs"), WorkDir: work, SecretsDir: filepath.Join(dir, "secrets"),
		RecordFile: filepath.Join(dir, "record.json"), TerminationFile: filepath.Join(dir, "termination"),
		Self: runspec.Host{IP: "127.0.0.1"}, Stdout: &r.stdout, Stderr: &r.stderr, Signals: r.signals, Now: time.Now,
		intervals: defaultIntervals,
	}
	r.config.intervals.minAge = time.Hour // so that a slow machine logs the same lines as a fast machine
	return r
}

// step adds a cmd prerequisite.
func (r *rig) step(name string, callbacks ...runspec.Callback) *runspec.Step {
	r.spec.Steps = append(r.spec.Steps, runspec.Step{
		Address: "prerequisite.script." + name, Name: name, Type: "script", Plugin: "cmd", FailurePolicy: "fail", Callbacks: callbacks,
	})
	return &r.spec.Steps[len(r.spec.Steps)-1]
}

// on returns a callback.
func on(event string, commands ...string) runspec.Callback {
	return runspec.Callback{Event: event, Commands: commands}
}

func (r *rig) secret(name, value string) {
	r.t.Helper()
	if err := os.MkdirAll(r.config.SecretsDir, 0o700); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(r.config.SecretsDir, name), []byte(value), 0o600); err != nil {
		r.t.Fatal(err)
	}
	r.spec.Secrets = append(r.spec.Secrets, name)
}

// skipPauses skips the pauses before retries. The returned function returns the
// total duration of the skipped pauses.
func (r *rig) skipPauses() (total func() time.Duration) {
	var mu sync.Mutex
	var sum time.Duration
	r.config.after = func(d time.Duration) <-chan time.Time {
		mu.Lock()
		defer mu.Unlock()
		sum += d
		over := make(chan time.Time)
		close(over)
		return over
	}
	return func() time.Duration {
		mu.Lock()
		defer mu.Unlock()
		return sum
	}
}

func (r *rig) run() exitspec.Record {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), time.Minute)
	defer cancel()
	return Run(ctx, r.config)
}

var linePrefix = regexp.MustCompile(`(?m)^\[[^\]]+\] \[openpai-runtime\] `)

// log returns the runtime log without dates and prefixes. Every line must have a
// prefix.
func (r *rig) log() string {
	r.t.Helper()
	text := r.read("logs/runtime.log")
	for line := range strings.Lines(text) {
		if !linePrefix.MatchString(line) {
			r.t.Errorf("a line without prefix: %q", line)
		}
	}
	return linePrefix.ReplaceAllString(text, "")
}

func (r *rig) read(name string) string {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(text)
}

// output returns the combined stdout and stderr of the user's commands.
func (r *rig) output() string { return r.read("logs/user-all/current") }

func lines(text ...string) string { return strings.Join(text, "\n") + "\n" }
