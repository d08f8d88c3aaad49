// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/redact"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
	"github.com/openpai/terraform-provider-openpai/runtime/logs"
	"github.com/openpai/terraform-provider-openpai/runtime/pipe"
	"github.com/openpai/terraform-provider-openpai/runtime/plugin"
)

// task is a running attempt of one task.
type task struct {
	Config
	record   exitspec.Record
	secrets  secrets
	redactor *redact.Redactor
	log      *logs.Runtime
	file     *logs.File // of the runtime log
	user     *logs.User
	env      *environment

	shell    shell
	children children
	stop     *stopper
	journal  *stageJournal
	stages   *stages // shows users what the task is doing
	self     runspec.Host
	hosts    *runspec.Hosts

	plugins    plugin.Set
	background background
	sessions   sessions
	cleanups   []func() // of plugins

	started     []bool         // marks the steps that have started
	starting    *bool          // points to the element of started for the step that is starting; nil if no step is starting
	pending     []endCallback  // taskExits callbacks after the running callback
	callbackEnd time.Time      // when the running callback's share of the grace period ends (graceShareEnd); zero until first used
	services    []*running     // processes of start callbacks that may run until the end
	openSources []*pipe.Source // their output
	// printed counts the lines in the container log.
	printed atomic.Int64
	// oomKilled is set if the kernel killed a script because memory ran out.
	oomKilled bool
	// eccErrors is set if a GPU reported uncorrectable memory errors.
	eccErrors bool
}

// openLogs opens all logs. Call openLogs after reading the secrets, so that the
// logs mask them.
func (t *task) openLogs() error {
	if err := os.MkdirAll(t.LogDir, 0o755); err != nil {
		return err
	}
	stderr := &syncWriter{w: &lineCounter{orDiscard(t.Stderr), &t.printed}}
	t.file = logs.OpenFile(filepath.Join(t.LogDir, contract.RuntimeLog), logs.RotateSize, t.logMode(), t.Now)
	t.log = &logs.Runtime{File: t.file, Copy: stderr, Redactor: t.redactor, Now: t.Now}
	t.stages = newStages(t.Root, t.log, t.Now, t.intervals)
	t.stages.enter(stage.Record{Stage: stage.Preparing})
	user, err := logs.OpenUser(t.LogDir, t.logMode(), t.redactor, t.Now, &lineCounter{orDiscard(t.Stdout), &t.printed}, stderr)
	t.user = user
	return err
}

func orDiscard(w io.Writer) io.Writer {
	if w == nil {
		return io.Discard
	}
	return w
}

// lineCounter counts the lines that are written to an output.
type lineCounter struct {
	w     io.Writer
	lines *atomic.Int64
}

func (c *lineCounter) Write(p []byte) (int, error) {
	c.lines.Add(int64(bytes.Count(p, []byte{'\n'})))
	return c.w.Write(p)
}

// syncWriter serializes the writes of several goroutines to one output.
type syncWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (s *syncWriter) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(p)
}

// prepareEnvironment combines the runtime's variables and the job's variables.
func (t *task) prepareEnvironment(fixed map[string]string) error {
	if err := os.MkdirAll(filepath.Join(t.Root, filepath.Dir(logPipe)), 0o755); err != nil {
		return err
	}
	lookup := newEnvironment(t.Environ, nil, fixed).lookup
	job := map[string]string{}
	for name, text := range t.Spec.Environment {
		value, err := t.secrets.render(text, lookup)
		if err != nil {
			return err
		}
		job[name] = value
	}
	t.env = newEnvironment(t.Environ, job, fixed)
	if err := t.makeMetricsFile(); err != nil {
		return err
	}
	if err := t.openLogPipe(); err != nil { // not every file system supports named pipes
		t.log.Warning("there is no RUNTIME_LOG_PIPE: " + err.Error())
	}
	return nil
}

func (t *task) maxRun() time.Duration { return seconds(t.Spec.MaxRunSeconds) }

// logPipe is the path, relative to the root, of a named pipe. The runtime copies
// lines from the pipe to its log. Callbacks find the pipe's path in
// RUNTIME_LOG_PIPE. Source: microsoft/openpai-runtime:
// src/runtime.d/runtime_entry.sh.
const logPipe = "runtime.d/runtime_log_pipe"

// openLogPipe creates the pipe and opens it for writing, so that the reader
// does not see EOF when a program closes the pipe.
func (t *task) openLogPipe() error {
	name := filepath.Join(t.Root, logPipe)
	if err := os.Remove(name); err != nil && !os.IsNotExist(err) {
		return err
	}
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		return &os.PathError{Op: "mkfifo", Path: name, Err: err}
	}
	f, err := os.OpenFile(name, os.O_RDWR|syscall.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	t.openSources = append(t.openSources, pipe.OpenSource(f, t.log.Callback(&logs.Tail{})))
	t.env.set("RUNTIME_LOG_PIPE", name)
	return nil
}
