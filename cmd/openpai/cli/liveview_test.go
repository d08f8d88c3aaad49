// SPDX-License-Identifier: MPL-2.0

//go:build unix

package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/terminal"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/terminal/terminaltest"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// onTerminal connects the streams to a pseudo-terminal.
func onTerminal(t *testing.T, columns, rows int, colored bool) (*Streams, *terminaltest.Terminal) {
	t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(tty, &pty.Winsize{Cols: uint16(columns), Rows: uint16(rows)}); err != nil {
		t.Fatal(err)
	}
	shown := terminaltest.New(columns, rows)
	copied := make(chan struct{})
	go func() {
		defer close(copied)
		_, _ = io.Copy(shown, master)
	}()
	t.Cleanup(func() {
		_ = tty.Close()
		<-copied
		_ = master.Close()
	})
	return streamsOn(tty, tty, true, true, colored), shown
}

func streamsOn(out, err io.Writer, outTerminal, errTerminal, colored bool) *Streams {
	o := terminal.Outputs{Out: out, Err: err, OutTerminal: outTerminal, ErrTerminal: errTerminal}
	if f, ok := err.(*os.File); ok && errTerminal {
		o.Size = terminal.SizeOf(f)
	}
	screen := terminal.New(o)
	return &Streams{screen: screen, out: screen.Out(), err: screen.Err(), color: colored, errColor: colored}
}

// shows waits until the terminal shows the given text.
func shows(t *testing.T, term *terminaltest.Terminal, want string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); term.String() != want; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("screen (-want +got)\n%s", cmp.Diff(want, term.String()))
		}
	}
}

var viewTime = time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)

func fetchingAt(percent int64) *stage.Record {
	return &stage.Record{Stage: stage.Fetching, Number: 1, Count: 1, Fetch: &stage.Progress{
		Source: "https://example.com/data/imagenet-2012-training-set.tar.zst", Bytes: percent * 12e6, Total: 1.2e9, Rate: 48e6,
	}}
}

// watchOn returns a watch with a fixed clock; the test triggers each draw.
func watchOn(s *Streams, jobs ...operation.Job) *watch {
	w := newWatch(s, "", jobs, 1, nil)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = func() time.Time { return viewTime }
	return w
}

