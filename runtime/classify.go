//go:build unix

package runtime

import (
	"os"
	"path/filepath"

	"github.com/openpai/terraform-provider-openpai/internal/atomicfile"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
)

// classify gives the task the exit code of the specification, and a failed one
// a termination message. The code of a barrier is given already.
func (t *task) classify() {
	r := &t.record
	userLog := t.logEnd(contract.AllDir)
	runtimeLog := endOf(filepath.Join(t.LogDir, contract.RuntimeLog))
	var match exitspec.Match
	if entry, known := exitspec.Lookup(r.Code); r.Code != 0 && known {
		match = exitspec.Match{Entry: entry, Code: r.Code}
	} else {
		match = exitspec.Analyze(exitspec.Input{
			ExitCode: r.UserCode, Forwarded: r.Stopped, OOMKilled: t.oomKilled, ECC: t.eccErrors,
			UserLog: userLog, RuntimeLog: runtimeLog, Extension: t.extension(),
		})
	}
	r.Code, r.Phrase, r.Behavior = match.Code, match.Entry.Phrase, string(match.Entry.Behavior)
	if r.Code == 0 {
		return
	}
	r.Advice = match.Entry.Solution
	t.writeMessage(exitspec.Message(*r, match, userLog, runtimeLog))
}

// writeMessage leaves the termination message where Kubernetes looks for it,
// and beside the logs.
func (t *task) writeMessage(text []byte) {
	if t.TerminationFile == "" {
		return
	}
	// Kubernetes mounts the file itself: it cannot be replaced, only filled.
	if err := os.WriteFile(t.TerminationFile, text, 0o644); err != nil {
		t.complain("the termination message could not be written", err)
	}
	_ = atomicfile.Write(filepath.Join(t.LogDir, filepath.Base(contract.TerminationFile)), text, 0o644)
}

// logEnd returns the end of a user log, from the file before it too when the
// current one has just begun.
func (t *task) logEnd(stream string) []byte {
	dir := filepath.Join(t.LogDir, stream)
	text := endOf(filepath.Join(dir, contract.CurrentLog))
	if len(text) >= exitspec.Window {
		return text
	}
	old, _ := filepath.Glob(filepath.Join(dir, "@*.s"))
	if len(old) == 0 {
		return text
	}
	return append(endOf(old[len(old)-1]), text...)
}

// endOf returns the last part of a file that is analysed, nothing when it
// cannot be read.
func endOf(name string) []byte {
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil
	}
	from := max(0, info.Size()-exitspec.Window)
	text := make([]byte, info.Size()-from)
	n, _ := f.ReadAt(text, from)
	return text[:n]
}
