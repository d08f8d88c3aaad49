// SPDX-License-Identifier: MPL-2.0

package runtime

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// journalFile is the name of an attempt's journal, relative to the root. The
// journal contains one line for each action that begins. Each line is a JSON
// object. The runtime writes the line before the action begins. A restarted
// runtime then does not repeat the action.
const journalFile = "journal.jsonl"

// JournalEntry is one line of the journal.
type JournalEntry struct {
	Time  time.Time `json:"time"`
	Stage string    `json:"stage"`
	Step  string    `json:"step,omitempty"`
	// Group is the process group of a started script.
	Group int `json:"group,omitempty"`
	// PodUID, Attempt and JobAttempt identify the attempt. Only the first
	// line contains them.
	PodUID     string `json:"pod_uid,omitempty"`
	Attempt    int    `json:"attempt,omitempty"`
	JobAttempt int    `json:"job_attempt,omitempty"`
}

// ReadJournal returns the journal of the attempt in root, without an incomplete
// last line. The journal is empty if the attempt has not begun. Supervisors use it
// to end the process groups of a killed runtime.
func ReadJournal(root string) ([]JournalEntry, error) {
	f, err := os.Open(filepath.Join(root, journalFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the task's journal: %w", err)
	}
	defer func() { _ = f.Close() }()
	var entries []JournalEntry
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var e JournalEntry
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			break
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// journal is an open journal.
type journal struct{ file *os.File }

// beginJournal replaces the journal of a previous attempt. The caller must
// already have checked for a journal of this attempt.
func beginJournal(root string, first JournalEntry) (*journal, error) {
	if err := os.MkdirAll(root, 0o755); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(root, journalFile), os.O_CREATE|os.O_TRUNC|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("create the task's journal: %w", err)
	}
	j := &journal{file: f}
	return j, j.write(first)
}

func (j *journal) write(e JournalEntry) error {
	_, err := j.file.Write(encode(e))
	return err
}

// Stages of a task in the exit record.
const (
	stageInit          = "init"
	stagePrerequisites = "prerequisites"
	stageCommands      = "commands"
	stageEnd           = "end callbacks"
)

// stageJournal records the progress of a task in the journal. A failure to
// write the journal does not stop the task.
type stageJournal struct {
	journal *journal
	now     func() time.Time
	current JournalEntry
}

// enter records the stage or step that begins.
func (j *stageJournal) enter(stage, step string) {
	j.current = JournalEntry{Stage: stage, Step: step}
	j.note(0)
}

// group records a script's process group. The script is the leader of the
// group.
func (j *stageJournal) group(pid int) { j.note(pid) }

func (j *stageJournal) note(group int) {
	e := j.current
	e.Time, e.Group = j.now(), group
	_ = j.journal.write(e)
}
