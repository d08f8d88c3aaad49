// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"encoding/json"
	"testing"
)

func TestTheReasonWhyAPodWaitsIsRecognized(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ pod, want string }{
		"no node fits": {`{"status":{"conditions":[{"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"0/3 nodes are available: 3 Insufficient nvidia.com/gpu."}]}}`,
			"not scheduled: 0/3 nodes are available: 3 Insufficient nvidia.com/gpu."},
		"HiveD waits": {`{"status":{"conditions":[{"type":"PodScheduled","status":"False","message":"Pod is waiting for preemptible or free resource to appear: insufficient capacity when scheduling in VC vc1"}]}}`,
			"not scheduled: Pod is waiting for preemptible or free resource to appear: insufficient capacity when scheduling in VC vc1"},
		"an image cannot be pulled": {`{"status":{"initContainerStatuses":[{"name":"init","state":{"terminated":{"exitCode":0}}}],"containerStatuses":[{"name":"app","state":{"waiting":{"reason":"ImagePullBackOff","message":"Back-off pulling image"}}}]}}`,
			"the image of the container app cannot be pulled (ImagePullBackOff): Back-off pulling image"},
		"the barrier":                 {`{"status":{"initContainerStatuses":[{"name":"init","state":{"running":{}}}],"containerStatuses":[{"name":"app","state":{"waiting":{"reason":"PodInitializing"}}}]}}`, "preparing, or waiting for the other tasks"},
		"a missing volume":            {`{"status":{"initContainerStatuses":[{"name":"init","state":{"waiting":{"reason":"ContainerCreating"}}}]}}`, "the containers are being created"},
		"nothing is known":            {`{"status":{"phase":"Pending"}}`, ""},
		"the node reports the reason": {`{"status":{"reason":"OutOfcpu","message":"Node did not have enough resource"}}`, "Node did not have enough resource"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var p pod
			if err := json.Unmarshal([]byte(tt.pod), &p); err != nil {
				t.Fatal(err)
			}
			if got := p.waiting(); got != tt.want {
				t.Errorf("waiting %q, want %q", got, tt.want)
			}
		})
	}
}

func TestTheStageOfAPendingPodIsRecognized(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ pod, stage, reason string }{
		"no node fits": {`{"status":{"conditions":[{"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"0/3 nodes are available: 3 Insufficient cpu."}]}}`,
			"scheduling", "not scheduled: 0/3 nodes are available: 3 Insufficient cpu."},
		"an image cannot be pulled": {`{"status":{"conditions":[{"type":"PodScheduled","status":"True"}],"containerStatuses":[{"name":"app","state":{"waiting":{"reason":"ImagePullBackOff","message":"Back-off pulling image"}}}]}}`,
			"preparing", "the image of the container app cannot be pulled (ImagePullBackOff): Back-off pulling image"},
		"the init container runs": {`{"status":{"conditions":[{"type":"PodScheduled","status":"True"}],"initContainerStatuses":[{"name":"init","state":{"running":{}}}]}}`, "preparing", ""},
		"nothing is known":        {`{"status":{"phase":"Pending"}}`, "scheduling", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var p pod
			if err := json.Unmarshal([]byte(tt.pod), &p); err != nil {
				t.Fatal(err)
			}
			if got := p.stage(); string(got.Stage) != tt.stage || got.Reason != tt.reason {
				t.Errorf("%+v", got)
			}
		})
	}
}
