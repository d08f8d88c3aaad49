// SPDX-License-Identifier: MPL-2.0

package operation_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// attempts is a cluster with a finished job of n attempts. The earlier the
// attempt, the longer its log takes to read.
type attempts struct {
	cluster.Cluster
	n int
}

func (c attempts) Status(context.Context, string) (*cluster.Status, error) {
	at := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	task := cluster.Task{}
	for i := range c.n {
		task.Attempts = append(task.Attempts, cluster.TaskAttempt{JobAttempt: i, Started: &at, Finished: &at})
	}
	return &cluster.Status{State: planner.StateFailed, TaskRoles: []cluster.TaskRole{{Name: "worker", Tasks: []cluster.Task{task}}}}, nil
}

func (c attempts) Logs(_ context.Context, r cluster.LogRequest, w io.Writer) error {
	time.Sleep(time.Duration(c.n-r.JobAttempt) * 20 * time.Millisecond)
	_, err := fmt.Fprintf(w, "attempt %d\n", r.JobAttempt)
	return err
}

// logBuffer is a reporter that collects all logs.
type logBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *logBuffer) Open(operation.Job, cluster.AttemptID, string) io.WriteCloser { return b }
func (b *logBuffer) Source(operation.Job, cluster.AttemptID, message.Text)        {}
func (b *logBuffer) Gap(operation.Job, cluster.AttemptID, message.Text)           {}
func (b *logBuffer) Changed(operation.Job, *cluster.Status)                       {}
func (b *logBuffer) Problem(operation.Job, *cluster.Status)                       {}
func (b *logBuffer) Close() error                                                 { return nil }

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

// TestLogsOfAFinishedJobFollowEachOther checks that Follow writes logs in
// attempt order. The logs of later attempts arrive faster.
func TestLogsOfAFinishedJobFollowEachOther(t *testing.T) {
	t.Parallel()
	var all logBuffer
	job := operation.Job{Address: "job.train", Framework: "train", Cluster: attempts{n: 4}}
	if _, logErr, err := operation.Follow(t.Context(), job, operation.AllLogs(cluster.StreamAll), &all); logErr != nil || err != nil {
		t.Fatal(logErr, err)
	}
	if want := "attempt 0\nattempt 1\nattempt 2\nattempt 3\n"; all.String() != want {
		t.Errorf("logs\n%swant\n%s", all.String(), want)
	}
}