func TestTheLiveViewShowsTheStagesOfAJob(t *testing.T) {
	t.Parallel()
	job := operation.Job{Address: "job.train", State: planner.StateWaiting}
	code := 7
	started := viewTime.Add(-3*time.Minute - 20*time.Second)
	running := &stage.Record{Stage: stage.Commands, Since: started}
	for name, c := range map[string]struct {
		columns int
		status  *cluster.Status
		want    string
	}{
		"1 task, 80 columns": {80, workers(fetchingAt(34)), "worker[0]  fetching imagenet-2012-training-set.tar.zst 34 % of 1.1 GiB, 46 MiB…\n"},
		"1 task, 120 columns": {
			120, workers(fetchingAt(34)), "worker[0]  fetching imagenet-2012-training-set.tar.zst 34 % of 1.1 GiB, 46 MiB/s, 17 s left\n",
		},
		"60 tasks, 80 columns": {80, many(37, fetchingAt(34), 23), "worker  37 of 60 fetching, 23 commands; imagenet-2012-training-set.tar.zst 34 …\n"},
		"60 tasks, 120 columns, one reason": {
			120, many(37, &stage.Record{Stage: stage.Scheduling, Reason: strings.Repeat("Insufficient cpu, ", 9)}, 23),
			"worker  37 of 60 scheduling, 23 commands; Insufficient cpu, Insufficient cpu, Insufficient cpu, Insufficient cpu, Insu…\n",
		},
		"running tasks and a held task": {
			80, workers(running, &stage.Record{Stage: stage.Held, ExitCode: &code, Until: viewTime.Add(29 * time.Minute)}),
			"worker[0]  commands, 3m20s\nworker[1]  HELD after exit 7, 29m left\nto enter:         openpai exec job.train worker:1\nto end the hold:  openpai release job.train worker:1\n",
		},
		"no task yet":                 {80, &cluster.Status{State: planner.StateWaiting}, "job  waiting\n"},
		"a retry is due":              {80, &cluster.Status{State: planner.StateRunning, Stage: &stage.Record{Stage: stage.Scheduling, Reason: "next attempt in 20 s"}}, "job  scheduling: next attempt in 20 s\n"},
		"a job that is stopped":       {80, stopping(workers(running)), "worker[0]  stopping: commands, 3m20s\n"},
		"a stopped job without tasks": {80, &cluster.Status{State: planner.StateStopping}, "job  stopping\n"},
		"a task that is stopped":      {80, stopping(&cluster.Status{TaskRoles: []cluster.TaskRole{{Name: "worker", Tasks: []cluster.Task{{State: string(planner.StateStopping)}}}}}), "worker[0]  stopping\n"},
		"a finished job":              {80, &cluster.Status{State: planner.StateSucceeded}, ""},
		"text from other programs": {
			80, workers(&stage.Record{Stage: stage.Scheduling, Reason: "\x1b[2Ja\nb"}), "worker[0]  scheduling: \\x1b[2Ja\\nb\n",
		},
		"wide characters": {
			20, workers(&stage.Record{Stage: stage.Scheduling, Reason: "漢字漢字"}), "worker[0]  schedul…\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, term := onTerminal(t, c.columns, 24, false)
			w := watchOn(s, job)
			w.changed(job, c.status)
			fmt.Fprintln(s.out, "a line of the job")
			w.poll()
			shows(t, term, "a line of the job\n"+c.want)
			w.close()
			fmt.Fprintln(s.out, "the end")
			shows(t, term, "a line of the job\nthe end\n")
		})
	}
}

// stopping sets the state of st to STOPPING and returns st.
func stopping(st *cluster.Status) *cluster.Status {
	st.State = planner.StateStopping
	return st
}

// TestTheLiveViewIsColored checks that the live view has colors, except with NO_COLOR.
func TestTheLiveViewIsColored(t *testing.T) {
	t.Parallel()
	for _, colored := range []bool{true, false} {
		s, term := onTerminal(t, 80, 24, colored)
		job := operation.Job{Address: "job.train"}
		w := watchOn(s, job)
		w.changed(job, workers(fetchingAt(1)))
		w.poll()
		w.close()
		fmt.Fprintln(s.out, "the end")
		shows(t, term, "the end\n")
		painted := false
		for _, seq := range term.Sequences() {
			painted = painted || strings.HasSuffix(seq, "m")
		}
		if painted != colored {
			t.Errorf("colored %v: sequences %q", colored, term.Sequences())
		}
	}
}

// manyJobs is a cluster whose jobs run until the test ends them.
type manyJobs struct {
	cluster.Cluster
	over atomic.Bool
}

func (m *manyJobs) Status(_ context.Context, framework string) (*cluster.Status, error) {
	st := workers(&stage.Record{Stage: stage.Scheduling, Reason: "Insufficient cpu"})
	st.Framework, st.Address = framework, "job."+framework
	if m.over.Load() {
		st.State = planner.StateSucceeded
	}
	return st, nil
}

func (m *manyJobs) jobs(n int) []operation.Job {
	var all []operation.Job
	for i := range n {
		name := fmt.Sprintf("sweep-%d", i+1)
		all = append(all, operation.Job{Address: hclspec.NewAddress("job", name), Framework: name, Cluster: m, On: "local", State: planner.StateWaiting})
	}
	return all
}

