// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/atomicfile"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
	"github.com/openpai/terraform-provider-openpai/runtime/logs"
)

// classify sets the exit code and writes the termination message. It does not
// change the code of a failed barrier.
func (t *task) classify() {
	r := &t.record
	if r.Code == 0 && r.UserCode == 0 {
		t.classifySuccess()
		return
	}
	userLog := t.decidingLog()
	runtimeLog := stage.Strip(logs.ReadTail(filepath.Join(t.LogDir, contract.RuntimeLog), exitspec.Window))
	var match exitspec.Match
	if entry, known := exitspec.Lookup(r.Code); r.Code != 0 && known {
		match = exitspec.Match{Entry: entry, Code: r.Code}
	} else {
		match = exitspec.Analyze(exitspec.Input{
			ExitCode: r.UserCode, Forwarded: r.Stopped, OOMKilled: t.oomKilled, ECC: t.eccErrors,
			UserLog: userLog, RuntimeLog: runtimeLog, Extension: t.extension(),
		})
	}
	if match.Entry.Code == exitspec.CodeUnknown && r.Step != "" && !r.Stopped {
		match.Entry, _ = exitspec.Lookup(codeOfStep(r.Step))
		match.Code = match.Entry.Code
	}
	r.Code, r.Phrase, r.Behavior = match.Code, match.Entry.Phrase, string(match.Entry.Behavior)
	if r.Code != 0 {
		r.Hint, r.Advice = cmp.Or(r.Hint, match.Entry.Hint), match.Entry.Solution
	}
	if line := t.redactor.String(match.Quote()); line != "" {
		r.Reason += fmt.Sprintf(", recognized by the line %q", line)
	}
	t.writeMessage(exitspec.Message(*r, match, userLog, runtimeLog))
}

// codeOfStep returns the code for a failure with an unknown cause.
func codeOfStep(address string) int {
	if strings.HasPrefix(address, "plugin.") {
		return exitspec.CodePlugin
	}
	return exitspec.CodePrerequisite
}

// decidingLog returns the output of the failed callback, or the user's log.
func (t *task) decidingLog() []byte {
	if t.record.Step != "" && len(t.record.LastLines) > 0 {
		return []byte(strings.Join(t.record.LastLines, "\n") + "\n")
	}
	return logs.ReadUserTail(filepath.Join(t.LogDir, contract.AllDir), exitspec.Window)
}

// classifySuccess writes the last log lines to the termination message, because
// the log is deleted with the Pod.
func (t *task) classifySuccess() {
	r := &t.record
	match := exitspec.Analyze(exitspec.Input{Forwarded: r.Stopped, OOMKilled: t.oomKilled, ECC: t.eccErrors, Extension: t.extension()})
	r.Code, r.Phrase, r.Behavior = match.Code, match.Entry.Phrase, string(match.Entry.Behavior)
	if t.TerminationFile != "" {
		t.writeMessage(exitspec.Message(*r, match, logs.ReadUserTail(filepath.Join(t.LogDir, contract.AllDir), successLog), nil))
	}
}

// successLog is the number of bytes to read from a successful task's log. A
// message cannot hold more.
const successLog = 4 * exitspec.MessageLimit

// writeMessage writes the termination message to the file that Kubernetes reads,
// and to a copy next to the logs.
func (t *task) writeMessage(text []byte) {
	if t.TerminationFile == "" {
		return
	}
	t.writeMessageInPlace(text)
	_ = atomicfile.Write(t.messageCopy(), text, 0o644)
}

// restoreMessage restores the message of an earlier runtime, because the
// message file of a restarted container is empty.
func (t *task) restoreMessage() {
	if t.TerminationFile == "" {
		return
	}
	if text, err := os.ReadFile(t.messageCopy()); err == nil {
		t.writeMessageInPlace(text)
	}
}

// writeMessageInPlace writes the termination message. It does not replace the
// file, because the file is a mount point.
func (t *task) writeMessageInPlace(text []byte) {
	if err := os.WriteFile(t.TerminationFile, text, 0o644); err != nil {
		t.reportError("cannot write the termination message", err)
	}
}

func (t *task) messageCopy() string {
	return filepath.Join(t.LogDir, filepath.Base(contract.TerminationFile))
}

// extension returns the operator's part of the exit specification, or nil. Without
// this part, only the built-in specification explains task failures.
func (t *task) extension() *exitspec.Extension {
	text, err := os.ReadFile(filepath.Join(t.Root, ExitSpecFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var rules []exitspec.Rule
	if err == nil {
		err = json.Unmarshal(text, &rules)
	}
	if err != nil {
		t.reportError("ignoring the cluster's exit specification", err)
		return nil
	}
	x, _ := exitspec.NewExtension(rules) // init already reported unused rules
	return x
}
