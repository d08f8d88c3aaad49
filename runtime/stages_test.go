// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/redact"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
	"github.com/openpai/terraform-provider-openpai/runtime/logs"
)

// shortIntervals makes the task write its stages immediately.
var shortIntervals = stageIntervals{file: time.Millisecond, minAge: time.Millisecond, line: time.Millisecond, hold: 400 * time.Millisecond, release: 10 * time.Millisecond}

// TestATaskReportsItsStagesInOrder checks the stages that a task reports. Each
// stage lasts until the test has read it.
func TestATaskReportsItsStagesInOrder(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	seen := r.watchStages()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		seen.wait(stage.Fetching, "")
		_, _ = w.Write(make([]byte, 1000))
	}))
	t.Cleanup(server.Close)
	r.spec.Commands = []string{seen.script(stage.Commands, ""), "exit 7"}
	data := r.step("mnist")
	data.Fetch = []runspec.Fetch{{URL: server.URL + "/mnist.zip?token=abc", To: "mnist.zip"}}
	r.step("packages", on("taskStarts", seen.script(stage.Prerequisite, "")))
	r.step("hook", on("taskFails", seen.script(stage.Held, "taskFails")), on("taskExits", seen.script(stage.Held, "taskExits")))
	r.config.intervals = shortIntervals
	r.config.intervals.hold = time.Second // the test must read the "ending" stage before the hold begins
	if record := r.run(); record.UserCode != 7 {
		t.Fatalf("%+v", record)
	}
	want := []string{
		"fetching prerequisite.script.mnist 1/1 ",
		"prerequisite prerequisite.script.packages 2/2 ",
		"commands  0/0 ",
		"ending prerequisite.script.hook 0/0 taskFails",
		"held prerequisite.script.hook 0/0 taskFails",
		"ending prerequisite.script.hook 0/0 taskExits",
		"held prerequisite.script.hook 0/0 taskExits",
	}
	got := slices.DeleteFunc(seen.all(), func(s string) bool { return !slices.Contains(want, s) })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if s := stage.Read(r.config.Root); s != nil {
		t.Errorf("the finished task has the stage %+v", s)
	}
	for line := range strings.Lines(r.read("logs/runtime.log")) {
		if s, ok := stage.ParseLine([]byte(line)); ok && s.Fetch != nil && strings.Contains(line, "token") {
			t.Errorf("the query of the address is in the log: %s", line)
		}
	}
}

// TestDataEndsTheRetryOfADownload checks that the stage record shows a
// download error until data arrives.
func TestDataEndsTheRetryOfADownload(t *testing.T) {
	t.Parallel()
	s := newStages(t.TempDir(), &logs.Runtime{Redactor: redact.New()}, time.Now, stageIntervals{file: time.Hour, minAge: time.Hour, line: time.Hour})
	defer s.close()
	s.enter(stage.Record{Stage: stage.Fetching, Fetch: &stage.Progress{Source: "a"}})
	s.progress(stage.Progress{Bytes: 1, Rate: 1})
	for _, c := range []struct {
		do     func()
		reason string
		rate   int64
		waits  bool
	}{
		{func() { s.wait("it broke", time.Now()) }, "it broke", 0, true},
		{func() { s.wait("it broke", time.Time{}) }, "it broke", 0, false},
		{func() { s.progress(stage.Progress{Bytes: 2, Rate: 2}) }, "", 2, false},
	} {
		c.do()
		if r := s.current; r.Reason != c.reason || r.Fetch.Rate != c.rate || r.Until.IsZero() == c.waits {
			t.Errorf("%+v, %+v; want %+v", r, r.Fetch, c)
		}
	}
}

func TestASecretIsMaskedInTheStage(t *testing.T) {
	t.Parallel()
	r := newRig(t, "true")
	r.secret("key", "hunter22")
	stages := r.watchStages()
	r.step("hunter22", on("taskStarts", stages.script(stage.Prerequisite, "")))
	r.config.intervals = shortIntervals
	r.run()
	if seen := strings.Join(stages.all(), "\n"); strings.Contains(seen, "hunter22") || !strings.Contains(seen, "prerequisite.script.***") {
		t.Errorf("the stages were:\n%s", seen)
	}
}

func TestACallbackHoldsOnlyWhenTheResultIsKnown(t *testing.T) {
	t.Parallel()
	r := newRig(t, "true")
	stages := r.watchStages()
	r.step("hook", on("taskSucceeds", stages.script(stage.Ending, "taskSucceeds"), "sleep 1"))
	r.config.intervals = shortIntervals
	r.run()
	if seen := strings.Join(stages.all(), "\n"); strings.Contains(seen, "held") || !strings.Contains(seen, "ending") {
		t.Errorf("the stages were:\n%s", seen)
	}
}

