package contract

import (
	"bytes"
	"regexp"
	"time"
)

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

// CallbackLine returns a line that a callback printed, as it is in the
// runtime log: "[Mon Feb  1 02:54:48 UTC 2021] [openpai-runtime] text".
func CallbackLine(now time.Time, text string) string {
	return LinePrefix(now) + text
}

// LinePrefix returns what is before the text of a callback. It lasts one
// second, so a writer of many lines can keep it.
func LinePrefix(now time.Time) string {
	return "[" + now.Format(dateLayout) + logSource
}

// linePrefix is what LinePrefix writes, in any time zone.
var linePrefix = regexp.MustCompile(`^\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-3][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2} [A-Za-z0-9+-]{1,8} [0-9]{4}` + regexp.QuoteMeta(logSource))

// maxLinePrefix is more than the length of any prefix.
const maxLinePrefix = 64

// IsRuntimeLine reports whether a line of a container's log is one of the
// runtime or of a callback. Of a line that has only begun, known is false while
// that depends on what follows.
func IsRuntimeLine(line []byte) (is, known bool) {
	switch {
	case len(line) == 0:
		return false, false
	case line[0] != '[':
		return false, true
	case linePrefix.Match(line):
		return true, true
	}
	return false, len(line) >= maxLinePrefix || bytes.IndexByte(line, '\n') >= 0
}
