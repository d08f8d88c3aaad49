//go:build unix

package runtime

import (
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/redact"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/runtime/plugin"
)

// task is one attempt of one task while it runs.
type task struct {
	Config
	record  exitspec.Record
	secrets secrets
	hide    *redact.Redactor
	log     *runtimeLog
	file    *rotating // of the runtime log
	user    *userLogs
	env     *environment

	shell    shell
	children children
	stop     *stopper
	journal  *stageJournal
	self     runspec.Host
	hosts    *runspec.Hosts

	plugins    plugin.Set
	background background
	sessions   sessions
	atEnd      []func() // of plugins

	begun    []bool     // which steps count as started
	starting *bool      // that of the step that is being started, else nil
	later    []ending   // taskExits callbacks after the one that runs
	partEnds time.Time  // see partEnd; zero until somebody asks
	services []*running // left by start callbacks, alive until the end
	open     []*source  // their output
	// oomKilled: the system killed a script for the memory it used.
	oomKilled bool
	// eccErrors: a GPU reported memory errors that it could not correct.
	eccErrors bool
}

// openLogs opens every log. Values of secrets must be known before.
func (t *task) openLogs() error {
	if err := os.MkdirAll(t.LogDir, 0o755); err != nil {
		return err
	}
	stderr := &syncWriter{w: orDiscard(t.Stderr)}
	t.file = openRotating(filepath.Join(t.LogDir, contract.RuntimeLog), rotateSize, t.Now)
	t.log = &runtimeLog{file: t.file, copy: stderr, hide: t.hide, now: t.Now}
	user, err := openUserLogs(t.LogDir, t.hide, t.Now, orDiscard(t.Stdout), stderr)
	t.user = user
	return err
}

func orDiscard(w io.Writer) io.Writer {
	if w == nil {
		return io.Discard
	}
	return w
}

// syncWriter lets several writers share one output.
type syncWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (s *syncWriter) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(p)
}

// prepareEnvironment fixes the variables of the runtime and adds those of the
// job.
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
	if err := t.openLogPipe(); err != nil { // not every file system has pipes
		t.log.warning("there is no RUNTIME_LOG_PIPE: " + err.Error())
	}
	return nil
}

func (t *task) maxRun() time.Duration { return seconds(t.Spec.MaxRunSeconds) }
