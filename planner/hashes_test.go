// SPDX-License-Identifier: MPL-2.0

package planner_test

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// wholeJob returns a job in which every part has a value.
func wholeJob() *resolve.Job {
	yes, user := true, 1000
	return newJob("whole", func(j *resolve.Job) {
		j.Description, j.Contributor, j.Version, j.Deployment = "Trains.", "alice", "1.0", "prod"
		j.JobRetryCount, j.Rescale, j.PreventDestroy = 2, "in_place", true
		j.Hived = &resolve.Hived{
			JobPriorityClass: "prod", Priority: 100, LazyPreemptionEnable: &yes,
			TaskRoles: []*resolve.HivedTaskRole{{Name: "worker", SKUType: "K80", LeafCellNumber: 1, AffinityGroupName: "g", AffinityGroup: "alice~whole/g"}},
		}
		j.Notification = map[string]bool{"failed": true, "running": false}
		j.Pod = &hclspec.Pod{Tolerations: []any{map[string]any{"key": "gpu", "operator": "Exists"}}, NodeSelector: map[string]string{"zone": "a"}, RunAsUser: &user}
		j.SSHPublicKeys = []string{"ssh-ed25519 AAAA alice"}
		j.Extras = map[string]any{"tags": []any{"one", hclspec.Number("2.50"), nil, true}, "empty": map[string]any{}}
		j.Parameters = map[string]any{"rate": hclspec.Number("1e-3"), "nested": map[string]any{"a b": "<&>"}}
		withSecret("token", "")(j)
		role := j.TaskRoles[0]
		role.TaskRetryCount, role.GPU, role.ShmMB, role.Infiniband, role.MaxRunSeconds = 1, 1, 1024, true, 5400
		role.Image = resolve.Image{Address: "prerequisite.dockerimage.torch", URI: "torch:1", Username: "u", Password: "<% $secrets.token %>", RegistryURI: "example.org"}
		role.Ports = []resolve.Port{{Label: "http", Count: 1}, {Label: "ssh", Count: 1}}
		role.Environment = map[string]string{"EMPTY": "", "MODE": "fast"}
		role.Mounts = []*resolve.Mount{{
			Storage: "nfs", Path: "/mnt/nfs", ReadOnly: true, SubPath: "alice", By: []string{"job.whole"},
			Declared: &hclspec.Storage{Name: "nfs", NFS: &hclspec.NFSVolume{Server: "nfs.example.org", Path: "/export"}, Size: "1Ti"},
		}}
		role.Steps = []*resolve.Step{
			{
				Address: "prerequisite.script.tool", Name: "tool", Type: "script", Plugin: "cmd", FailurePolicy: "fail", RequiredBy: []string{"prerequisite.data.mnist"},
				Retry:     &resolve.Retry{Attempts: 3, BackoffSeconds: 90},
				Callbacks: []*resolve.Callback{{Event: "taskStarts", Commands: []string{"true"}, FailurePolicy: "fail", TimeoutSeconds: 60}},
			},
			{
				Address: "prerequisite.data.mnist", Name: "mnist", Type: "data", Plugin: "cmd", FailurePolicy: "ignore", Source: "marketplace://team/mnist",
				Fetch: []*resolve.Fetch{{URL: "https://example.org/a", To: "/data", SHA256: "00", Extract: true, Retries: 3}},
				With:  map[string]string{"path": "/data"}, URI: []string{"https://example.org/a"}, Environment: map[string]string{"DATA": "/data"},
				Parameters: map[string]any{"list": []any{map[string]any{"x": hclspec.Number("1")}}},
			},
		}
		j.TaskRoles = append(j.TaskRoles, &resolve.TaskRole{Name: "reduce", Instances: 1, Image: resolve.Image{URI: "busybox"}, Commands: []string{"date"}})
	})
}

