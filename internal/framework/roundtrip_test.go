// SPDX-License-Identifier: MPL-2.0

package framework

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// written is the JSON of a Framework after an update by the engine. It
// contains zero values, Kubernetes 1.16 types, a status and unknown fields.
const written = `{
 "apiVersion": "frameworkcontroller.microsoft.com/v1", "kind": "Framework",
 "metadata": {"name": "abc", "namespace": "default", "uid": "u-1", "resourceVersion": "7", "generation": 3, "creationTimestamp": "2026-03-01T12:00:00Z",
  "managedFields": [{"manager": "frameworkcontroller"}], "labels": {"userName": "alice"}},
 "spec": {"description": "", "executionType": "Start", "retryPolicy": {"fancyRetryPolicy": true, "maxRetryCount": 0},
  "taskRoles": [{"name": "worker", "taskNumber": 1, "frameworkAttemptCompletionPolicy": {"minFailedTaskCount": 1, "minSucceededTaskCount": 0},
   "task": {"retryPolicy": {"fancyRetryPolicy": false, "maxRetryCount": 0}, "podGracefulDeletionTimeoutSec": 600,
    "pod": {"metadata": {"creationTimestamp": null, "labels": {"type": "kube-launcher-task"}},
     "spec": {"automountServiceAccountToken": false, "restartPolicy": "Never",
      "containers": [{"name": "app", "image": "debian:12", "resources": {}}],
      "initContainers": [{"name": "init", "image": "r", "resources": {"limits": {"memory": "8Gi"}}}]}}}}]},
 "status": {"startTime": "2026-03-01T12:00:01Z", "runTime": null, "completionTime": null, "state": "AttemptPreparing", "transitionTime": "2026-03-01T12:00:01Z",
  "retryPolicyStatus": {"totalRetriedCount": 0, "accountableRetriedCount": 0, "retryDelaySec": null},
  "attemptStatus": {"id": 0, "startTime": "2026-03-01T12:00:01Z", "runTime": null, "completionTime": null, "instanceUID": "0_c-1", "configMapName": "abc-attempt",
   "configMapUID": "c-1", "completionStatus": null, "taskRoleStatuses": [{"name": "worker", "instanceUID": "w-1", "podGracefulDeletionTimeoutSec": 600,
    "taskStatuses": [{"index": 0, "instanceUID": "t-1", "startTime": "2026-03-01T12:00:01Z", "runTime": null, "completionTime": null, "state": "AttemptCreationPending",
     "transitionTime": "2026-03-01T12:00:01Z", "deletionPending": false, "retryPolicyStatus": {"totalRetriedCount": 0, "accountableRetriedCount": 0, "retryDelaySec": null},
     "attemptStatus": {"id": 0, "startTime": "2026-03-01T12:00:01Z", "runTime": null, "completionTime": null, "instanceUID": null, "podName": "abc-worker-0",
      "podUID": null, "podNodeName": null, "podIP": null, "podHostIP": null, "completionStatus": null}}]}]}}}`

func TestAFrameworkOfTheEngineSurvivesTheRoundTrip(t *testing.T) {
	t.Parallel()
	var f Framework
	if err := json.Unmarshal([]byte(written), &f); err != nil {
		t.Fatal(err)
	}
	if f.Metadata.UID != "u-1" || f.Status.State != StateAttemptPreparing || f.Status.AttemptStatus.TaskRoleStatuses[0].TaskStatuses[0].AttemptStatus.PodName != "abc-worker-0" {
		t.Errorf("read %+v", f)
	}
	text, err := json.Marshal(&f)
	if err != nil {
		t.Fatal(err)
	}
	var again Framework
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(f, again); diff != "" {
		t.Errorf("second reading (-first +second)\n%s", diff)
	}
}

// TestSpecSurvivesTheEngine checks that the engine's conversion of a spec
// does not change the Go value.
func TestSpecSurvivesTheEngine(t *testing.T) {
	t.Parallel()
	timeout := int64(600)
	off := false
	sent := Spec{ExecutionType: ExecutionStart, RetryPolicy: RetryPolicy{FancyRetryPolicy: true}, TaskRoles: []TaskRole{{
		Name: "worker", TaskNumber: 1, FrameworkAttemptCompletionPolicy: CompletionPolicy{MinFailedTaskCount: 1},
		Task: Task{PodGracefulDeletionTimeoutSec: &timeout, Pod: PodTemplate{
			Metadata: ObjectMeta{Labels: map[string]string{"type": "kube-launcher-task"}},
			Spec: PodSpec{RestartPolicy: "Never", AutomountServiceAccountToken: &off,
				InitContainers: []Container{{Name: "init", Image: "r", Resources: Resources{Limits: map[string]string{"memory": "8Gi"}}}},
				Containers:     []Container{{Name: "app", Image: "debian:12"}}},
		}},
	}}}
	var stored Framework
	if err := json.Unmarshal([]byte(written), &stored); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sent, stored.Spec); diff != "" {
		t.Errorf("spec (-sent +stored)\n%s", diff)
	}
}

func TestZeroValuesTheEngineExpectsAreWritten(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(Framework{Spec: Spec{ExecutionType: ExecutionCreate, TaskRoles: []TaskRole{{Name: "a"}}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"executionType":"Create"`, `"retryPolicy":{"fancyRetryPolicy":false,"maxRetryCount":0}`, `"minFailedTaskCount":0`, `"taskNumber":0`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
}

func TestNamesAreThoseOfFrameworkController(t *testing.T) {
	t.Parallel()
	if got := PodName("abc", "worker", 3); got != "abc-worker-3" {
		t.Errorf("Pod %s", got)
	}
	if got := ConfigMapName("abc"); got != "abc-attempt" {
		t.Errorf("ConfigMap %s", got)
	}
	if got := InstanceUID(2, "u"); got != "2_u" {
		t.Errorf("instance %s", got)
	}
}
