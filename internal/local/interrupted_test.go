// SPDX-License-Identifier: MPL-2.0

package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// envCommand is an environment variable that contains a workspace directory. If it
// is set, the test binary runs a command for the job countedJob(directory). The
// variable envVerb selects the command.
const (
	envCommand = "LOCAL_TEST_WORKSPACE"
	envVerb    = "LOCAL_TEST_VERB"
)

func runCommand(dir string) int {
	c, err := Open(dir, Options{})
	job := countedJob(dir)
	switch {
	case err != nil:
	case os.Getenv(envVerb) == "create":
		err = c.Create(context.Background(), submission(job, map[string]string{"token": "open sesame"}))
	case os.Getenv(envVerb) == "stop":
		err = c.Stop(context.Background(), job.Framework)
	default:
		err = c.Delete(context.Background(), job.Framework)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// countedJob returns a job that appends a line to a file each time it runs.
func countedJob(dir string) *resolve.Job {
	role := newRole("worker", "echo ran >> "+filepath.Join(dir, "count"))
	role.Secrets = []string{"token"}
	return newJob("counted", role)
}

func (w *world) interrupt(verb string, after time.Duration) {
	w.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envCommand+"="+w.dir, envVerb+"="+verb)
	if err := cmd.Start(); err != nil {
		w.Fatal(err)
	}
	time.Sleep(after)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// moments returns the delays after which the test kills a command. At the longest
// delay, the command has already ended.
func moments() []time.Duration {
	var all []time.Duration
	for ms := 4; ms <= 60; ms += 4 {
		all = append(all, time.Duration(ms)*time.Millisecond)
	}
	return all
}

func TestAnInterruptedCreateIsFinishedByTheNext(t *testing.T) {
	t.Parallel()
	for _, after := range moments() {
		w := newWorld(t)
		job := countedJob(w.dir)
		w.interrupt("create", after)
		if err := w.Create(w.ctx, submission(job, map[string]string{"token": "open sesame"})); err != nil {
			t.Fatalf("killed after %s: %v", after, err)
		}
		if st := w.finished(job); st.State != planner.StateSucceeded {
			t.Fatalf("killed after %s: %+v", after, st)
		}
		if count, err := os.ReadFile(filepath.Join(w.dir, "count")); err != nil || string(count) != "ran\n" {
			t.Errorf("killed after %s: the job wrote %q, error %v", after, count, err)
		}
	}
}

func TestAnInterruptedDeleteIsFinishedByTheNext(t *testing.T) {
	t.Parallel()
	for _, after := range moments() {
		w := newWorld(t)
		job := countedJob(w.dir)
		if err := w.Create(w.ctx, submission(job, map[string]string{"token": "open sesame"})); err != nil {
			t.Fatal(err)
		}
		w.interrupt("delete", after)
		if err := w.Delete(w.ctx, job.Framework); err != nil && !errors.Is(err, cluster.ErrNotFound) {
			t.Fatalf("killed after %s: %v", after, err)
		}
		for _, dir := range []string{"frameworks", "records", "attempts", "secrets/jobs"} {
			if remaining, _ := os.ReadDir(w.layout.Join(dir)); len(remaining) > 0 {
				t.Errorf("killed after %s: %s still exists in %s", after, remaining[0].Name(), dir)
			}
		}
	}
}

func TestAHalfDeletedJobIsCreatedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := countedJob(w.dir)
	s := submission(job, map[string]string{"token": "open sesame"})
	if err := w.Create(w.ctx, s); err != nil {
		t.Fatal(err)
	}
	w.finished(job)
	if err := w.markRemoved(w.layout.Object(job.Framework)); err != nil {
		t.Fatal(err)
	}
	snapshot, err := w.Read(w.ctx, "team", nil)
	if err != nil || len(snapshot.Jobs) != 1 || !snapshot.Jobs[0].Unstarted {
		t.Fatalf("read %+v, error %v", snapshot.Jobs, err)
	}
	if err := w.Create(w.ctx, s); err != nil {
		t.Fatal(err)
	}
	w.finished(job)
	if count, err := os.ReadFile(filepath.Join(w.dir, "count")); err != nil || string(count) != "ran\nran\n" {
		t.Errorf("count %q, error %v", count, err)
	}
}

func TestOneCommandAtATimeChangesJobs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	release, err := w.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	other, err := Open(w.dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = other.Lock(t.Context())
	if want := fmt.Sprintf("process %d", os.Getpid()); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v does not contain %s", err, want)
	}
	again, err := w.Lock(t.Context()) // the process holding the lock may acquire it again
	if err != nil {
		t.Fatal(err)
	}
	again()
	release()
	unlock, err := other.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	unlock()
}
