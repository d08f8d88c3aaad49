// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

// waitingStage runs the task and returns the first stage for which paused returns
// true. The channel is closed when the task ends.
func (r *rig) waitingStage(paused func(*stage.Record) bool) (waiting *stage.Record, ended <-chan struct{}) {
	r.t.Helper()
	r.config.intervals = shortIntervals
	over := make(chan struct{})
	go func() {
		defer close(over)
		r.run()
	}()
	for waiting == nil || !paused(waiting) {
		select {
		case <-over:
			r.t.Fatalf("the task ended:\n%s", r.log())
		case <-time.After(5 * time.Millisecond):
			waiting = stage.Read(r.config.Root)
		}
	}
	return waiting, over
}

// hasNextTry reports whether a stage contains the time of the next try.
func hasNextTry(s *stage.Record) bool { return !s.Until.IsZero() }

// TestATaskReportsItsNextTry reads the stage during a pause between tries. The
// test then stops the task.
func TestATaskReportsItsNextTry(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "300")
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	t.Cleanup(server.Close)
	often := &runspec.Retry{Attempts: 3, BackoffSeconds: 300}
	for name, c := range map[string]struct {
		build  func(*rig)
		stage  stage.Name
		reason string
	}{
		"a download": {func(r *rig) {
			r.step("data").Fetch = []runspec.Fetch{{URL: server.URL + "/data.txt", To: "data.txt", Retries: 1}}
		}, stage.Fetching, "the server answered 503 Service Unavailable"},
		"the git plugin": {func(r *rig) {
			r.plugin("git", map[string]any{"repo_uri": server.URL + "/r.git"})
		}, stage.Prerequisite, "exited with code 128: fatal: unable to access"},
		"a start callback": {func(r *rig) { r.step("data", on("taskStarts", "exit 3")).Retry = often }, stage.Prerequisite, "exited with code 3"},
		"an end callback":  {func(r *rig) { r.step("data", on("taskSucceeds", "exit 4")).Retry = often }, stage.Ending, "exited with code 4"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, "true")
			c.build(r)
			waiting, ended := r.waitingStage(hasNextTry)
			r.signals <- syscall.SIGTERM
			<-ended
			if waiting.Stage != c.stage || !strings.HasPrefix(waiting.Reason, c.reason) || waiting.Until.Sub(waiting.Since) < 300*time.Second {
				t.Errorf("the stage is %+v", waiting)
			}
		})
	}
}

// TestARetriedCallbackDoesNotWait checks that the stage no longer contains a
// reason when the pause ends.
func TestARetriedCallbackDoesNotWait(t *testing.T) {
	t.Parallel()
	r := newRig(t, "true")
	r.step("data", on("taskStarts", "if [ -e failed ]; then touch again; until [ -e go ]; do sleep 0.05; done; else touch failed; exit 3; fi")).Retry = &runspec.Retry{Attempts: 2, BackoffSeconds: 1}
	_, ended := r.waitingStage(hasNextTry)
	for waits := true; waits; {
		select {
		case <-ended:
			t.Fatalf("the task ended:\n%s", r.log())
		case <-time.After(5 * time.Millisecond):
			last := stage.Read(r.config.Root)
			waits = last == nil || last.Reason != ""
		}
	}
	if err := os.WriteFile(filepath.Join(r.config.WorkDir, "go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	<-ended
	if log := r.log(); !strings.Contains(log, "attempt 2 of 2 follows in 1s") {
		t.Error(log)
	}
}

// TestATaskReportsThatItWaitsForAnotherDownload delays one task's download
// until a second task reports the wait.
func TestATaskReportsThatItWaitsForAnotherDownload(t *testing.T) {
	t.Parallel()
	asked, send := make(chan struct{}), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(asked) // panics if the second task also requests the file
		<-send
		_, _ = w.Write([]byte("data"))
	}))
	t.Cleanup(server.Close)
	cache := t.TempDir()
	task := func() *rig {
		r := newRig(t, "cat data.txt")
		r.config.FetchCache = cache
		r.step("data").Fetch = []runspec.Fetch{{URL: server.URL + "/data.txt", To: "data.txt", SHA256: sumOf([]byte("data"))}}
		return r
	}
	first, second := task(), task()
	var downloaded sync.WaitGroup
	downloaded.Go(func() { first.run() })
	<-asked
	waiting, ended := second.waitingStage(func(s *stage.Record) bool { return s.Reason != "" })
	close(send)
	<-ended
	downloaded.Wait()
	if waiting.Stage != stage.Fetching || waiting.Reason != "waits for another task that downloads it" || !waiting.Until.IsZero() {
		t.Errorf("the stage is %+v", waiting)
	}
	if first.output() != "data\n" || second.output() != "data\n" {
		t.Errorf("outputs %q and %q", first.output(), second.output())
	}
}
