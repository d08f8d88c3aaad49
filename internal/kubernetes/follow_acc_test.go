// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/engine"
	"github.com/openpai/terraform-provider-openpai/internal/logtime"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// followJob waits for a job. It copies the log of every attempt from the
// start, like `openpai run`.
func followJob(ctx context.Context, c *Cluster, j *resolve.Job) (log, gaps string, st *cluster.Status, err error) {
	var out, missing bytes.Buffer
	var copying sync.WaitGroup
	var mu sync.Mutex
	var logErr error
	seen := map[cluster.AttemptID]bool{}
	start := func(a cluster.AttemptID) {
		mu.Lock()
		defer mu.Unlock()
		if seen[a] {
			return
		}
		seen[a] = true
		copying.Go(func() {
			var own bytes.Buffer
			r := cluster.LogRequest{Framework: j.Framework, Role: a.Role, Index: a.Index, JobAttempt: a.JobAttempt, Attempt: a.Attempt, Follow: true,
				Gap: func(text message.Text) {
					mu.Lock()
					defer mu.Unlock()
					missing.WriteString(text.String() + "\n")
				}}
			err := c.Logs(ctx, r, &own)
			mu.Lock()
			defer mu.Unlock()
			logErr = errors.Join(logErr, err)
			out.Write(own.Bytes())
		})
	}
	st, err = cluster.WaitAttempts(ctx, c, j.Framework, cluster.Finished, func(st *cluster.Status) {
		for _, role := range st.TaskRoles {
			for _, t := range role.Tasks {
				for _, a := range t.Attempts {
					if a.Started != nil {
						start(cluster.AttemptID{Role: role.Name, Index: t.Index, JobAttempt: a.JobAttempt, Attempt: a.Attempt})
					}
				}
			}
		}
	}, start)
	copying.Wait()
	return out.String(), missing.String(), st, errors.Join(err, logErr)
}

// shortJob submits a job and lets the engine run it.
func shortJob(t *testing.T, c *Cluster, name string) *resolve.Job {
	t.Helper()
	j := plainJob("vision", name)
	if err := c.Create(t.Context(), submission(c, j)); err != nil {
		t.Fatal(err)
	}
	e := &engine.Engine{Client: server.Dynamic(), Namespace: c.namespace, Busy: true, Pause: 500 * time.Millisecond}
	go func() {
		if err := e.Follow(t.Context(), j.Framework); err != nil && t.Context().Err() == nil {
			t.Error(err)
		}
	}()
	return j
}

// The engine never observes these tasks as running, and deletes their Pods
// immediately.
func TestShortJobsLoseNoLine(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	pods := newShortPods(t, c.declared.Namespace, func(pod string) []string { return []string{"hi from " + pod, "and bye"} })
	go pods.run(t.Context())
	const jobs, atOnce = 100, 20
	slots := make(chan struct{}, atOnce)
	var running sync.WaitGroup
	for n := range jobs {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			j := shortJob(t, c, fmt.Sprint("short", n))
			log, gaps, st, err := followJob(t.Context(), c, j)
			want := "hi from " + framework.PodName(j.Framework, "worker", 0) + "\nand bye\n"
			if log != want || gaps != "" || err != nil {
				t.Errorf("job %d: log %q, gaps %q, error %v; want %q", n, log, gaps, err, want)
				return
			}
			if a := st.TaskRoles[0].Tasks[0].Attempts[0]; st.State != planner.StateSucceeded || a.Started == nil || st.Launched == nil || a.Finished.Sub(*a.Started) < 2*time.Second {
				t.Errorf("job %d: %s, started %v, finished %v", n, st.State, a.Started, a.Finished)
			}
		})
	}
	running.Wait()
}

// TailLines counts only lines of the requested stream. The result therefore
// matches the local cluster, which writes the lines of the runtime to a
// separate log.
func TestTheLastLinesAreThoseOfTheStream(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	const own = "[Sun Nov 22 10:00:00 UTC 2026] [openpai-runtime] [INFO] "
	pods := newShortPods(t, c.declared.Namespace, func(string) []string {
		return []string{own + "begun", "one", "two", "three", own + "stage {}", own + "the commands ended", own + "ended"}
	})
	go pods.run(t.Context())
	for name, tt := range map[string]struct {
		stream cluster.Stream
		want   string
	}{
		"of the user":    {cluster.StreamAll, "two\nthree\n"},
		"of the runtime": {cluster.StreamRuntime, own + "the commands ended\n" + own + "ended\n"},
	} {
		for _, follow := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, followed %t", name, follow), func(t *testing.T) {
				j := shortJob(t, c, fmt.Sprint("tail", tt.stream, follow))
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				name := framework.PodName(j.Framework, "worker", 0)
				// The API server returns an empty log for a Pod that is not
				// scheduled yet.
				for !pods.hasStarted(ctx, name) {
					if err := waitOpenPause(ctx); err != nil {
						t.Fatal(err)
					}
				}
				var log bytes.Buffer
				l := &logs{c: c, lines: &logtime.Lines{Out: &log}, request: cluster.LogRequest{Framework: j.Framework, Stream: tt.stream, TailLines: 2, Follow: follow}}
				found, err := false, error(nil)
				for !found && err == nil {
					if found, err = l.copyPod(ctx, name, name); !found {
						err = errors.Join(err, waitOpenPause(ctx))
					}
				}
				if err != nil || log.String() != tt.want {
					t.Errorf("%q, %v; want %q", log.String(), err, tt.want)
				}
			})
		}
	}
}