func TestAHeldTaskIsReleased(t *testing.T) {
	t.Parallel()
	for name, hook := range map[string]string{
		"a callback that ends with SIGTERM": "sleep 60",
		"a callback that ignores SIGTERM":   "trap '' TERM; while :; do sleep 0.1; done",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, "exit 7")
			r.step("hook", on("taskFails", hook), on("taskExits", "echo then $PAI_EXIT_CODE"))
			r.spec.Steps[0].Callbacks[0].Retry = &runspec.Retry{Attempts: 3}
			r.config.intervals = shortIntervals
			var released sync.WaitGroup
			var err error
			released.Go(func() {
				for err = stage.ErrNotHeld; errors.Is(err, stage.ErrNotHeld); {
					time.Sleep(5 * time.Millisecond)
					err = stage.RequestRelease(t.Context(), r.config.Root)
				}
			})
			record := r.run()
			released.Wait()
			if err != nil || record.UserCode != 7 || !strings.Contains(r.log(), "taskFails of prerequisite.script.hook was released\n") || !strings.Contains(r.log(), "\nthen 7\n") {
				t.Errorf("%v, %+v\n%s", err, record, r.log())
			}
			if err := stage.RequestRelease(t.Context(), r.config.Root); !errors.Is(err, stage.ErrNotHeld) {
				t.Errorf("a finished task was released: %v", err)
			}
		})
	}
}

// TestAHeldTaskIsReleasedBetweenAttempts checks that a single hold covers all
// attempts of a callback.
func TestAHeldTaskIsReleasedBetweenAttempts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		second  string // commands of the second attempt
		backoff int
		seen    string // text that must be in the log before the release
	}{
		"in the pause":                       {"exit 2", 3600, "attempt 2 of 3 follows"},
		"at the start of the second attempt": {"echo the second; sleep 60", 0, "the second"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, "exit 7")
			held := r.watchStages().script(stage.Held, "taskFails")
			r.step("hook", on("taskFails", "if [ -e again ]; then "+c.second+"; fi", "touch again", held, "exit 1"))
			r.spec.Steps[0].Callbacks[0].Retry = &runspec.Retry{Attempts: 3, BackoffSeconds: c.backoff}
			r.config.intervals = shortIntervals
			var released sync.WaitGroup
			var err error
			released.Go(func() {
				for text := []byte(nil); !bytes.Contains(text, []byte(c.seen)); time.Sleep(5 * time.Millisecond) {
					text, _ = os.ReadFile(filepath.Join(r.dir, "logs/runtime.log")) // the log may not exist yet
				}
				err = stage.RequestRelease(t.Context(), r.config.Root)
			})
			record := r.run()
			released.Wait()
			if err != nil || record.UserCode != 7 || strings.Count(r.log(), "was released\n") != 1 || strings.Contains(r.log(), "attempt 3") {
				t.Errorf("%v, %+v\n%s", err, record, r.log())
			}
		})
	}
}

func TestATimeoutEndsAHoldWithoutRetries(t *testing.T) {
	t.Parallel()
	r := newRig(t, "exit 7")
	r.step("hook", on("taskFails", "echo entered; sleep 60"))
	r.spec.Steps[0].Callbacks[0].Retry, r.spec.Steps[0].Callbacks[0].TimeoutSeconds = &runspec.Retry{Attempts: 3}, 4
	r.config.intervals = shortIntervals
	r.config.intervals.hold = time.Millisecond // long before the timeout, even on a busy machine
	record := r.run()
	if record.UserCode != 7 || strings.Count(r.log(), "\nentered\n") != 1 || !strings.Contains(r.log(), "did not end within its timeout of 4s") {
		t.Errorf("%+v\n%s", record, r.log())
	}
}

// stageLog returns the stage lines of a log. Each line contains its time, in
// seconds since the start.
func stageLog(t *testing.T, start time.Time, text string) []string {
	t.Helper()
	var all []string
	for line := range strings.Lines(text) {
		s, ok := stage.ParseLine([]byte(line))
		if !ok {
			t.Errorf("no stage line: %q", line)
			continue
		}
		at, err := time.Parse("Mon Jan _2 15:04:05 MST 2006", line[1:strings.IndexByte(line, ']')])
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, strings.TrimSpace(fmt.Sprintf("%d %s %s", at.Unix()-start.Unix(), s.Stage, s.Reason)))
	}
	return all
}

