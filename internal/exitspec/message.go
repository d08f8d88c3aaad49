// SPDX-License-Identifier: MPL-2.0

package exitspec

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

const (
	// MessageLimit is the maximum size of a container's termination message in
	// Kubernetes, in bytes. Kubernetes truncates the start of longer messages.
	MessageLimit = 4096
	// MessageStart begins the body. Like MessageEnd, the marker is on a separate
	// line.
	MessageStart = "[PAI_RUNTIME_ERROR_START]"
	// MessageEnd ends the body.
	MessageEnd = "[PAI_RUNTIME_ERROR_END]"

	maxMatched      = 2048
	maxReason       = 512
	maxUserLines    = 15
	maxRuntimeLines = 10
)

// Message returns the termination message of a task. The message is YAML between
// two marker lines, and is never longer than [MessageLimit]. The message contains
// the keys for OpenPAI's rest-server and the keys of this project. The project's
// keys include reason, stage, step and advice. They include the phrase and the
// hint only if these values differ from the specification. To stay within the
// limit, Message shortens or omits parts in this order: the runtime's log, the
// user's log, the matching lines of both logs, the downloads. userLog and
// runtimeLog are the redacted logs that Analyze searched. Source:
// microsoft/openpai-runtime: go/pkg/aggregator/error_aggregator.go.
func Message(r Record, m Match, userLog, runtimeLog []byte) []byte {
	body := newBody(r, m)
	body.addText("matchedUserLogString", []string{truncate(m.UserLine, maxMatched)})
	body.addText("matchedPlatformLogString", []string{truncate(m.RuntimeLine, maxMatched)})
	body.addLogs(
		excerpt(window(userLog), m.user, maxUserLines),
		excerpt(window(runtimeLog), m.runtime, maxRuntimeLines))
	return []byte(MessageStart + "\n" + body.String() + MessageEnd + "\n")
}

// messageBody is a YAML mapping that always fits between the two markers.
type messageBody struct{ strings.Builder }

// newBody writes the parts of the message that have a bounded size. These
// parts take precedence over the logs.
func newBody(r Record, m Match) *messageBody {
	b := &messageBody{}
	fmt.Fprintf(b, "exitCode: %d\noriginUserExitCode: %d\n", r.Code, r.UserCode)
	if m.ecc {
		b.WriteString("matchedGpuInfo:\n  nvidiaDoubleEccError: true\n")
	}
	known, _ := Lookup(r.Code)
	if r.Phrase == known.Phrase {
		r.Phrase = ""
	}
	if r.Hint == known.Hint {
		r.Hint = ""
	}
	for _, at := range []struct {
		key  string
		time time.Time
	}{{"startedAt", r.Started}, {"finishedAt", r.Finished}} {
		if !at.time.IsZero() {
			fmt.Fprintf(b, "%s: %q\n", at.key, at.time.UTC().Format(time.RFC3339Nano))
		}
	}
	for _, field := range []struct{ key, value string }{{"reason", r.Reason}, {"stage", r.Stage}, {"step", r.Step}, {"phrase", r.Phrase}, {"hint", r.Hint.String()}, {"advice", r.Advice}} {
		if value := sanitize([]byte(strings.ReplaceAll(field.value, "\n", " "))); value != "" {
			b.WriteString(field.key + ": " + quoteWithin(value, maxReason) + "\n")
		}
	}
	b.addUse(r)
	b.addFetched(r)
	return b
}

// addUse writes metrics and resource usage if they fit into the message. JSON is
// valid YAML.
func (b *messageBody) addUse(r Record) {
	var text strings.Builder
	if r.CPUSeconds > 0 {
		fmt.Fprintf(&text, "cpuSeconds: %s\n", strconv.FormatFloat(r.CPUSeconds, 'f', 2, 64))
	}
	if r.PeakMemoryBytes > 0 {
		fmt.Fprintf(&text, "peakMemoryBytes: %d\n", r.PeakMemoryBytes)
	}
	if values := r.Metrics.Clean(); values != nil {
		fmt.Fprintf(&text, "metrics: %s\n", values.Encode())
	}
	if text.Len() <= b.remaining() {
		b.WriteString(text.String())
	}
}

// addFetched writes the downloads if enough space remains after the metrics.
func (b *messageBody) addFetched(r Record) {
	text := fetchedText(r.Fetched)
	if text == "" {
		return
	}
	if line := "fetched: " + text + "\n"; len(line) <= b.remaining() {
		b.WriteString(line)
	}
}

// quote returns a sanitized string as a double-quoted YAML scalar.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\t", `\t`).Replace(s) + `"`
}

// quoteWithin keeps at most limit bytes between the quotes.
func quoteWithin(s string, limit int) string {
	quoted := quote(truncate(s, limit))
	if over := len(quoted) - len(`""`) - limit; over > 0 {
		quoted = quote(truncate(s, limit-over)) // removing a byte shortens the quoted form by at least one byte
	}
	return quoted
}

// remaining returns the number of free bytes for the body.
func (b *messageBody) remaining() int {
	return MessageLimit - len(MessageStart) - len(MessageEnd) - 2 - b.Len()
}

// addText writes a top-level string, truncated if necessary.
func (b *messageBody) addText(key string, lines []string) {
	b.WriteString(block(key, 0, lines, b.remaining()))
}

// addLogs writes the excerpts; the user's excerpt has priority. To save space,
// addLogs removes lines from the start of an excerpt.
func (b *messageBody) addLogs(user, runtime []string) {
	const parent = "errorLogs:\n"
	budget := b.remaining() - len(parent)
	text := block("user", 2, user, budget)
	text += block("platform", 2, runtime, budget-len(text))
	if text != "" {
		b.WriteString(parent + text)
	}
}

// block returns a YAML key with a literal block scalar of at most budget bytes.
// If not all lines fit, block omits the first lines and truncates the next
// line. It returns "" if nothing useful fits.
func block(key string, indent int, lines []string, budget int) string {
	const useful = 16
	margin := strings.Repeat(" ", indent+2)
	head := strings.Repeat(" ", indent) + key + ": |2-\n" // the lines may start with spaces
	budget -= len(head)
	var kept []string
	for i := len(lines) - 1; i >= 0; i-- {
		need := len(margin) + len(lines[i]) + 1
		if need > budget {
			if remaining := budget - len(margin) - 1; remaining >= useful {
				kept = append(kept, margin+truncate(lines[i], remaining)+"\n")
			}
			break
		}
		kept = append(kept, margin+lines[i]+"\n")
		budget -= need
	}
	text := ""
	for _, line := range kept {
		text = line + text
	}
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return head + text
}