func TestABrokenStreamIsResumed(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	var lines []string
	for n := range 1000 {
		lines = append(lines, fmt.Sprint("line ", n))
	}
	pods := newShortPods(t, c.declared.Namespace, func(string) []string { return lines })
	pods.cut = 500
	go pods.run(t.Context())
	log, gaps, _, err := followJob(t.Context(), c, shortJob(t, c, "broken"))
	if err != nil || gaps != "" {
		t.Errorf("gaps %q, error %v", gaps, err)
	}
	if diff := cmp.Diff(strings.Join(lines, "\n")+"\n", log); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestALogThatCouldNotBeReadIsNotedAndItsLastLinesAreShown(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	pods := newShortPods(t, c.declared.Namespace, func(string) []string { return []string{"one", "two"} })
	pods.silent, pods.stays = true, 0
	go pods.run(t.Context())
	log, gaps, _, err := followJob(t.Context(), c, shortJob(t, c, "silent"))
	if err != nil || log != "one\ntwo\n" || gaps != "the Pod no longer exists; these are the last lines, from its termination message\n" {
		t.Errorf("log %q, gaps %q, error %v", log, gaps, err)
	}
}

// The engine deletes the Pod of a stopped task before it reads the termination
// message.
func TestTheLastLinesOfAStoppedTaskAreKept(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	pods := newShortPods(t, c.declared.Namespace, func(string) []string { return []string{"one", "two"} })
	pods.stays = time.Minute
	go pods.run(t.Context())
	j := shortJob(t, c, "stopped")
	running := func(st *cluster.Status) (bool, error) {
		tasks := st.TaskRoles[0].Tasks
		return len(tasks) > 0 && len(tasks[0].Attempts) > 0 && tasks[0].Attempts[0].Host != "", nil
	}
	if _, err := cluster.Wait(t.Context(), c, j.Framework, running, nil); err != nil {
		t.Fatal(err)
	}
	if err := c.Stop(t.Context(), j.Framework); err != nil {
		t.Fatal(err)
	}
	if _, err := cluster.Wait(t.Context(), c, j.Framework, cluster.Finished, nil); err != nil {
		t.Fatal(err)
	}
	later := open(t, c.namespace, "vision")
	st := statusOf(t, later, j)
	a := st.TaskRoles[0].Tasks[0].Attempts[0]
	if st.State != planner.StateStopped || a.Exit == nil || cmp.Diff([]string{"one", "two"}, a.Exit.LastLines) != "" || a.Started == nil {
		t.Errorf("%s, attempt %+v, exit %+v", st.State, a, a.Exit)
	}
	r := cluster.LogRequest{Framework: j.Framework, Role: "worker", JobAttempt: -1, Attempt: -1}
	if log, err := logWith(t, later, r); err != nil || !strings.HasPrefix(log, "one\ntwo\n") {
		t.Errorf("log %q, error %v", log, err)
	}
}

// The Framework contains only the current attempt. After a command has read
// the lines of an attempt, the record keeps these lines for later commands.
func TestTheLinesOfAnEarlierAttemptAreKept(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	var begun atomic.Int32
	pods := newShortPods(t, c.declared.Namespace, func(string) []string { return []string{fmt.Sprint("attempt ", begun.Add(1))} })
	go pods.run(t.Context())
	j := plainJob("vision", "retried")
	if err := c.Create(t.Context(), submission(c, j)); err != nil {
		t.Fatal(err)
	}
	e := &engine.Engine{Client: server.Dynamic(), Namespace: c.namespace}
	if err := e.Prepare(t.Context(), j.Framework); err != nil {
		t.Fatal(err)
	}
	go func() {
		pod := framework.PodName(j.Framework, "worker", 0)
		for !pods.over(pod) && t.Context().Err() == nil {
			time.Sleep(50 * time.Millisecond)
		}
		if err := errors.Join(e.Retry(t.Context(), j.Framework), e.Follow(t.Context(), j.Framework)); err != nil && t.Context().Err() == nil {
			t.Error(err)
		}
	}()
	log, gaps, _, err := followJob(t.Context(), c, j)
	if err != nil || gaps != "" || !strings.Contains(log, "attempt 1\n") || !strings.Contains(log, "attempt 2\n") {
		t.Errorf("log %q, gaps %q, error %v", log, gaps, err)
	}
	later := open(t, c.namespace, "vision")
	st := statusOf(t, later, j)
	if attempts := st.TaskRoles[0].Tasks[0].Attempts; len(attempts) != 2 || attempts[0].JobAttempt != 0 || attempts[1].JobAttempt != 1 {
		t.Errorf("attempts %+v", attempts)
	}
	for attempt, want := range []string{"attempt 1\n", "attempt 2\n"} {
		r := cluster.LogRequest{Framework: j.Framework, Role: "worker", JobAttempt: attempt, Attempt: -1}
		if log, err := logWith(t, later, r); err != nil || !strings.HasPrefix(log, want) {
			t.Errorf("attempt %d: log %q, error %v", attempt, log, err)
		}
	}
}
