// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

// stageServer responds to log requests with a stage. Streams send the lines from
// a channel and remain open until the test closes this channel.
type stageServer struct {
	lines chan string

	mu    sync.Mutex
	now   time.Time
	start time.Time
	reads []string // the kind of each request, and the time since the start
	open  int      // streams
	ended int      // number of streams that the client ended
}

// newStageServer returns a cluster whose clock only the test advances. If lines
// is nil, the server ends each stream immediately.
func newStageServer(t *testing.T, lines chan string) (*stageServer, *Cluster) {
	t.Helper()
	s := &stageServer{lines: lines, start: time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)}
	s.now = s.start
	c := answeredBy(t, Options{Workspace: "vision", Now: s.clock}, s.ServeHTTP)
	if lines != nil {
		t.Cleanup(func() { close(lines) })
	}
	return s, c
}

func (s *stageServer) clock() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// ServeHTTP implements http.Handler.
func (s *stageServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	kind := "read"
	if r.URL.Query().Get("follow") == "true" {
		kind = "follow"
	}
	s.mu.Lock()
	s.reads = append(s.reads, fmt.Sprintf("%s %s", kind, s.now.Sub(s.start)))
	s.mu.Unlock()
	fmt.Fprint(w, stageText(stage.Fetching))
	if kind == "read" || s.lines == nil {
		return
	}
	s.add(&s.open, 1)
	defer s.add(&s.open, -1)
	for {
		_ = http.NewResponseController(w).Flush()
		select {
		case line, ok := <-s.lines:
			if !ok {
				return
			}
			fmt.Fprint(w, line)
		case <-r.Context().Done():
			s.add(&s.ended, 1)
			return
		}
	}
}

func (s *stageServer) add(to *int, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*to += n
}

func (s *stageServer) count(of *int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return *of
}

// requests returns the requests received so far.
func (s *stageServer) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.reads...)
}

// pass advances the clock in steps of one second, and reads the stage at each
// step.
func (s *stageServer) pass(t *testing.T, c *Cluster, d time.Duration) *stage.Record {
	t.Helper()
	var st *cluster.Status
	for end := s.clock().Add(d); !s.clock().After(end); {
		st = runningJob(1)
		cluster.AddStages(t.Context(), c, st)
		until(t, "the answer of the server", func() bool { return c.openStageStreams() == 0 || s.count(&s.open) > 0 })
		s.mu.Lock()
		s.now = s.now.Add(time.Second)
		s.mu.Unlock()
	}
	return st.TaskRoles[0].Tasks[0].Attempts[0].Stage
}

func until(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !condition(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("timeout: %s", what)
		}
	}
}

func (c *Cluster) openStageStreams() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stageStreams
}

// TestALateStageTakesNoRequest reads the stage of a task once per second for an
// hour. It checks that the client sends only two requests.
func TestALateStageTakesNoRequest(t *testing.T) {
	t.Parallel()
	lines := make(chan string)
	s, c := newStageServer(t, lines)
	if r := s.pass(t, c, time.Hour); r == nil || r.Stage != stage.Fetching {
		t.Errorf("the stage is %+v", r)
	}
	for _, sent := range []struct {
		line string
		want stage.Name
	}{
		{"epoch 1\n", stage.Commands},
		{contract.RuntimeLine(s.clock(), contract.LevelInfo, contract.LogUserCommandEnd) + "\n", stage.Ending},
		{stageText(stage.Held), stage.Held},
	} {
		lines <- sent.line
		until(t, fmt.Sprintf("the stage %s after %q", sent.want, sent.line), func() bool {
			r := s.pass(t, c, 0)
			return r != nil && r.Stage == sent.want
		})
	}
	if diff := cmp.Diff([]string{"read 0s", "follow 2s"}, s.requests()); diff != "" {
		t.Errorf("requests (-want +got)\n%s", diff)
	}
}

