// SPDX-License-Identifier: MPL-2.0

package render

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func TestLargeJobsAreSplit(t *testing.T) {
	t.Parallel()
	job := sampleJob()
	job.TaskRoles = nil
	for _, name := range []string{"a", "b", "c"} {
		role := serveRole()
		role.Name, role.FrameworkName = name, name
		role.Commands = []string{strings.Repeat(name, 300_000)}
		job.TaskRoles = append(job.TaskRoles, role)
	}
	m, diags := Objects(job, sampleTarget())
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	got := map[string][]string{}
	for _, c := range m.ConfigMaps {
		size := 0
		for key, value := range c.Data {
			size += len(key) + len(value)
		}
		if size > 1<<20 {
			t.Errorf("%s holds %d bytes", c.Metadata.Name, size)
		}
		got[strings.TrimPrefix(c.Metadata.Name, job.Framework)] = slices.Sorted(maps.Keys(c.Data))
	}
	want := map[string][]string{"-run": {ResolvedJobKey}, "-run-2": {"a.json", "b.json", "c.json"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ConfigMaps (-want +got)\n%s", diff)
	}
	for _, role := range m.Framework.Spec.TaskRoles {
		if name := role.Task.Pod.Spec.Volumes[2].ConfigMap.Name; name != job.Framework+"-run-2" {
			t.Errorf("role %s reads ConfigMap %s", role.Name, name)
		}
	}
}

func TestRunSpecInTheConfigMapReadsBack(t *testing.T) {
	t.Parallel()
	job := sampleJob()
	m, _ := Objects(job, sampleTarget())
	for _, role := range job.TaskRoles {
		var got runspec.Spec
		if err := json.Unmarshal([]byte(m.ConfigMaps[0].Data[role.FrameworkName+".json"]), &got); err != nil {
			t.Fatal(err)
		}
		want := RunSpec(job, role)
		if canonical(want) != canonical(got) {
			t.Errorf("role %s\n%s\nwant\n%s", role.Name, canonical(got), canonical(want))
		}
	}
}

func TestRunSpecKeepsEverythingOfAStep(t *testing.T) {
	t.Parallel()
	job := sampleJob()
	got := RunSpec(job, job.TaskRoles[0])
	want := runspec.Step{
		Address: "prerequisite.data.mnist", Name: "mnist", Type: "data", Plugin: "cmd", FailurePolicy: "fail",
		Retry:       &runspec.Retry{Attempts: 3, BackoffSeconds: 5},
		Callbacks:   []runspec.Callback{{Event: "taskStarts", Commands: []string{"mkdir -p /data"}, FailurePolicy: "fail", TimeoutSeconds: 60}},
		Fetch:       []runspec.Fetch{{URL: "https://example.org/mnist.zip", SHA256: "ab", To: "/data", Extract: true, Retries: 2, Auth: "Bearer <% $secrets.token %>"}},
		Environment: map[string]string{"DATA": "/data"},
		Parameters:  job.TaskRoles[0].Steps[0].Parameters,
	}
	if diff := cmp.Diff([]runspec.Step{want}, got.Steps); diff != "" {
		t.Errorf("steps (-want +got)\n%s", diff)
	}
	if got.Job != "alice~mnist" || got.Role != "train1" || !got.Mounts[0].ReadOnly || got.Mounts[1].ReadOnly || got.MaxRunSeconds != 3600 {
		t.Errorf("specification %+v", got)
	}
}

// TestCanonicalJobIsInTheManifest includes a task role with the name "job".
func TestCanonicalJobIsInTheManifest(t *testing.T) {
	t.Parallel()
	named := sampleJob()
	named.TaskRoles[0].Name, named.TaskRoles[0].FrameworkName = "job", "job"
	m, _ := Objects(named, sampleTarget())
	var job resolve.Job
	if err := json.Unmarshal([]byte(m.ConfigMaps[0].Data[ResolvedJobKey]), &job); err != nil {
		t.Fatal(err)
	}
	if job.Name != "mnist" || len(job.TaskRoles) != 2 {
		t.Errorf("read %+v", job)
	}
	var spec runspec.Spec
	if err := json.Unmarshal([]byte(m.ConfigMaps[0].Data["job.json"]), &spec); err != nil || spec.Role != "job" {
		t.Errorf("the role called job runs %+v, error %v", spec, err)
	}
}
