// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/metrics"
)

// AddStages reads only the last lines of a log. Only the complete log, which
// is copied for the record of the run, contains the metrics before these
// lines.
func TestACopiedLogShowsTheMetrics(t *testing.T) {
	t.Parallel()
	const running = `{"metadata": {"name": "f"}, "spec": {"executionType": "Start", "taskRoles": [{"name": "worker", "taskNumber": 1}]},
		"status": {"state": "AttemptRunning", "attemptStatus": {"taskRoleStatuses": [{"name": "worker", "taskStatuses": [
			{"index": 0, "state": "AttemptRunning", "attemptStatus": {"podName": "job-worker-0", "podUID": "u"}}]}]}}}`
	var lines []string
	for _, loss := range []float64{2, 0.5} {
		lines = append(lines, contract.RuntimeLine(time.Now(), contract.LevelInfo, metrics.Values{"loss": loss}.Text())+"\n")
	}
	for n := range 10 * stageLines {
		lines = append(lines, fmt.Sprintf("step %d\n", n))
	}
	broken := false
	c := answeredBy(t, Options{Workspace: "vision"}, func(w http.ResponseWriter, r *http.Request) {
		switch q := r.URL.Query(); {
		case strings.HasSuffix(r.URL.Path, "/frameworks/f"):
			fmt.Fprint(w, running)
		case !strings.HasSuffix(r.URL.Path, "/log"):
			w.WriteHeader(http.StatusNotFound)
		case q.Get("tailLines") != "":
			_, _ = io.WriteString(w, strings.Join(lines[len(lines)-stageLines:], ""))
		case broken:
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, "2026-11-22T10:00:00.5Z "+lines[0])
		default:
			for _, line := range lines {
				fmt.Fprint(w, "2026-11-22T10:00:00.5Z "+line)
			}
		}
	})
	copied := func() (*cluster.TaskAttempt, error) {
		err := c.Logs(t.Context(), cluster.LogRequest{Framework: "f", Role: "worker", JobAttempt: -1, Attempt: -1, Stream: cluster.StreamAll, TailLines: 3}, io.Discard)
		st := runningJob(1)
		cluster.AddStages(t.Context(), c, st)
		return st.TaskRoles[0].Tasks[0].Latest(), err
	}
	a, err := copied()
	if err != nil || a.Stage == nil || a.Stage.Metrics["loss"] != 0.5 {
		t.Errorf("stage %+v, %v", a.Stage, err)
	}
	broken = true // older lines only
	if a, err = copied(); err == nil || a.Stage == nil || a.Stage.Metrics["loss"] != 0.5 {
		t.Errorf("after a log that was cut off: stage %+v, %v", a.Stage, err)
	}
}