// If a server or proxy ends each stream immediately, AddStages opens new streams
// at increasing intervals.
func TestAStreamThatEndsIsOpenedAgainAtGrowingIntervals(t *testing.T) {
	t.Parallel()
	s, c := newStageServer(t, nil)
	s.pass(t, c, 2*time.Minute)
	want := []string{"read 0s", "follow 2s", "follow 6s", "follow 14s", "follow 30s", "follow 1m0s", "follow 1m30s", "follow 2m0s"}
	if diff := cmp.Diff(want, s.requests()); diff != "" {
		t.Errorf("requests (-want +got)\n%s", diff)
	}
}

// If a task prints many lines, AddStages pauses between streams to limit the
// traffic.
func TestOutputOfATaskIsNotReceivedCompletely(t *testing.T) {
	t.Parallel()
	s, c := newStageServer(t, make(chan string))
	s.pass(t, c, 2*time.Second)
	line := strings.Repeat("x", 64<<10) + "\n"
	for n := 0; n < stageBytes; n += len(line) {
		s.lines <- line
	}
	until(t, "the end of the stream", func() bool { return c.openStageStreams() == 0 && s.count(&s.open) == 0 })
	if r := s.pass(t, c, 3*time.Second); r == nil || r.Stage != stage.Commands {
		t.Errorf("the stage is %+v", r)
	}
	if diff := cmp.Diff([]string{"read 0s", "follow 2s", "follow 6s"}, s.requests()); diff != "" {
		t.Errorf("requests (-want +got)\n%s", diff)
	}
}

func TestAnUnusedStreamEnds(t *testing.T) {
	t.Parallel()
	s, c := newStageServer(t, make(chan string))
	s.pass(t, c, 2*time.Second)
	task := &runningJob(1).TaskRoles[0].Tasks[0].Attempts[0]
	if !c.stageReadOf(task).stream.Reset(time.Millisecond) {
		t.Error("the stream had no limit")
	}
	until(t, "the end of the stream", func() bool { return s.count(&s.ended) == 1 })
}

func TestTheNumberOfStreamsIsLimited(t *testing.T) {
	t.Parallel()
	const jobs = 100
	s, c := newStageServer(t, make(chan string))
	known := 0
	for range 10 {
		var statuses []*cluster.Status
		for n := range jobs {
			st := runningJob(1)
			st.TaskRoles[0].Tasks[0].Attempts[0].Pod = fmt.Sprintf("job%d-worker-0", n)
			statuses = append(statuses, st)
		}
		cluster.AddStages(t.Context(), c, statuses...)
		known = 0
		for _, st := range statuses {
			if st.TaskRoles[0].Tasks[0].Attempts[0].Stage != nil {
				known++
			}
		}
		s.mu.Lock()
		s.now = s.now.Add(time.Second)
		s.mu.Unlock()
	}
	until(t, "the streams", func() bool { return strings.Count(strings.Join(s.requests(), "\n"), "follow") == maxStageStreams })
	if n := c.openStageStreams(); n != maxStageStreams || known != jobs {
		t.Errorf("%d streams, want %d; %d known stages, want %d", n, maxStageStreams, known, jobs)
	}
}

// If a command copies a log, it reads the stage of the task from the copied
// lines.
func TestACopiedLogShowsTheStage(t *testing.T) {
	t.Parallel()
	s, c := newStageServer(t, nil)
	s.pass(t, c, 0)
	log := &podLog{out: io.Discard}
	end := c.withStages(stageKey(&runningJob(1).TaskRoles[0].Tasks[0].Attempts[0]), log)
	stamped := func(text string) string { return "2026-11-22T10:00:00.1Z " + text }
	if err := log.copy(strings.NewReader(stamped(stageText(stage.Preparing)) + stamped("epoch 1\n") + stamped("[cut"))); err != nil {
		t.Fatal(err)
	}
	if r := s.pass(t, c, time.Minute); r == nil || r.Stage != stage.Commands {
		t.Errorf("the stage is %+v", r)
	}
	end()
	s.pass(t, c, 0)
	if diff := cmp.Diff([]string{"read 0s", "follow 1m2s"}, s.requests()); diff != "" {
		t.Errorf("requests (-want +got)\n%s", diff)
	}
}
