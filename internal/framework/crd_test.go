// SPDX-License-Identifier: MPL-2.0

package framework

import (
	"testing"

	"go.yaml.in/yaml/v3"
)

func TestCRDContainsAllFields(t *testing.T) {
	t.Parallel()
	var doc map[string]any
	if err := yaml.Unmarshal(CRD(), &doc); err != nil {
		t.Fatal(err)
	}
	spec := doc["spec"].(map[string]any)
	if got, want := spec["group"].(string)+"/v1", APIVersion; got != want {
		t.Errorf("group and version %s, want %s", got, want)
	}
	if got := spec["names"].(map[string]any)["kind"]; got != Kind {
		t.Errorf("kind %v, want %s", got, Kind)
	}
	version := spec["versions"].([]any)[0].(map[string]any)
	schema := version["schema"].(map[string]any)["openAPIV3Schema"].(map[string]any)
	for _, path := range [][]string{
		{"metadata", "name"}, {"spec", "description"}, {"spec", "executionType"}, {"spec", "retryPolicy", "fancyRetryPolicy"}, {"spec", "retryPolicy", "maxRetryCount"},
		{"spec", "taskRoles", "[]", "name"}, {"spec", "taskRoles", "[]", "taskNumber"},
		{"spec", "taskRoles", "[]", "frameworkAttemptCompletionPolicy", "minFailedTaskCount"},
		{"spec", "taskRoles", "[]", "frameworkAttemptCompletionPolicy", "minSucceededTaskCount"},
		{"spec", "taskRoles", "[]", "task", "retryPolicy", "maxRetryCount"},
		{"spec", "taskRoles", "[]", "task", "podGracefulDeletionTimeoutSec"}, {"spec", "taskRoles", "[]", "task", "pod"}, {"status"},
	} {
		at := schema
		for _, step := range path {
			if step == "[]" {
				at, _ = at["items"].(map[string]any)
				continue
			}
			properties, _ := at["properties"].(map[string]any)
			at, _ = properties[step].(map[string]any)
		}
		if at == nil {
			t.Errorf("the schema does not contain %v; the API server would drop the field", path)
		}
	}
}
