// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"io"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// firstJobRuns is a cluster whose first job runs until another job is reported.
type firstJobRuns struct {
	manyJobs
	reported chan struct{} // closed when the other job is reported
}

func (c *firstJobRuns) Status(_ context.Context, framework string) (*cluster.Status, error) {
	st := workers(&stage.Record{Stage: stage.Commands})
	st.Framework, st.State = framework, planner.StateSucceeded
	if framework == "sweep-1" {
		select {
		case <-c.reported:
		default:
			st.State = planner.StateRunning
		}
	}
	return st, nil
}

func TestWaitReportsJobsAsTheyFinish(t *testing.T) {
	t.Parallel()
	c := &firstJobRuns{reported: make(chan struct{})}
	out, written := io.Pipe()
	o := waitOptions{jobFlags: jobFlags{streams: streamsOn(written, io.Discard, false, false, false)}, until: "completed"}
	done := make(chan error, 1)
	jobs := c.jobs(2)
	for i := range jobs {
		jobs[i].Cluster = c
	}
	go func() {
		done <- o.waitFor(t.Context(), jobs, nil, cluster.Finished)
		_ = written.Close()
	}()
	line := make([]byte, len("job.sweep-2: SUCCEEDED\n"))
	if _, err := io.ReadFull(out, line); err != nil || string(line) != "job.sweep-2: SUCCEEDED\n" {
		t.Fatalf("printed %q, error %v", line, err)
	}
	close(c.reported)
	rest, err := io.ReadAll(out)
	if want := "job.sweep-1: SUCCEEDED\n\n2 succeeded\n"; err != nil || string(rest) != want {
		t.Errorf("printed %q, want %q; error %v", rest, want, err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}
