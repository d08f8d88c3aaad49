// SPDX-License-Identifier: MPL-2.0

package render

import (
	"bytes"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func TestPrioritiesFollowHiveDPriorityAndSubmissionTime(t *testing.T) {
	t.Parallel()
	at := time.Unix(1609459200, 999)
	for priority, want := range map[int]int32{100: -452912736, 10: -1962862176, 0: -2130634336, -1: -2147411552, -5: -2147411552} {
		if got := Priority(&resolve.Hived{Priority: priority}, at); got != want {
			t.Errorf("priority %d gives %d, want %d", priority, got, want)
		}
	}
	if got := Priority(nil, at); got != -2130634336 {
		t.Errorf("without HiveD %d", got)
	}
	if Priority(nil, at) <= Priority(nil, at.Add(16*time.Second)) {
		t.Error("a later job is not lower")
	}
}

func TestAPriorityClassIsRenderedOnRequest(t *testing.T) {
	t.Parallel()
	on := &hclspec.PriorityClass{}
	tests := map[string]struct {
		settings    *hclspec.PriorityClass
		namespace   string
		pod         *hclspec.Pod
		class, pods string
	}{
		"off by default":                        {nil, "vision", nil, "", ""},
		"on":                                    {on, "vision", nil, "-priority-vision", "-priority-vision"},
		"in OpenPAI's namespace":                {on, "default", nil, "-priority", "-priority"},
		"the Pods name another class":           {on, "vision", &hclspec.Pod{PriorityClass: "high"}, "", "high"},
		"an existing class without a new class": {nil, "vision", &hclspec.Pod{PriorityClass: "high"}, "", "high"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			job, target := plainJob(), sampleTarget()
			target.PriorityClass, target.Namespace, target.Pod, target.Submitted = tt.settings, tt.namespace, tt.pod, time.Unix(1609459200, 0)
			m, diags := Objects(job, target)
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			full := func(s string) string {
				if s != "" && s[0] == '-' {
					return job.Framework + s
				}
				return s
			}
			if got := m.Framework.Spec.TaskRoles[0].Task.Pod.Spec.PriorityClassName; got != full(tt.pods) {
				t.Errorf("the Pods have the class %q, want %q", got, full(tt.pods))
			}
			if (m.PriorityClass == nil) != (tt.class == "") || m.PriorityClass != nil && (m.PriorityClass.Metadata.Name != full(tt.class) || m.PriorityClass.Metadata.Namespace != "" || m.PriorityClass.Metadata.OwnerReferences != nil) {
				t.Errorf("class %+v, want %q without a namespace and an owner", m.PriorityClass, full(tt.class))
			}
			if got := bytes.Contains(m.YAML(), []byte("kind: PriorityClass")); got != (tt.class != "") {
				t.Errorf("the export has a PriorityClass: %v", got)
			}
		})
	}
}
