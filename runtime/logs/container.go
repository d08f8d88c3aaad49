// SPDX-License-Identifier: MPL-2.0

package logs

import (
	"bytes"
	"io"
	"sync"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

const (
	// incompleteAge is the age at which an incomplete line first appears in the
	// container log.
	incompleteAge = 2 * time.Second
	// If an incomplete line changes, containerCopy pauses before it shows the
	// line again. The pause is a hundredth of the line's age, but at least
	// minIncompletePause and at most maxIncompletePause. A progress bar that
	// runs for ten hours adds less than 1 MB to the log.
	minIncompletePause = 2 * time.Second
	maxIncompletePause = 10 * time.Second
	pausesPerAge       = 100
)

// containerCopy copies one stream of the user's commands to the container log. The
// container runtime does not show a line until it is complete. Therefore,
// containerCopy shows the text of an incomplete line, such as a progress bar, in a
// runtime line; see [contract.IncompleteLine]. It writes only whole lines, so that a
// runtime line never continues a user line. It omits text that a carriage return
// hides.
type containerCopy struct {
	out io.Writer
	now func() time.Time

	mu      sync.Mutex
	line    []byte    // the incomplete line
	began   time.Time // time of the first byte of line
	cut     bool      // the line is too long, and its start is already written
	shown   []byte    // text of the line when it was last shown
	shownAt time.Time
	timer   *time.Timer
	armed   bool // the timer runs
	closed  bool
}

func newContainerCopy(out io.Writer, now func() time.Time) *containerCopy {
	c := &containerCopy{out: out, now: now}
	c.timer = time.AfterFunc(incompleteAge, c.show)
	c.timer.Stop()
	return c
}

// Write accepts all of p. It ignores write errors of the container log,
// because the log files also contain the data.
func (c *containerCopy) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	rest := p
	if end := bytes.IndexByte(rest, '\n') + 1; end > 0 && (c.cut || len(c.line) > 0) {
		c.hold(rest[:end])
		c.end()
		rest = rest[end:]
	}
	if end := bytes.LastIndexByte(rest, '\n') + 1; end > 0 {
		_, _ = c.out.Write(withoutHidden(rest[:end]))
		rest = rest[end:]
	}
	if len(rest) > 0 {
		c.hold(rest)
		c.arm(incompleteAge)
	}
	return len(p), nil
}

func (c *containerCopy) hold(text []byte) {
	if len(c.line) == 0 {
		c.began = c.now()
	}
	c.line = append(c.line, text...)
	if i := hidden(c.line); i > 0 && !c.cut {
		c.line = append(c.line[:0], c.line[i:]...)
	}
	if c.cut || len(c.line) >= maxMergedLine {
		c.cut = true
		_, _ = c.out.Write(c.line)
		c.line = c.line[:0]
	}
}

// end writes a complete line.
func (c *containerCopy) end() {
	if len(c.line) > 0 {
		_, _ = c.out.Write(c.line)
	}
	c.line, c.shown, c.cut = c.line[:0], c.shown[:0], false
}

func (c *containerCopy) finish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cut || len(c.line) > 0 {
		c.hold([]byte("\n"))
		c.end()
	}
}

func (c *containerCopy) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
}

// arm starts the timer that shows the incomplete line.
func (c *containerCopy) arm(pause time.Duration) {
	if !c.armed {
		c.armed = true
		c.timer.Reset(pause)
	}
}

// show writes the incomplete line if its text has changed and the line is old
// enough.
func (c *containerCopy) show() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.armed = false
	text := bytes.TrimRight(c.line, "\r")
	if c.closed || len(text) == 0 || len(text) > maxShownLine || bytes.Equal(text, c.shown) {
		return
	}
	now := c.now()
	if wait := c.due(now).Sub(now); wait > 0 {
		c.arm(wait)
		return
	}
	_, _ = io.WriteString(c.out, contract.IncompleteLine(now, text)+"\n")
	c.shown, c.shownAt = append(c.shown[:0], text...), now
}

// due returns the earliest time at which the line may be shown.
func (c *containerCopy) due(now time.Time) time.Time {
	first := c.began.Add(incompleteAge)
	pause := min(max(now.Sub(c.began)/pausesPerAge, minIncompletePause), maxIncompletePause)
	if again := c.shownAt.Add(pause); again.After(first) {
		return again
	}
	return first
}

// withoutHidden returns whole lines without the text that a carriage return hides.
func withoutHidden(lines []byte) []byte {
	if bytes.IndexByte(lines, '\r') < 0 {
		return lines
	}
	kept := make([]byte, 0, len(lines))
	for line := range bytes.Lines(lines) {
		kept = append(kept, line[hidden(line):]...)
	}
	return kept
}

// hidden returns the length of the text that a carriage return hides. A carriage
// return at the end of the line hides text only if more text follows later.
func hidden(line []byte) int {
	return bytes.LastIndexByte(bytes.TrimRight(line, "\r\n"), '\r') + 1
}
