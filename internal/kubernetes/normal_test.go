// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

func TestOnlyDifferencesInMeaningAreDrift(t *testing.T) {
	t.Parallel()
	const sent = `{"executionType":"Start","retryPolicy":{"fancyRetryPolicy":true,"maxRetryCount":0},"taskRoles":[{"name":"w","taskNumber":2,
		"task":{"pod":{"spec":{"automountServiceAccountToken":false,"containers":[{"name":"app","image":"a","resources":{"limits":{"memory":"2048Mi","cpu":"1"}}}]}}}}]}`
	tests := map[string]struct {
		live string
		want []string
	}{
		"the same": {sent, nil},
		"zero values, nulls, empty objects and another spelling of quantities": {`{"description":"","executionType":"Stop","retryPolicy":{"fancyRetryPolicy":true,"maxRetryCount":0},
			"taskRoles":[{"name":"w","taskNumber":2,"frameworkAttemptCompletionPolicy":{"minFailedTaskCount":0},"task":{"podGracefulDeletionTimeoutSec":null,"pod":{"metadata":{"creationTimestamp":null},
			"spec":{"automountServiceAccountToken":false,"initContainers":[],"containers":[{"name":"app","image":"a","resources":{"limits":{"memory":"2Gi","cpu":"1000m"}},"env":[]}]}}}}]}`, nil},
		"a number": {`{"retryPolicy":{"fancyRetryPolicy":true},"taskRoles":[{"name":"w","taskNumber":3,"task":{"pod":{"spec":{"automountServiceAccountToken":false,"containers":[{"name":"app","image":"a","resources":{"limits":{"memory":"2Gi","cpu":"1"}}}]}}}}]}`,
			[]string{`taskRoles["w"].taskNumber`}},
		"an absent false differs from false": {`{"retryPolicy":{"fancyRetryPolicy":true},"taskRoles":[{"name":"w","taskNumber":2,"task":{"pod":{"spec":{"containers":[{"name":"app","image":"a","resources":{"limits":{"memory":"2Gi","cpu":"1"}}}]}}}}]}`,
			[]string{`taskRoles["w"].task.pod.spec.automountServiceAccountToken`}},
		"another number of elements": {`{"retryPolicy":{"fancyRetryPolicy":true},"taskRoles":[{"name":"w","taskNumber":2,"task":{"pod":{"spec":{"automountServiceAccountToken":false,"containers":[{"name":"app","image":"a","resources":{"limits":{"memory":"2Gi","cpu":"1"}}},{"name":"b"}]}}}}]}`,
			[]string{`taskRoles["w"].task.pod.spec.containers`}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, d := range cluster.DriftOf("", "spec", normalSpec(json.RawMessage(sent)), normalSpec(json.RawMessage(tt.live))) {
				got = append(got, strings.TrimPrefix(d.Path, "spec."))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("differences (-want +got)\n%s", diff)
			}
		})
	}
}
