package contract

import "time"

// dateLayout is the output of date without arguments in the C locale: a day
// below ten has a space before it.
const dateLayout = "Mon Jan _2 15:04:05 MST 2006"

// The levels of the runtime's own lines.
const (
	LevelInfo    = "INFO"
	LevelWarning = "WARNING"
	LevelError   = "ERROR"
)

// The lines that mark the phases of a task in its runtime log, level INFO.
// Source: microsoft/openpai-runtime: src/runtime.d/runtime_entry.sh.
const (
	LogPreCommandsStart = "Starting to exec precommands"
	LogPreCommandsEnd   = "Precommands finished"
	LogUserCommandStart = "USER COMMAND START"
	LogUserCommandEnd   = "USER COMMAND END"
	LogStartSSH         = "start ssh service"
)

const logSource = "] [openpai-runtime] "

// RuntimeLine returns a line of the runtime itself, without a newline:
// "[Mon Feb  1 02:54:48 UTC 2021] [openpai-runtime] [INFO] text".
func RuntimeLine(now time.Time, level, text string) string {
	return CallbackLine(now, "["+level+"] "+text)
}

// CallbackLine returns a line that a callback printed, as it stands in the
// runtime log: "[Mon Feb  1 02:54:48 UTC 2021] [openpai-runtime] text".
func CallbackLine(now time.Time, text string) string {
	return LinePrefix(now) + text
}

// LinePrefix returns what stands before the text of a callback. It lasts one
// second, so a writer of many lines can keep it.
func LinePrefix(now time.Time) string {
	return "[" + now.Format(dateLayout) + logSource
}
