// SPDX-License-Identifier: MPL-2.0

package contract

import (
	"bytes"
	"regexp"
	"time"
)

// dateLayout is the format of the `date` command in the C locale. A space pads a
// one-digit day.
const dateLayout = "Mon Jan _2 15:04:05 MST 2006"

// Levels of the runtime's own lines.
const (
	LevelInfo    = "INFO"
	LevelWarning = "WARNING"
	LevelError   = "ERROR"
)

// Lines for the phases of a task in its runtime log, at level INFO. Source:
// microsoft/openpai-runtime: src/runtime.d/runtime_entry.sh.
const (
	LogPreCommandsStart = "Starting to exec precommands"
	LogPreCommandsEnd   = "Precommands finished"
	LogUserCommandStart = "USER COMMAND START"
	LogUserCommandEnd   = "USER COMMAND END"
	LogStartSSH         = "start ssh service"
)

// LogRunning is the start of a message in the runtime log. The rest of the message
// is the address of a step, or "EVENT of ADDRESS" for a callback after the
// commands. The log lines after this message are the output of that step or
// callback. The level is INFO.
const LogRunning = "Running "

// logIncomplete starts a message that repeats an incomplete line of user output,
// such as a progress bar. The level is INFO.
const logIncomplete = "[" + LevelInfo + "] incomplete line: "

const logSource = "] [openpai-runtime] "

// RuntimeLine returns a line of the runtime without a newline:
// "[Mon Feb  1 02:54:48 UTC 2021] [openpai-runtime] [INFO] text".
func RuntimeLine(now time.Time, level, text string) string {
	return CallbackLine(now, "["+level+"] "+text)
}

// IncompleteLine returns a runtime line without a newline. The line repeats
// user output without a final newline. A container's log contains such lines
// because the container runtime shows only complete lines.
func IncompleteLine(now time.Time, text []byte) string {
	return CallbackLine(now, logIncomplete+string(text))
}

// CutIncompleteLine extracts the text from a line that [IncompleteLine] created.
// ok is false for other lines. known is false if the result depends on the
// missing part of a truncated line.
func CutIncompleteLine(line []byte) (text []byte, ok, known bool) {
	own := TrimLinePrefix(line)
	if len(own) == len(line) {
		_, known = IsRuntimeLine(line)
		return nil, false, known
	}
	text, ok = bytes.CutPrefix(own, []byte(logIncomplete))
	return text, ok, ok || !bytes.HasPrefix([]byte(logIncomplete), own)
}

// CallbackLine returns callback output in the runtime log format:
// "[Mon Feb  1 02:54:48 UTC 2021] [openpai-runtime] text".
func CallbackLine(now time.Time, text string) string {
	return LinePrefix(now) + text
}

// LinePrefix returns the prefix of a line of callback output. The prefix changes
// only once per second, so writers can cache the prefix.
func LinePrefix(now time.Time) string {
	return "[" + now.Format(dateLayout) + logSource
}

// linePrefix matches the output of LinePrefix in any time zone.
var linePrefix = regexp.MustCompile(`^\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-3][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2} [A-Za-z0-9+-]{1,8} [0-9]{4}` + regexp.QuoteMeta(logSource))

// TrimLinePrefix returns a line of the runtime log without its [LinePrefix]. It
// returns other lines unchanged.
func TrimLinePrefix(line []byte) []byte { return line[len(linePrefix.Find(line)):] }

// maxLinePrefix is an upper bound for the length of a prefix, in bytes.
const maxLinePrefix = 64

// IsRuntimeLine reports whether the runtime or a callback wrote this log line.
// known is false if the result depends on the missing part of a truncated
// line.
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
