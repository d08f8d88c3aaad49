// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/message"
)

// A broken stream looks like the end of a log. The task is still running, so
// the follower must report an incomplete log.
func TestALogThatEndsBeforeItsTaskIsReportedAsIncomplete(t *testing.T) {
	t.Parallel()
	const running = `{"metadata": {"name": "f"}, "spec": {"executionType": "Start", "taskRoles": [{"name": "worker", "taskNumber": 1}]},
		"status": {"state": "AttemptRunning", "attemptStatus": {"taskRoleStatuses": [{"name": "worker", "taskStatuses": [
			{"index": 0, "state": "AttemptRunning", "attemptStatus": {"podName": "f-worker-0", "podUID": "u"}}]}]}}}`
	now := time.Now()
	c := answeredBy(t, Options{Workspace: "vision", Now: func() time.Time { now = now.Add(10 * time.Second); return now }},
		func(w http.ResponseWriter, r *http.Request) {
			switch {
			case strings.HasSuffix(r.URL.Path, "/log"):
				fmt.Fprintln(w, "2026-11-22T10:00:00.5Z epoch 1")
			case strings.HasSuffix(r.URL.Path, "/frameworks/f"):
				fmt.Fprint(w, running)
			default:
				w.WriteHeader(http.StatusNotFound)
			}
		})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out strings.Builder
	request := cluster.LogRequest{Framework: "f", Role: "worker", JobAttempt: -1, Attempt: -1, Follow: true, Note: func(note message.Text) {
		text := note.Phrase(phrase.Of)
		fmt.Fprintln(&out, "note:", text)
		if strings.Contains(text, "ended early") {
			cancel()
		}
	}}
	if err := c.Logs(ctx, request, &out); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	const want = `note: the log of the Pod f-worker-0
epoch 1
note: the log of the Pod f-worker-0 ended early, and the task is still running; run "openpai logs" to show the complete log
`
	if out.String() != want {
		t.Errorf("got\n%s", out.String())
	}
}
