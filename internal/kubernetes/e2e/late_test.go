// SPDX-License-Identifier: MPL-2.0

//go:build e2e && acc

package e2e

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

// lateHold is the maximum delay before `wait` and `logs -f` print a hold. This
// delay includes the runtime's delay and a margin for a busy machine.
const lateHold = 8 * time.Second

// printed stores the output of a command and the arrival time of each line.
type printed struct {
	mu   sync.Mutex
	text bytes.Buffer
	when map[string]time.Time // by line
}

func (p *printed) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text.Write(b)
	for line := range strings.Lines(p.text.String()) {
		if _, seen := p.when[line]; !seen {
			p.when[line] = time.Now()
		}
	}
	return len(b), nil
}

// first returns the first line that contains a word, and its arrival time.
func (p *printed) first(word string) (line string, when time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for line := range strings.Lines(p.text.String()) {
		if strings.Contains(line, word) {
			return line, p.when[line]
		}
	}
	return "", time.Time{}
}

// TestALateStageIsPrintedSoon runs a job whose commands show only a progress bar. A
// hook then holds the task. The log must show the progress bar before the commands
// end the line of the bar. `wait` and `logs -f` must print the hold soon after it
// starts.
func TestALateStageIsPrintedSoon(t *testing.T) {
	text := strings.Replace(job("n=0\nuntil [ $n = 40 ]; do n=$((n+1)); printf '\\rbar %d' $n >&2; sleep 1; done\nexit 7"),
		"    commands = [", "    prerequisites = [prerequisite.script.hook]\n    commands = [", 1)
	s := newSpace(t, "late", text+`
prerequisite "script" "hook" {
  callback "taskFails" {
    timeout  = "15m"
    commands = ["sleep 600"]
  }
}
`)
	s.must(0, "apply", "--auto-approve")
	wait := s.followFor(longPatience)
	waits := map[string]*printed{}
	var ended sync.WaitGroup
	for _, args := range [][]string{{"wait"}, {"logs", "-f"}} {
		cmd, out := s.command(t.Context(), args...), &printed{when: map[string]time.Time{}}
		cmd.Stderr = out
		waits[args[0]] = out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended.Go(func() { _ = cmd.Wait() })
	}
	var bar string
	s.stages(longPatience,
		reaction{stage.Commands, "", func() { bar = s.barOf(t) }},
		reaction{stage.Held, "", func() {
			since := stageOf(s.status()).Since
			for name, out := range waits {
				line, when := out.first("HELD")
				for ; line == "" && time.Since(since) < patience; line, when = out.first("HELD") {
					time.Sleep(50 * time.Millisecond)
				}
				if late := when.Sub(since); line == "" || late > lateHold {
					t.Errorf("%s printed the hold after %s: %q", name, late, line)
				}
			}
			s.must(0, "release")
		}},
	)
	wait()
	ended.Wait()
	if out := s.must(0, "logs"); !strings.HasSuffix(out, "bar 40\n") || strings.Count(out, "bar") != 1 {
		t.Errorf("the log after the end is %q; while the task ran, it was %q", out, bar)
	}
	s.must(0, "destroy", "--auto-approve")
}

// barOf waits until the log of the task contains only a progress bar, and returns
// the log.
func (s *space) barOf(t *testing.T) (out string) {
	t.Helper()
	bar := regexp.MustCompile(`^bar [0-9]+\n$`)
	for deadline := time.Now().Add(20 * time.Second); !bar.MatchString(out); out = s.must(0, "logs") {
		if time.Now().After(deadline) {
			t.Errorf("the log of the running task is %q", out)
			break
		}
	}
	return out
}