func TestTheRateOfStageLinesIsLimited(t *testing.T) {
	enter := func(n stage.Name) func(*stages) { return func(s *stages) { s.enter(stage.Record{Stage: n}) } }
	fetch := func(s *stages) { s.enter(stage.Record{Stage: stage.Fetching, Fetch: &stage.Progress{Source: "x"}}) }
	fails := func(reason string) func(*stages) { return func(s *stages) { s.wait(reason, time.Time{}) } }
	wait := func(d time.Duration) func(*stages) { return func(*stages) { time.Sleep(d) } }
	for name, c := range map[string]struct {
		do   []func(*stages)
		want []string
	}{
		"a short task has no line": {[]func(*stages){enter(stage.Preparing), enter(stage.Commands), wait(time.Second)}, nil},
		"a long stage has one line": {
			[]func(*stages){enter(stage.Preparing), enter(stage.Commands), wait(time.Hour)}, []string{"2 commands"},
		},
		"each stage has its line": {
			[]func(*stages){enter(stage.Preparing), wait(3 * time.Second), enter(stage.Prerequisite), wait(3 * time.Second), enter(stage.Commands), wait(time.Hour)},
			[]string{"2 preparing", "5 prerequisite", "8 commands"},
		},
		"a stage that began just before its line is logged later": {
			[]func(*stages){enter(stage.Preparing), wait(11 * time.Second), enter(stage.Prerequisite), wait(time.Second), enter(stage.Commands), wait(time.Hour)},
			[]string{"2 preparing", "14 commands"},
		},
		"many stages have a line every 10 s": {
			append(slices.Repeat([]func(*stages){enter(stage.Prerequisite), wait(3100 * time.Millisecond)}, 19), enter(stage.Commands), wait(time.Hour)),
			[]string{"2 prerequisite", "5 prerequisite", "8 prerequisite", "11 prerequisite", "14 prerequisite", "17 prerequisite", "20 prerequisite", "23 prerequisite",
				"33 prerequisite", "42 prerequisite", "52 prerequisite", "62 commands"},
		},
		"a reason does not wait for the pace of progress": {
			[]func(*stages){fetch, wait(3 * time.Second), fails("reset, try 1"), wait(2 * time.Second), fails("reset, try 2"), wait(time.Second), fails("timeout"), wait(time.Hour)},
			[]string{"2 fetching", "3 fetching reset, try 1", "6 fetching timeout"},
		},
		"progress and reasons leave lines for later stages": {
			append(append([]func(*stages){fetch, wait(2500 * time.Millisecond)}, slices.Repeat([]func(*stages){fails("reset"), wait(time.Second), fails("timeout"), wait(time.Second)}, 4)...),
				enter(stage.Prerequisite), wait(3*time.Second), enter(stage.Commands), wait(3*time.Second), enter(stage.Ending), wait(time.Hour)),
			[]string{"2 fetching", "2 fetching reset", "3 fetching timeout", "12 prerequisite", "15 commands", "18 ending"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				start := time.Now()
				s := newStages(t.TempDir(), testLog(&out), time.Now, defaultIntervals)
				for _, do := range c.do {
					do(s)
				}
				s.close()
				if diff := cmp.Diff(c.want, stageLog(t, start, out.String())); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

func TestProgressLeavesLinesForLaterStages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		s := newStages(t.TempDir(), testLog(&out), time.Now, defaultIntervals)
		s.enter(stage.Record{Stage: stage.Fetching, Fetch: &stage.Progress{Source: "x"}})
		m := meter{stages: s, now: time.Now}
		for n := range int64(3 * 3600) {
			m.report(n, 10_000)
			time.Sleep(time.Second)
		}
		fetching := strings.Count(out.String(), "\n")
		if fetching != maxProgressLines {
			t.Errorf("%d lines of a download", fetching)
		}
		for range 3600 {
			s.enter(stage.Record{Stage: stage.Commands})
			time.Sleep(time.Minute)
		}
		s.close()
		if lines := strings.Count(out.String(), "\n"); lines != maxStageLines {
			t.Errorf("%d lines in all", lines)
		}
	})
}

func TestTheRateOfADownloadIsMeasured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStages(t.TempDir(), testLog(io.Discard), time.Now, defaultIntervals)
		s.enter(stage.Record{Stage: stage.Fetching, Fetch: &stage.Progress{Source: "x"}})
		m := meter{stages: s, now: time.Now}
		for n := range int64(61) {
			m.report(n*1000, 100_000)
			time.Sleep(time.Second)
		}
		s.close()
		got := s.current.Fetch
		if rest, ok := got.Remaining(); got.Rate != 1000 || got.Bytes != 60_000 || !ok || rest != 40*time.Second {
			t.Errorf("%+v, %s left", got, rest)
		}
	})
}

func testLog(w io.Writer) *logs.Runtime {
	return &logs.Runtime{File: w, Copy: io.Discard, Redactor: redact.New(), Now: func() time.Time { return time.Now().UTC() }}
}

// BenchmarkStages measures the cost of three stages in the task's goroutine.
// The sub-benchmark "file" measures one write of the stage file. In a task, a
// different goroutine performs these writes.
func BenchmarkStages(b *testing.B) {
	b.Run("task", func(b *testing.B) {
		root := b.TempDir()
		for b.Loop() {
			s := newStages(root, testLog(io.Discard), time.Now, defaultIntervals)
			s.enter(stage.Record{Stage: stage.Preparing})
			s.enter(stage.Record{Stage: stage.Prerequisite, Step: "prerequisite.script.a", Number: 1, Count: 1})
			s.enter(stage.Record{Stage: stage.Ending, Event: contract.EventTaskExits})
			s.close()
		}
	})
	b.Run("file", func(b *testing.B) {
		root := b.TempDir()
		for b.Loop() {
			if err := stage.Write(root, stage.Record{Version: stage.Version, Stage: stage.Commands}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
