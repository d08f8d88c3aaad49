// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/engine"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func TestStatusAndLogsFollowTheTasks(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	j := sampleJob("vision", "mnist")
	mustApply(t, c, planner.Options{Jobs: []*resolve.Job{j}})
	st := statusOf(t, c, j)
	if st.State != planner.StateWaiting || len(st.TaskRoles) != 2 || st.TaskRoles[1].Name != "PS_1" || len(st.TaskRoles[0].Tasks) != 2 {
		t.Fatalf("status before the engine processed the job: %+v", st)
	}

	e := &engine.Engine{Client: server.Dynamic(), Namespace: c.namespace}
	if err := e.Prepare(t.Context(), j.Framework); err != nil {
		t.Fatal(err)
	}
	notSchedule(t, c.namespace, framework.PodName(j.Framework, "worker", 1))
	if got := statusOf(t, c, j).TaskRoles[0].Tasks[1].Attempts[0].Waiting; got != "not scheduled: no node has a GPU" {
		t.Errorf("waiting %q", got)
	}
	if _, err := logOf(t, c, j, "worker", 0); !errors.Is(err, cluster.ErrNotFound) || err.Error() != "task worker[0] has no log: its Pod is not running yet" {
		t.Errorf("the log of a Pod that is not running: %v", err)
	}

	if err := e.Run(t.Context(), j.Framework); err != nil {
		t.Fatal(err)
	}
	if st := statusOf(t, c, j); st.State != planner.StateRunning || st.TaskRoles[0].Tasks[0].State != "RUNNING" {
		t.Errorf("running: %+v", st)
	}
	if err := e.Complete(t.Context(), j.Framework, failedWith(7)); err != nil {
		t.Fatal(err)
	}
	checkFailed(t, c, j)
}

// notSchedule marks a Pod as unschedulable.
func notSchedule(t *testing.T, namespace, pod string) {
	t.Helper()
	text := `{"status":{"conditions":[{"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"no node has a GPU"}]}}`
	_, err := server.Dynamic().Resource(schema.GroupVersionResource{Version: "v1", Resource: "pods"}).Namespace(namespace).Patch(t.Context(), pod, types.MergePatchType, []byte(text), metav1.PatchOptions{}, "status")
	if err != nil {
		t.Fatal(err)
	}
}

func statusOf(t *testing.T, c *Cluster, j *resolve.Job) *cluster.Status {
	t.Helper()
	st, err := c.Status(t.Context(), j.Framework)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// failedWith fails the first worker with a runtime message that contains the
// exit code. All other tasks end because the attempt ends.
func failedWith(code int) func(string, int32) *framework.CompletionStatus {
	message := exitspec.Message(exitspec.Record{Code: 255, UserCode: code, Reason: "the user's commands exited with code 7", Stage: "commands"}, exitspec.Match{}, []byte("line one\nline two\n"), nil)
	return func(role string, index int32) *framework.CompletionStatus {
		if role != "worker" || index != 0 {
			return framework.FromCode(framework.CodeAttemptCompletion, framework.AttemptCompletionDiagnostics)
		}
		return &framework.CompletionStatus{
			Code: 255, Phrase: "ContainerUnrecognizedFailed", Type: framework.CompletionType{Name: framework.Failed, Attributes: []framework.Attribute{}},
			Pod: &framework.PodCompletionStatus{Containers: []framework.ContainerCompletionStatus{{Name: "app", Reason: "Error", Code: 255, Message: string(message)}}},
		}
	}
}

func checkFailed(t *testing.T, c *Cluster, j *resolve.Job) {
	t.Helper()
	st := statusOf(t, c, j)
	if st.State != planner.StateFailed || st.UserCode == nil || *st.UserCode != 7 || !strings.Contains(st.Reason, "task worker[0]: the user's commands exited with code 7") {
		t.Errorf("failed: %+v", st)
	}
	log, err := logOf(t, c, j, "worker", 0)
	if err != nil || !strings.HasPrefix(log, "line one\nline two\n") || !strings.Contains(log, "note: the Pod no longer exists; these are the last lines") {
		t.Errorf("log %q %v", log, err)
	}
	if _, err := logOf(t, c, j, "worker", 5); !errors.Is(err, cluster.ErrNotFound) || err.Error() != "task worker[5] does not exist: the role has 2 tasks" {
		t.Errorf("the log of a task that does not exist: %v", err)
	}
	change := planOf(t, c, planner.Options{Jobs: []*resolve.Job{j}}).Changes[0]
	if change.Action != planner.NoOp || change.Reason.Code != planner.ReasonFinished || *change.Reason.Live.ExitCode != 7 {
		t.Errorf("plan of a failed job: %s %+v", change.Action, change.Reason)
	}
}

// logOf returns a log and its notes.
func logOf(t *testing.T, c *Cluster, j *resolve.Job, role string, index int) (string, error) {
	t.Helper()
	return logWith(t, c, cluster.LogRequest{Framework: j.Framework, Role: role, Index: index, JobAttempt: -1, Attempt: -1})
}

func logWith(t *testing.T, c *Cluster, r cluster.LogRequest) (string, error) {
	t.Helper()
	var out bytes.Buffer
	r.Note = func(text message.Text) { out.WriteString("note: " + text.Phrase(phrase.Of) + "\n") }
	err := c.Logs(t.Context(), r, &out)
	log := out.String()
	if before, after, ok := strings.Cut(log, "\n"); ok && strings.HasPrefix(before, "note: ") {
		log = after + before + "\n"
	}
	return log, err
}

func TestOnlyEventsOfTheJobAreReturned(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	mine, other := plainJob("vision", "mine"), plainJob("vision", "other")
	for i, j := range []*resolve.Job{mine, other} {
		name := framework.PodName(j.Framework, "worker", 0)
		_, err := server.Dynamic().Resource(schema.GroupVersionResource{Version: "v1", Resource: "events"}).Namespace(c.declared.Namespace).Create(t.Context(), &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "Event", "metadata": map[string]any{"name": fmt.Sprint("event", i)}, "type": "Warning", "reason": "FailedScheduling", "message": "no node of " + j.Name,
			"involvedObject": map[string]any{"kind": "Pod", "name": name, "namespace": c.declared.Namespace}, "lastTimestamp": "2026-03-01T12:00:00Z",
		}}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
	}
	found, err := c.Events(t.Context(), mine.Framework)
	if err != nil || len(found) != 1 || found[0].Message != "no node of mine" || found[0].Last.Year() != 2026 {
		t.Errorf("events %+v %v", found, err)
	}
}
