// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/redact"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
	"github.com/openpai/terraform-provider-openpai/runtime/plugin"
)

// Run runs one attempt of a task to its end, writes the exit record to
// c.RecordFile, and returns the record. It never runs an attempt twice. If an
// earlier runtime in the same root has started this attempt, Run returns that
// runtime's record. If that runtime has not written a record, Run returns a
// record of a lost attempt.
//
// Run forwards a request to stop to the running script. The request is SIGTERM,
// SIGINT or SIGQUIT on c.Signals, or the cancellation of ctx. After a request,
// only taskExits callbacks run.
func Run(ctx context.Context, c Config) exitspec.Record {
	t := newTask(c)
	if earlier, found := t.previousRecord(); found {
		return earlier
	}
	t.stop = newStopper(ctx, c.Signals)
	defer t.stop.close()
	t.execute()
	t.record.CPUSeconds, t.record.PeakMemoryBytes = t.used()
	t.finish()
	return t.record
}

func newTask(c Config) *task {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.intervals == (stageIntervals{}) {
		c.intervals = defaultIntervals
	}
	if c.oomKills == nil {
		c.oomKills = oomKills
	}
	if c.used == nil {
		c.used = used
	}
	if c.after == nil {
		c.after = time.After
	}
	t := &task{Config: c, redactor: redact.New()}
	t.record = exitspec.Record{
		Framework: c.Spec.Framework, Role: c.Spec.Role, Index: c.Index, Attempt: c.Attempt,
		Started: c.Now(), Stage: stageInit,
	}
	return t
}

// execute runs the task, but does not write the exit record. Its contexts end only
// at the task's time limit: a stop request must not interrupt callbacks that still
// have to run.
func (t *task) execute() {
	defer t.close()
	defer t.recoverPanic()
	if err := t.open(); err != nil {
		t.failPreparation(err)
		return
	}
	if !t.initialize() {
		return
	}
	defer t.watchMetrics()()
	t.serveSessions()
	ctx, cancel := context.Background(), func() {}
	if t.Spec.MaxRunSeconds > 0 {
		ctx, cancel = context.WithTimeout(ctx, t.maxRun())
	}
	defer cancel()
	if t.prerequisites(ctx) {
		t.commands(ctx)
	}
	t.checkGPUs()
	t.end()
}

// recoverPanic converts a panic to a task failure, so that the runtime still
// writes the record. Callers must defer recoverPanic.
func (t *task) recoverPanic() {
	p := recover()
	if p == nil {
		return
	}
	what := fmt.Sprintf("an error in the runtime: %v", p)
	stage, step := t.record.Stage, ""
	if t.journal != nil {
		stage, step = t.journal.current.Stage, t.journal.current.Step
	}
	t.fail(stage, step, what, outcome{code: exitInit})
	if t.log != nil {
		t.log.Error(what + " " + string(debug.Stack()))
	}
}

// exitInit is the exit code for a failure before the first script.
const exitInit = 1

// open reads the secrets before opening the logs, so that the logs mask all
// secrets.
func (t *task) open() error {
	values, secretsErr := readSecrets(t.SecretsDir, t.Spec.Secrets)
	t.secrets, t.redactor = values, redact.New(values.values()...)
	if err := t.openLogs(); err != nil {
		return err
	}
	if secretsErr != nil {
		return secretsErr
	}
	if err := plugin.CheckMounts(t.Spec.Mounts); err != nil {
		return err
	}
	if t.Reap {
		reaper, err := newReaper()
		if err != nil && !errors.Is(err, errNoReaper) {
			return fmt.Errorf("register as the parent of orphaned processes: %w", err)
		}
		t.children = children{reaper: reaper}
	}
	return nil
}

// prerequisites starts the steps of the task, and reports whether all steps
// started successfully.
func (t *task) prerequisites(ctx context.Context) bool {
	t.log.Info(contract.LogPreCommandsStart)
	t.warnUnknownEvents()
	i, out := t.startSteps(ctx)
	if i < 0 {
		t.log.Info(contract.LogPreCommandsEnd)
		return true
	}
	if _, stopped := t.stop.stopped(); stopped {
		out.stopped = true
	}
	step := &t.Spec.Steps[i]
	t.fail(stagePrerequisites, step.Address, "the start of "+title(step)+" "+out.reason.String(), out)
	t.record.Code, t.record.Hint = out.record, out.hint
	t.record.LastLines = out.lines
	return false
}

// commands runs the user's commands as one script.
func (t *task) commands(ctx context.Context) {
	t.journal.enter(stageCommands, "")
	t.stages.enter(stage.Record{Stage: stage.Commands})
	text, err := t.renderCommands(t.Spec.Commands)
	if err != nil {
		t.log.Error(err.Error())
		t.fail(stageCommands, "", fmt.Sprintf("the user's commands could not be started: %v", err), outcome{code: exitSecret})
		return
	}
	t.log.Info(contract.LogUserCommandStart)
	out, _ := t.run(ctx, script{
		commands: text, environ: t.env.list(nil), stdout: t.user.Stdout, stderr: t.user.Stderr,
	})
	t.log.Info(contract.LogUserCommandEnd)
	t.record.Stage = stageCommands
	t.record.LastLines = t.user.Tail.Lines()
	if !out.ok() {
		reason := cmp.Or(out.reason, did("ended after the task received a stop request"))
		t.fail(stageCommands, "", "the user's commands "+reason.plural(), out)
	}
}

// stopServices ends all services concurrently, because the runtime must write
// the record within seconds after a stop.
func (t *task) stopServices() {
	var all sync.WaitGroup
	all.Go(func() { terminateGroups(t.services) })
	all.Go(t.background.close)
	all.Go(func() {
		for _, action := range slices.Backward(t.cleanups) {
			action()
		}
		t.sessions.end()
	})
	all.Wait()
}

// close ends all running processes, drains their output, and closes the logs.
func (t *task) close() {
	t.stopServices()
	t.stages.close()
	if t.children.reaper != nil {
		t.children.reaper.close(killDelay)
	}
	for _, src := range t.openSources {
		src.Close()
	}
	if t.user != nil {
		t.user.Close()
	}
	if t.file != nil {
		_ = t.file.Close()
	}
	if t.journal != nil {
		_ = t.journal.journal.file.Close()
	}
	_ = os.Remove(filepath.Join(t.Root, logPipe))
}
