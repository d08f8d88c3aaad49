// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sound returns a job for which [Validate] reports no diagnostics.
func sound() *Job {
	return &Job{
		Label: "j", Name: "j", Path: "job.j", Syntax: SyntaxHCL, JobSettings: JobSettings{GangAllocation: true},
		TaskRoles: []*TaskRole{{
			Name: "w", Path: Path("job.j").Attr("task_role").Key("w"), Instances: 2,
			Image: Reference{Target: "busybox:1.36"}, Resources: Resources{Limits: Limits{CPU: 1, MemoryMB: 1}},
			Commands: []string{"echo"},
		}},
	}
}

func TestValidateFindsWhatCannotBeMeant(t *testing.T) {
	t.Parallel()
	three := 3
	tests := map[string]struct {
		change func(ws *Workspace, job *Job, role *TaskRole)
		want   []string // diagnostics, each as its code, a space and a part of its detail
	}{
		"a valid job": {func(*Workspace, *Job, *TaskRole) {}, nil},
		"an image that is not a reference": {func(_ *Workspace, _ *Job, r *TaskRole) { r.Image.Target = "busy box" },
			[]string{`invalid-image "busy box"`}},
		"an upper-case image": {func(_ *Workspace, _ *Job, r *TaskRole) { r.Image.Target = "Busybox" },
			[]string{`uppercase-image write "busybox".`}},
		"the advice keeps the tag of an upper-case image": {func(_ *Workspace, _ *Job, r *TaskRole) { r.Image.Target = "Host:5000/A/B:V1" },
			[]string{`uppercase-image write "host:5000/a/b:V1".`}},
		"an upper-case image of the workspace": {func(ws *Workspace, _ *Job, _ *TaskRole) {
			ws.Prerequisites = []*Prerequisite{{Type: "dockerimage", Name: "i", URI: []string{"A/B@sha256:" + strings.Repeat("ab", 32)}}}
		}, []string{`uppercase-image write "a/b@sha256:abab`}},
		"an upper-case image of a job written for OpenPAI": {func(_ *Workspace, j *Job, r *TaskRole) {
			j.Syntax = SyntaxProtocol
			j.Prerequisites = []*Prerequisite{{Type: "dockerimage", Name: "i", URI: []string{"A/B"}}}
			r.Image.Target = "i"
		}, []string{`uppercase-image-imported write "a/b".`}},
		"an upper-case tag and a digest are valid": {func(_ *Workspace, _ *Job, r *TaskRole) {
			r.Image.Target = "host:5000/a/b:V1@sha256:" + strings.Repeat("ab", 32)
		}, nil},
		"an image with a template": {func(_ *Workspace, _ *Job, r *TaskRole) { r.Image.Target = "busybox:<% $parameters.tag %>" }, nil},
		"an address that is declared": {func(ws *Workspace, _ *Job, r *TaskRole) {
			ws.Prerequisites = []*Prerequisite{{Type: "data", Name: "3d"}}
			r.Prerequisites = []Reference{{Target: `prerequisite.data["3d"]`}, {Target: `prerequisite["data"]["3d"]`}}
		}, nil},
		"an address that is not declared": {func(ws *Workspace, _ *Job, r *TaskRole) {
			ws.Prerequisites = []*Prerequisite{{Type: "data", Name: "mnist"}}
			r.Prerequisites = []Reference{{Target: "prerequisite.data.mnst"}}
		}, []string{`unknown-prerequisite Did you mean "prerequisite.data.mnist"?`}},
		"an undeclared address as the image": {func(_ *Workspace, _ *Job, r *TaskRole) { r.Image.Target = "prerequisite.dockerimage.torch" },
			[]string{`unknown-prerequisite refers to "prerequisite.dockerimage.torch" in image`}},
		"data as the image": {func(ws *Workspace, _ *Job, r *TaskRole) {
			ws.Prerequisites = []*Prerequisite{{Type: "data", Name: "mnist"}}
			r.Image.Target = "prerequisite.data.mnist"
		}, []string{"wrong-prerequisite-type The declared prerequisite is of type data."}},
		"an item of a marketplace": {func(_ *Workspace, _ *Job, r *TaskRole) {
			r.Prerequisites = []Reference{{Target: "marketplace://name/x"}, {Target: "https://example.org/x.yml"}}
		}, nil},
		"a cluster that is not declared": {func(ws *Workspace, j *Job, _ *TaskRole) {
			ws.Clusters = []*Cluster{{Name: "gpu"}}
			j.Cluster = "cluster.gpus"
		}, []string{`unknown-cluster Did you mean "gpu"?`}},
		"secrets of a Terraform job with two sources and without a source": {func(_ *Workspace, j *Job, _ *TaskRole) {
			j.Syntax = SyntaxTerraform
			j.Secrets = []*Secret{{Name: "a", Env: "A", File: "a"}, {Name: "b"}, {Name: "c", Env: "C"}}
		}, []string{`secret-source "a" sets env and file`, `secret-source "b" has no source`}},
		"a secret of a job and of the workspace": {func(ws *Workspace, j *Job, _ *TaskRole) {
			ws.Secrets = []*Secret{{Name: "a", Env: "A"}}
			j.Secrets = []*Secret{{Name: "a", Env: "B"}, {Name: "b", Env: "B"}}
		}, []string{`duplicate-declaration The secret "a" is declared twice`}},
		"a secret of a protocol job and of the workspace": {func(ws *Workspace, j *Job, r *TaskRole) {
			ws.Secrets = []*Secret{{Name: "a", Env: "A"}}
			r.Image.Target = "marketplace://name/x"
			j.Syntax, j.Secrets = SyntaxProtocol, []*Secret{{Name: "a", Value: NewSensitive("x")}}
		}, nil},
		"a source of a secret in a protocol block": {func(ws *Workspace, _ *Job, _ *TaskRole) {
			ws.Protocols = []*Protocol{{Label: "p", Secrets: []*Secret{{Name: "a"}}}}
		}, []string{`secret-source "a" has no source`}},
		"a secret of a protocol job whose value was masked": {func(_ *Workspace, j *Job, r *TaskRole) {
			r.Image.Target = "marketplace://name/x"
			j.Syntax, j.Secrets = SyntaxProtocol, []*Secret{{Name: "a"}}
		}, nil},
		"the local cluster": {func(_ *Workspace, j *Job, _ *TaskRole) { j.Cluster = "local" }, nil},
		"reserved and invalid variables": {func(_ *Workspace, j *Job, r *TaskRole) {
			j.Environment = map[string]string{"PAI_X": "", "GOOD_1": ""}
			r.Environment = map[string]string{"FC_X": "", "1a": ""}
		}, []string{"reserved-variable PAI_X", "invalid-variable-name", "reserved-variable FC_X"}},
		"variables with a NUL character in their value": {func(_ *Workspace, j *Job, r *TaskRole) {
			j.Environment = map[string]string{"A": "a\x00b", "GOOD_1": "a\nb"}
			r.Environment = map[string]string{"B": "\x00"}
		}, []string{"nul-in-variable A", "nul-in-variable B"}},
		"storages with names that would escape the mount directory": {func(ws *Workspace, _ *Job, _ *TaskRole) {
			for _, name := range []string{"../x", ".hidden", "a/b", "a b", "team-1.data_x", "-x"} {
				ws.Storages = append(ws.Storages, &Storage{Name: name, Claim: "c"})
			}
		}, []string{`invalid-storage-name "../x"`, `invalid-storage-name ".hidden"`, `invalid-storage-name "a/b"`, `invalid-storage-name "a b"`, `invalid-storage-name "-x"`}},
		"completion policies that can never be met": {func(_ *Workspace, _ *Job, r *TaskRole) {
			r.Completion = Completion{MinFailedInstances: &three, MinSucceededInstances: &three}
		}, []string{"completion-never-met failed", "completion-never-met succeeded"}},
		"fixed ports that fit": {func(_ *Workspace, _ *Job, r *TaskRole) {
			r.Instances, r.Resources.Ports = 2, map[string]int{"a": 2}
			r.Resources.FixedPorts = map[string]int{"a": 65532, "http": 8080, "ssh": 8082}
		}, nil},
		"fixed ports of an undeclared label": {func(_ *Workspace, _ *Job, r *TaskRole) {
			r.Resources.Ports, r.Resources.FixedPorts = map[string]int{"grpc": 1}, map[string]int{"grcp": 8080}
		}, []string{`invalid-fixed-ports "grcp", which is not declared in ports. Did you mean "grpc"?`}},
		"fixed ports above the maximum": {func(_ *Workspace, _ *Job, r *TaskRole) {
			r.Instances, r.Resources.FixedPorts = 2, map[string]int{"http": 65535}
		}, []string{"invalid-fixed-ports 65535 to 65536"}},
		"fixed ports that overlap": {func(_ *Workspace, _ *Job, r *TaskRole) {
			r.Instances, r.Resources.FixedPorts = 3, map[string]int{"http": 8080, "ssh": 8082}
		}, []string{`invalid-fixed-ports 8082 to 8084 for all tasks, but the label "http" uses ports 8080 to 8082`}},
		"task retries with gang allocation": {func(_ *Workspace, _ *Job, r *TaskRole) { r.TaskRetryCount = 1 },
			[]string{"task-retry-ignored job_retry_count"}},
		"task retries without gang allocation": {func(_ *Workspace, j *Job, r *TaskRole) { r.TaskRetryCount, j.GangAllocation = 1, false }, nil},
		"storages without a kind and with two kinds": {func(ws *Workspace, _ *Job, _ *TaskRole) {
			ws.Storages = []*Storage{{Name: "none"}, {Name: "two", Claim: "c", HostPath: "/x"}, {Name: "one", Claim: "c"}}
		}, []string{"storage-kind storage.none", "storage-kind claim and host_path"}},
		"secrets without a source and with two sources": {func(ws *Workspace, _ *Job, _ *TaskRole) {
			ws.Secrets = []*Secret{{Name: "none"}, {Name: "two", Env: "E", File: "f"}, {Name: "one", Env: "E"}}
		}, []string{`secret-source "none"`, "secret-source env and file"}},
		"marketplaces without a source and with two sources": {func(ws *Workspace, _ *Job, _ *TaskRole) {
			ws.Marketplaces = []*Marketplace{{Name: "none"}, {Name: "two", Source: ".", Kubernetes: &KubernetesMarketplace{}}, {Name: "far", Kubernetes: &KubernetesMarketplace{Cluster: "moon"}}}
		}, []string{"marketplace-source no source", "marketplace-source kubernetes", `unknown-cluster "moon"`}},
		"logs in an undeclared storage": {func(ws *Workspace, _ *Job, _ *TaskRole) {
			ws.Clusters = []*Cluster{{Name: "c", LogStorage: "storage.logs"}}
		}, []string{`unknown-storage "logs"`}},
		"an upper-case runtime image": {func(ws *Workspace, _ *Job, _ *TaskRole) {
			ws.Clusters = []*Cluster{{Name: "c", Runtime: ClusterRuntime{Image: "example.org/OpenPAI/runtime:1"}}}
		}, []string{`uppercase-image write "example.org/openpai/runtime:1".`}},
		"an undeclared storage, and a claim": {func(_ *Workspace, j *Job, _ *TaskRole) {
			j.Storage = []*StorageUse{{Name: "storage.nfs"}, {Name: "claim"}}
		}, []string{"unknown-storage storage.nfs"}},
		"a storage whose name is not an identifier": {func(ws *Workspace, j *Job, _ *TaskRole) {
			ws.Storages = []*Storage{{Name: "1st.tier", Claim: "c"}}
			j.Storage = []*StorageUse{{Name: `storage["1st.tier"]`}, {Name: `storage["2nd"]`}}
		}, []string{`unknown-storage storage["2nd"]`}},
		"a role mount at the path of a job mount": {func(_ *Workspace, j *Job, r *TaskRole) {
			j.Storage = []*StorageUse{{Name: "a", MountPath: "/data"}}
			r.Storage = []*StorageUse{{Name: "b", MountPath: "/data/"}, {Name: "a", MountPath: "/data"}}
		}, []string{`storage-conflict "a" and "b" at the same path /data`}},
		"mounts at the root and over the runtime": {func(_ *Workspace, j *Job, _ *TaskRole) {
			j.Storage = []*StorageUse{{Name: "a", MountPath: "/"}, {Name: "b", MountPath: "/usr"}, {Name: "c", MountPath: "/usr/local/pai/x"}}
		}, []string{"invalid-mount-path", "invalid-mount-path", "invalid-mount-path"}},
		"two jobs with the same label": {func(ws *Workspace, j *Job, _ *TaskRole) { ws.Jobs = append(ws.Jobs, j) },
			[]string{"duplicate-declaration job"}},
		"a name of 256 characters": {func(_ *Workspace, j *Job, _ *TaskRole) { j.Name = strings.Repeat("x", 256) },
			[]string{"name-too-long 256"}},
		"a prerequisite of the workspace with a name of 256 characters": {func(ws *Workspace, _ *Job, _ *TaskRole) {
			ws.Prerequisites = []*Prerequisite{{Type: "script", Name: strings.Repeat("x", 256)}}
		}, []string{"name-too-long 256"}},
		"a role name of 64 letters": {func(_ *Workspace, _ *Job, r *TaskRole) { r.Name = strings.Repeat("x", 64) },
			[]string{"invalid-role-name 64"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			job := sound()
			ws := &Workspace{Jobs: []*Job{job}}
			test.change(ws, job, job.TaskRoles[0])
			var got []string
			diags := Validate(ws)
			for i, d := range diags {
				code := Code(d)
				if i < len(test.want) {
					if _, part, _ := strings.Cut(test.want[i], " "); strings.Contains(d.Detail, part) && part != "" {
						code += " " + part
					}
				}
				got = append(got, code)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s\n%v", diff, diags)
			}
		})
	}
}