func TestWaitLimitsTheLiveViewOfManyJobs(t *testing.T) {
	t.Parallel()
	for _, columns := range []int{80, 120} {
		t.Run(fmt.Sprint(columns), func(t *testing.T) {
			t.Parallel()
			s, term := onTerminal(t, columns, 24, false)
			m := &manyJobs{}
			done := make(chan error)
			o := waitOptions{jobFlags: jobFlags{streams: s}, until: "completed"}
			go func() { done <- o.waitFor(t.Context(), m.jobs(200), nil, cluster.Finished) }()
			var want strings.Builder
			for i := range 20 {
				name := fmt.Sprintf("sweep-%d/worker[0]", i+1)
				fmt.Fprintf(&want, "%-21sscheduling: Insufficient cpu\n", name)
			}
			shows(t, term, want.String()+"and 180 more\n")
			m.over.Store(true)
			if err := <-done; err != nil {
				t.Error(err)
			}
			want.Reset()
			for i := range 200 {
				fmt.Fprintf(&want, "job.sweep-%d: SUCCEEDED\n", i+1)
			}
			want.WriteString("\n200 succeeded\n")
			fmt.Fprintln(s.err, "end") // marks the end, because the terminal may lag behind the output
			want.WriteString("end\n")
			for end := time.Now().Add(time.Minute); !strings.HasSuffix(term.All(), "end\n") && time.Now().Before(end); {
				time.Sleep(5 * time.Millisecond)
			}
			// wait reads one status at a time, so it may detect the end of a later job
			// first.
			inAnyOrder := cmpopts.SortSlices(strings.Compare)
			if diff := cmp.Diff(strings.Split(want.String(), "\n"), strings.Split(term.All(), "\n"), inAnyOrder); diff != "" {
				t.Errorf("in the end (-want +got)\n%s", diff)
			}
			if !strings.HasSuffix(term.All(), "\n\n200 succeeded\nend\n") {
				t.Errorf("the totals are not last:\n%s", term.All())
			}
		})
	}
}

// TestWaitWritesNoControlSequencesToAPipe checks that wait does not write control
// sequences to pipes.
func TestWaitWritesNoControlSequencesToAPipe(t *testing.T) {
	t.Parallel()
	var out, problems bytes.Buffer
	wait := func(s *Streams) {
		t.Helper()
		m := &manyJobs{}
		time.AfterFunc(2*minReasonAge, func() { m.over.Store(true) })
		o := waitOptions{jobFlags: jobFlags{streams: s}, until: "completed"}
		if err := o.waitFor(t.Context(), m.jobs(1), nil, cluster.Finished); err != nil {
			t.Error(err)
		}
	}
	wait(streamsOn(&out, &problems, false, false, false))
	if out.String() != "job.sweep-1: SUCCEEDED\n" || problems.String() != "worker[0] scheduling: Insufficient cpu\n" {
		t.Errorf("out %q, err %q", out.String(), problems.String())
	}
	out.Reset()
	s, term := onTerminal(t, 80, 24, false)
	onlyErr := *s
	onlyErr.out = &out
	wait(&onlyErr)
	shows(t, term, "")
	if out.String() != "job.sweep-1: SUCCEEDED\n" {
		t.Errorf("out %q", out.String())
	}
}

// TestWaitLooksAtEveryJobInAPipe checks that "openpai wait" prints a reason for each
// of two jobs that wait at the same time.
func TestWaitLooksAtEveryJobInAPipe(t *testing.T) {
	t.Parallel()
	jobs := (&manyJobs{}).jobs(2)
	lines := make(chan string, 2)
	w := newWatch(streamsOn(io.Discard, io.Discard, false, false, false), "", jobs, 1, func(line string) { lines <- line })
	defer w.close()
	defer lookAt(t.Context(), w, jobs, func() {})()
	var got []string
	for range jobs {
		select {
		case line := <-lines:
			got = append(got, line)
		case <-time.After(time.Minute):
		}
	}
	slices.Sort(got)
	want := []string{"sweep-1/worker[0] scheduling: Insufficient cpu", "sweep-2/worker[0] scheduling: Insufficient cpu"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines (-want +got)\n%s", diff)
	}
}
