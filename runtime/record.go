// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/openpai/terraform-provider-openpai/internal/atomicfile"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
)

const reasonSucceeded = "the task succeeded"

// exitStopped is the exit code of a task that exits with 0 after a request to stop.
// It is identical to the exit code for SIGTERM, so that the task is not treated as
// successful.
const exitStopped = 128 + 15

// fail records the failure that determines the task's result. The reason is a
// sentence. Do not call fail for later failures of end callbacks.
func (t *task) fail(stage, step, reason string, out outcome) {
	r := &t.record
	r.Stage, r.Step = stage, step
	r.UserCode, r.Signal, r.Reason, r.Stopped = out.code, out.signal, reason, out.stopped
	if out.stopped && r.UserCode == 0 {
		r.UserCode = exitStopped
	}
}

// finish completes the record and writes it.
func (t *task) finish() {
	r := &t.record
	r.Finished = t.Now()
	r.Reason = cmp.Or(r.Reason, reasonSucceeded)
	r.Reason = t.redactor.String(r.Reason)
	t.classify()
	t.writeRecord()
}

func (t *task) writeRecord() {
	if t.RecordFile == "" {
		return
	}
	err := os.MkdirAll(filepath.Dir(t.RecordFile), 0o755)
	if err == nil {
		err = atomicfile.Write(t.RecordFile, encode(t.record), 0o644)
	}
	if err != nil {
		t.reportError("cannot write the exit record", err)
	}
}

// reportError prints to standard error, because the runtime can no longer
// write to a file.
func (t *task) reportError(what string, err error) {
	_, _ = fmt.Fprintln(orDiscard(t.Stderr), contract.RuntimeLine(t.Now(), contract.LevelError, what+": "+err.Error()))
}

// previousRecord returns the exit record if an earlier runtime started this
// attempt. If that runtime was killed before writing a record, previousRecord
// writes a record.
func (t *task) previousRecord() (exitspec.Record, bool) {
	entries, err := ReadJournal(t.Root)
	if err != nil || len(entries) == 0 || !t.sameAttempt(entries[0]) {
		return exitspec.Record{}, false
	}
	if text, err := os.ReadFile(t.RecordFile); err == nil && json.Unmarshal(text, &t.record) == nil {
		t.restoreMessage()
		return t.record, true
	}
	last := entries[len(entries)-1]
	reason := fmt.Sprintf("the runtime was killed in the stage %q and started again; the task cannot continue, because no script runs twice", last.Stage)
	t.fail(last.Stage, last.Step, reason, outcome{code: exitInit})
	t.finish()
	return t.record, true
}

func (t *task) sameAttempt(e JournalEntry) bool {
	return e.PodUID == t.PodUID && e.Attempt == t.Attempt && e.JobAttempt == t.JobAttempt
}

// beginJournal creates the attempt's journal. After that, no runtime may repeat
// the attempt.
func (t *task) beginJournal() error {
	j, err := beginJournal(t.Root, JournalEntry{
		Time: t.Now(), Stage: stagePrerequisites, PodUID: t.PodUID, Attempt: t.Attempt, JobAttempt: t.JobAttempt,
	})
	if err != nil {
		return err
	}
	t.journal = &stageJournal{journal: j, now: t.Now}
	t.journal.current = JournalEntry{Stage: stagePrerequisites}
	return nil
}
