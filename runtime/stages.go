package runtime

import "time"

// The stages of a task, as they stand in the exit record.
const (
	stageInit          = "init"
	stagePrerequisites = "prerequisites"
	stageCommands      = "commands"
	stageEnd           = "end callbacks"
)

// stageJournal writes the journal as a task goes on. A journal that cannot be
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
