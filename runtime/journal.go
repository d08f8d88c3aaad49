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

// journalFile is the name, below the root, of the list of what an attempt has
// begun: one JSON object per line. It is written before each thing begins, so
// that a runtime that was killed and is started again knows that it must not
// run anything twice.
const journalFile = "journal.jsonl"

// JournalEntry is one line of the journal.
type JournalEntry struct {
	Time  time.Time `json:"time"`
	Stage string    `json:"stage"`
	Step  string    `json:"step,omitempty"`
	// Group is the process group of a script that was started.
	Group int `json:"group,omitempty"`
	// The first line says which attempt the journal is of.
	PodUID     string `json:"pod_uid,omitempty"`
	Attempt    int    `json:"attempt,omitempty"`
	JobAttempt int    `json:"job_attempt,omitempty"`
}

// ReadJournal returns what the attempt in root has begun, nothing when it has
// not begun. A last line that is cut off is omitted. Supervisors use it to
// end the process groups of a runtime that was killed.
func ReadJournal(root string) ([]JournalEntry, error) {
	f, err := os.Open(filepath.Join(root, journalFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the journal of the task: %w", err)
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

// journal is the journal being written.
type journal struct{ file *os.File }

// beginJournal starts a new journal. A journal of another attempt is replaced;
// one of this attempt must have been looked for before.
func beginJournal(root string, first JournalEntry) (*journal, error) {
	if err := os.MkdirAll(root, 0o755); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(root, journalFile), os.O_CREATE|os.O_TRUNC|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("begin the journal of the task: %w", err)
	}
	j := &journal{file: f}
	return j, j.write(first)
}

func (j *journal) write(e JournalEntry) error {
	_, err := j.file.Write(encode(e))
	return err
}

// The stages of a task, as they are in the exit record.
const (
	stageInit          = "init"
	stagePrerequisites = "prerequisites"
	stageCommands      = "commands"
	stageEnd           = "end callbacks"
)

// stageJournal writes the journal as a task continues. A journal that cannot be
// written does not hold the task up.
type stageJournal struct {
	journal *journal
	now     func() time.Time
	current JournalEntry
}

// enter notes what begins now.
func (j *stageJournal) enter(stage, step string) {
	j.current = JournalEntry{Stage: stage, Step: step}
	j.note(0)
}

// group notes that a script of the current stage leads this process group.
func (j *stageJournal) group(pid int) { j.note(pid) }

func (j *stageJournal) note(group int) {
	e := j.current
	e.Time, e.Group = j.now(), group
	_ = j.journal.write(e)
}
