// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"fmt"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/metrics"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// hung is a cluster whose node sends the metrics of a running task but never the log.
type hung struct {
	cluster.RunStore
	logsOf
	saved []*history.Run
}

func (*hung) ForgetsJobs() bool { return true }

func (*hung) RunSizes(context.Context, string) ([]history.Size, error) {
	var all []history.Size
	for n := range 1000 {
		all = append(all, sizeOf("job.a", fmt.Sprint(n), 1))
	}
	return all, nil
}

func (*hung) Run(_ context.Context, _ string, k history.Key) (*history.Run, error) {
	return &history.Run{Address: "job.a", Number: 1, Framework: k.Framework}, nil
}

func (*hung) Status(_ context.Context, framework string) (*cluster.Status, error) {
	st := oneTask(nil)
	st.Framework, st.State = framework, planner.StateRunning
	return st, nil
}

func (*hung) AddStages(_ context.Context, statuses ...*cluster.Status) {
	for _, st := range statuses {
		st.TaskRoles[0].Tasks[0].Latest().Stage = &stage.Record{Stage: stage.Commands, Metrics: metrics.Values{"loss": 0.5}}
	}
}

func (*hung) Logs(ctx context.Context, _ cluster.LogRequest, _ io.Writer) error {
	<-ctx.Done()
	return ctx.Err()
}

func (h *hung) SaveRun(_ context.Context, r *history.Run) error {
	h.saved = append(h.saved, r)
	return nil
}

// TestADeletionDoesNotWaitForLogs checks that 1000 deletions take at most
// twice firstLogTime in total if log reads never return.
func TestADeletionDoesNotWaitForLogs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := &hung{}
		o := New(Options{Workspace: &hclspec.Workspace{Name: "ws"}})
		began := time.Now()
		for n := range 1000 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			if err := o.conclude(ctx, h, "ws", &planner.LiveJob{Framework: fmt.Sprint(n), Run: 1}); err != nil {
				t.Fatalf("job %d: %v", n, err)
			}
			cancel()
		}
		if took := time.Since(began); took > 2*firstLogTime {
			t.Errorf("1000 jobs took %s, want at most %s", took, 2*firstLogTime)
		}
		for _, r := range h.saved {
			if r.Metrics["loss"] != 0.5 || !r.Outcome.Deleted {
				t.Fatalf("the record has the metrics %v and the outcome %+v", r.Metrics, r.Outcome)
			}
		}
		if len(h.saved) != 1000 {
			t.Errorf("%d records, want 1000", len(h.saved))
		}
	})
}