func TestTooManyTaskRolesAreRefused(t *testing.T) {
	t.Parallel()
	job := &Job{Label: "a", Name: "a", Path: "job.a"}
	for i := range maxTaskRoles + 1 {
		name := "r" + strconv.Itoa(i)
		job.TaskRoles = append(job.TaskRoles, &TaskRole{Name: name, Path: job.Path.Attr("task_role").Key(name), Instances: 1, Image: Reference{Target: "busybox"}, Commands: []string{"true"}, Resources: Resources{Limits: Limits{CPU: 1, MemoryMB: 1}}})
	}
	diags := Validate(&Workspace{Jobs: []*Job{job}})
	if len(diags) != 1 || Code(diags[0]) != ValueOutOfRange.Code {
		t.Errorf("got %v", diags)
	}
	job.TaskRoles = job.TaskRoles[1:]
	if diags := Validate(&Workspace{Jobs: []*Job{job}}); len(diags) > 0 {
		t.Errorf("%d task roles: %v", maxTaskRoles, diags)
	}
}

func TestOfVeryManyNamesNoneIsSuggested(t *testing.T) {
	t.Parallel()
	known := make([]string, maxCandidates)
	for i := range known {
		known[i] = "name" + strconv.Itoa(i)
	}
	if got := Suggest("name_7", known); got != ` Did you mean "name7"?` {
		t.Errorf("got %q", got)
	}
	if got := Suggest("name_7", append(known, "another")); got != "" {
		t.Errorf("got %q", got)
	}
}