// TestHashesNeverChange compares the hashes with the hashes from the first
// release. If they differed, the next apply would replace all running jobs. If
// this test fails, do not update the file; fix the hashes.
func TestHashesNeverChange(t *testing.T) {
	t.Parallel()
	const file = "testdata/hashes.json"
	type record struct {
		Hash   string            `json:"hash"`
		Fields map[string]string `json:"fields"`
	}
	var got, want record
	got.Hash, got.Fields = planner.Hashes(wholeJob())
	if *update {
		text, err := json.MarshalIndent(got, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("hashes (-want +got):\n%s", diff)
	}
}

func TestHashesAreTheSameEveryTime(t *testing.T) {
	t.Parallel()
	hash, fields := planner.Hashes(wholeJob())
	for range 100 {
		again, fieldsAgain := planner.Hashes(wholeJob())
		if again != hash || !cmp.Equal(fields, fieldsAgain) {
			t.Fatalf("hash %s, then %s", hash, again)
		}
	}
}

func TestOnlyContentChangesTheHash(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		change  jobOption
		changes bool
	}{
		"a command is content":                            {withCommands("ls"), true},
		"the order of task roles is content":              {func(j *resolve.Job) { j.TaskRoles[0], j.TaskRoles[1] = j.TaskRoles[1], j.TaskRoles[0] }, true},
		"the start order is content":                      {withRole(func(r *resolve.TaskRole) { r.Steps[0], r.Steps[1] = r.Steps[1], r.Steps[0] }), true},
		"the number of tasks is content":                  {withInstances(9), true},
		"an empty variable is content":                    {withRole(func(r *resolve.TaskRole) { delete(r.Environment, "EMPTY") }), true},
		"the spelling of a number is content":             {func(j *resolve.Job) { j.Parameters["rate"] = hclspec.Number("0.001") }, true},
		"the definition of a storage is content":          {withRole(func(r *resolve.TaskRole) { r.Mounts[0].Declared.NFS.Server = "other" }), true},
		"a description is not content":                    {func(j *resolve.Job) { j.Description = "other" }, false},
		"the origin of a step is not content":             {withRole(func(r *resolve.TaskRole) { r.Steps[0].RequiredBy = nil }), false},
		"the origin of a storage is not content":          {withRole(func(r *resolve.TaskRole) { r.Mounts[0].By = nil }), false},
		"the source of an item is not content":            {withRole(func(r *resolve.TaskRole) { r.Steps[1].Source = "" }), false},
		"the name of an image declaration is not content": {withRole(func(r *resolve.TaskRole) { r.Image.Address = "" }), false},
		"the size of a storage is not content":            {withRole(func(r *resolve.TaskRole) { r.Mounts[0].Declared.Size = "2Ti" }), false},
		"prevent_destroy is not content":                  {func(j *resolve.Job) { j.PreventDestroy = false }, false},
		"the address is not content":                      {func(j *resolve.Job) { j.Address = "job.other" }, false},
	}
	before, _ := planner.Hashes(wholeJob())
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			job := wholeJob()
			tt.change(job)
			if after, _ := planner.Hashes(job); (after != before) != tt.changes {
				t.Errorf("content hash changed: %v, want %v", after != before, tt.changes)
			}
		})
	}
}

// TestZeroFieldsHaveNoHash ensures that jobs keep their hashes when a later
// version adds an unused field.
func TestZeroFieldsHaveNoHash(t *testing.T) {
	t.Parallel()
	_, fields := planner.Hashes(&resolve.Job{TaskRoles: []*resolve.TaskRole{{Name: "worker"}}})
	if diff := cmp.Diff(map[string]string{}, fields); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
}

// TestADecodedJobKeepsItsHashes checks that a job keeps its hashes after JSON encoding
// and decoding. The job of the test does not use fields that the JSON omits.
func TestADecodedJobKeepsItsHashes(t *testing.T) {
	t.Parallel()
	job := wholeJob()
	job.TaskRoles[0].Mounts[0].Declared = nil
	text, err := json.Marshal(job)
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := planner.DecodeApplied(text)
	if err != nil {
		t.Fatal(err)
	}
	_, want := planner.Hashes(job)
	_, got := planner.Hashes(decoded)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("hashes (-want +got):\n%s", diff)
	}
	if _, ok := decoded.Parameters["rate"].(hclspec.Number); !ok {
		t.Errorf("rate is a %T", decoded.Parameters["rate"])
	}
	if _, err := planner.DecodeApplied([]byte("{")); err == nil {
		t.Error("DecodeApplied accepts truncated JSON")
	}
}
