// SPDX-License-Identifier: MPL-2.0

package logs

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/redact"
)

// TestTheContainerLogContainsEveryCompletedLine checks that each output step adds the
// expected lines to the container log. The timer does not run; instead, each step calls
// show.
func TestTheContainerLogContainsEveryCompletedLine(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	shown := func(seconds int, text string) string {
		return contract.IncompleteLine(start.Add(time.Duration(seconds)*time.Second), []byte(text)) + "\n"
	}
	type step struct {
		second int
		text   string
		want   string // text that the step adds to the log
	}
	long := strings.Repeat("x", maxShownLine+1)
	for name, steps := range map[string][]step{
		"whole lines":                  {{0, "one\ntwo\r\n", "one\ntwo\r\n"}, {9, "\n", "\n"}},
		"a line in pieces":             {{0, "lo", ""}, {1, "ad", ""}, {1, "ed\nnext", "loaded\n"}},
		"an old incomplete line":       {{0, "load", ""}, {2, "", shown(2, "load")}, {9, "", ""}, {9, "ed\n", "loaded\n"}},
		"a bar that begins with \\r":   {{0, "\r1%", ""}, {2, "\r2%", shown(2, "2%")}, {3, "\r3%", ""}, {4, "", shown(4, "3%")}, {5, "\n", "3%\n"}},
		"a bar that ends with \\r":     {{0, "1%\r", ""}, {2, "2%\r", shown(2, "2%")}, {5, "\n", "2%\r\n"}},
		"a bar at once":                {{0, "1%\r2%\r3%\nend\n4%\r\r5%\r\n", "3%\nend\n5%\r\n"}},
		"a bar of several minutes":     {{0, "\r1%", ""}, {500, "\r2%", shown(500, "2%")}, {505, "\r3%", ""}, {506, "", shown(506, "3%")}},
		"a bar of a day":               {{0, "\r1%", ""}, {86400, "\r2%", shown(86400, "2%")}, {86409, "\r3%", ""}, {86410, "", shown(86410, "3%")}},
		"the age counts for each line": {{0, "a", ""}, {3, "\nb", "a\n"}, {4, "", ""}, {5, "", shown(5, "b")}},
		"a line too long to be shown":  {{0, long, ""}, {9, "", ""}, {9, "\n", long + "\n"}},
		"a line too long to be kept": {
			{0, strings.Repeat("x", maxMergedLine), strings.Repeat("x", maxMergedLine)}, {9, "y\r1%", "y\r1%"}, {10, "z\na", "z\n"}, {12, "", shown(12, "a")},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			now := start
			c := newContainerCopy(&out, func() time.Time { return now })
			c.armed = true // only the test shows lines, not the timer
			for n, s := range steps {
				now = start.Add(time.Duration(s.second) * time.Second)
				out.Reset()
				_, _ = c.Write([]byte(s.text))
				c.show()
				c.timer.Stop()
				c.armed = true
				if diff := cmp.Diff(s.want, out.String()); diff != "" {
					t.Fatalf("step %d (-want +got)\n%s", n+1, diff)
				}
			}
		})
	}
}

// lockedBuffer represents the standard error of a container. Several goroutines
// write to it.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// A runtime line must not continue a user line. Otherwise, readers would not
// recognize the runtime line.
func TestTheRuntimeNeverContinuesALineOfTheUser(t *testing.T) {
	t.Parallel()
	var out lockedBuffer
	user, err := OpenUser(t.TempDir(), 0o644, redact.New("geheim"), time.Now, &out, &out)
	if err != nil {
		t.Fatal(err)
	}
	log := &Runtime{File: &bytes.Buffer{}, Copy: &out, Redactor: redact.New(), Now: func() time.Time { return time.Unix(0, 0).UTC() }}
	_, _ = user.Stderr.Write([]byte("\r10% geheim"))
	log.Info("hello")
	deadline := time.Now().Add(20 * time.Second)
	for !strings.Contains(out.String(), "incomplete line: 10% ") && time.Now().Before(deadline) {
		time.Sleep(20 * time.Millisecond)
	}
	_ = user.Stderr.Flush()
	log.Info("bye")
	user.Close()
	lines := strings.Split(out.String(), "\n")
	if len(lines) != 5 || !strings.HasSuffix(lines[0], "] hello") || !strings.HasSuffix(lines[1], "[INFO] incomplete line: 10% "+redact.Mask) ||
		lines[2] != "10% "+redact.Mask || !strings.HasSuffix(lines[3], "] bye") {
		t.Errorf("%q", lines)
	}
}
