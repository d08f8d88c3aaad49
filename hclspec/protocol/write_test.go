// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/tools/txtar"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// withoutFixedPorts makes a comparison ignore fixed ports, which only the older format
// supports.
var withoutFixedPorts = cmpopts.IgnoreFields(hclspec.Resources{}, "FixedPorts")

// equalJobs returns the difference between two jobs, or "". It ignores fixed
// ports and the original syntax.
func equalJobs(a, b *hclspec.Job) string {
	return cmp.Diff(a, b, cmpopts.IgnoreFields(hclspec.Job{}, "Syntax"), withoutFixedPorts, cmpopts.EquateEmpty())
}

func TestAWrittenJobIsReadAsTheSameJob(t *testing.T) {
	t.Parallel()
	archives, _ := filepath.Glob("testdata/*.txtar")
	jobs := 0
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, diags := Parse("x.yaml", archive.Files[0].Data)
		if file == nil || file.Job == nil || diags.HasErrors() ||
			hclspec.Validate(&hclspec.Workspace{Jobs: []*hclspec.Job{file.Job}}).HasErrors() {
			continue
		}
		jobs++
		written, diags := Write(file.Job, WriteOptions{WithSecrets: true})
		if diags.HasErrors() {
			t.Errorf("%s: %v", name, diags)
		}
		again, diags := Parse("x.yaml", written)
		if diags.HasErrors() {
			t.Fatalf("%s: %v\n%s", name, diags, written)
		}
		if diff := equalJobs(file.Job, again.Job); diff != "" {
			t.Errorf("%s (-read +read again):\n%s", name, diff)
		}
	}
	if jobs < 5 {
		t.Errorf("only %d jobs were compared", jobs)
	}
}

func TestWritingIsDeterministic(t *testing.T) {
	t.Parallel()
	archive, err := txtar.ParseFile("testdata/every_field.txtar")
	if err != nil {
		t.Fatal(err)
	}
	file, _ := Parse("x.yaml", archive.Files[0].Data)
	first, _ := Write(file.Job, WriteOptions{})
	for range 100 {
		if next, _ := Write(file.Job, WriteOptions{}); string(next) != string(first) {
			t.Fatalf("(-first +next):\n%s", cmp.Diff(string(first), string(next)))
		}
	}
}

func TestEveryProtocolFieldIsWritten(t *testing.T) {
	t.Parallel()
	archive, err := txtar.ParseFile("testdata/every_field.txtar")
	if err != nil {
		t.Fatal(err)
	}
	file, _ := Parse("x.yaml", archive.Files[0].Data)
	written, _ := Write(file.Job, WriteOptions{})
	var missing []string
	var visit func(b *hclspec.Block)
	visit = func(b *hclspec.Block) {
		for _, f := range b.Fields {
			name := strings.TrimPrefix(strings.TrimPrefix(f.Protocol, "extras."), "defaults.")
			// Some of these fields belong to items, which a different archive
			// covers. The other fields have their default values in this
			// archive, so Write omits them.
			skip := []string{"", "template_variables", "taskRetryCount", "succeeded", "stopped", "retried", "retries", "auth", "strip", "sizeMB"}
			if f.Block != nil && f.Protocol != "" && f.Protocol != "template_variables" && b != f.Block && f.Block != hclspec.SecretBlock {
				visit(f.Block)
			}
			if !slices.Contains(skip, name) && !strings.Contains(string(written), name+":") {
				missing = append(missing, name)
			}
		}
	}
	visit(hclspec.JobBlock)
	if len(missing) > 0 {
		t.Errorf("not written: %v", missing)
	}
}

func TestAWrittenJobContainsTheDeclarationsThatItUses(t *testing.T) {
	t.Parallel()
	ws := &hclspec.Workspace{
		Secrets:  []*hclspec.Secret{{Name: "token", Env: "TOKEN"}, {Name: "unused", Env: "UNUSED"}},
		Storages: []*hclspec.Storage{{Name: "nfs", Claim: "confignfs"}, {Name: "scratch", HostPath: "/scratch"}},
		Prerequisites: []*hclspec.Prerequisite{
			{Type: "dockerimage", Name: "torch", URI: []string{"torch:1"}},
			{Type: "data", Name: `part["a"]`, Require: []hclspec.Reference{{Target: "prerequisite.script.torch"}}},
			{Type: "script", Name: "torch", RequireStorages: []*hclspec.StorageUse{{Name: "storage.nfs"}}},
		},
	}
	job := &hclspec.Job{
		Label: "j", Name: "j", Syntax: hclspec.SyntaxHCL, JobSettings: hclspec.JobSettings{GangAllocation: true, VirtualCluster: "default"},
		Cluster: "cluster.gpu", Environment: map[string]string{"A": "b"}, JobLifecycle: hclspec.JobLifecycle{Rerun: "on_change"},
		TaskRoles: []*hclspec.TaskRole{
			{
				Name: "w", Instances: 1, Image: hclspec.Reference{Target: "prerequisite.dockerimage.torch"},
				Prerequisites: []hclspec.Reference{{Target: `prerequisite.data.part["a"]`, With: map[string]any{"x": hclspec.Number("1")}}},
				Storage:       []*hclspec.StorageUse{{Name: "storage.scratch", MountPath: "/s"}},
				Commands:      []string{"login <% $secrets.token %>"}, Resources: hclspec.Resources{Limits: hclspec.Limits{CPU: 1, MemoryMB: 1}},
			},
			{Name: "v", Instances: 1, Image: hclspec.Reference{Target: "busybox:1"}, Commands: []string{"echo"}, Resources: hclspec.Resources{Limits: hclspec.Limits{CPU: 1, MemoryMB: 1}}},
			{Name: "u", Instances: 1, Image: hclspec.Reference{Target: "busybox:1"}, Commands: []string{"echo"}, Resources: hclspec.Resources{Limits: hclspec.Limits{CPU: 1, MemoryMB: 1}}},
		},
	}
	written, diags := Write(job, WriteOptions{Workspace: ws, WithSecrets: true, SecretValue: func(s *hclspec.Secret) (string, bool) {
		return "value of " + s.Name, true
	}})
	want := `protocolVersion: 2
name: j
type: job
prerequisites:
  - type: dockerimage
    name: torch
    uri: torch:1
  - type: data
    name: part_a
    require:
      - torch_script
  - type: dockerimage
    name: docker_image_0
    uri: busybox:1
  - type: script
    name: torch_script
    requireStorages:
      - name: confignfs
        mountPath: /mnt/nfs
secrets:
  token: value of token
jobRetryCount: 0
taskRoles:
  w:
    instances: 1
    prerequisites:
      - name: part_a
        template_variables:
          x: 1
    dockerImage: torch
    resourcePerInstance:
      gpu: 0
      cpu: 1
      memoryMB: 1
    commands:
      - login <% $secrets.token %>
  v:
    instances: 1
    dockerImage: docker_image_0
    resourcePerInstance:
      gpu: 0
      cpu: 1
      memoryMB: 1
    commands:
      - echo
  u:
    instances: 1
    dockerImage: docker_image_0
    resourcePerInstance:
      gpu: 0
      cpu: 1
      memoryMB: 1
    commands:
      - echo
defaults:
  virtualCluster: default
extras:
  storages:
    - name: scratch
      mountPath: /s
`
	if diff := cmp.Diff(want, string(written)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var details []string
	for _, d := range diags {
		details = append(details, d.Detail)
	}
	for _, part := range []string{"cluster of job.j", "environment of job.j", "rerun of job.j", `storages of task role "w"`, "refers to storage.scratch"} {
		if !slices.ContainsFunc(details, func(d string) bool { return strings.Contains(d, part) }) {
			t.Errorf("no diagnostic contains %q:\n%s", part, strings.Join(details, "\n"))
		}
	}
	if job.TaskRoles[0].Image.Target != "prerequisite.dockerimage.torch" || len(job.Prerequisites) != 0 {
		t.Error("writing changed the job")
	}
}

func TestWhatAJobDeclaresHidesWhatTheWorkspaceDoes(t *testing.T) {
	t.Parallel()
	refs := func(targets ...string) (all []hclspec.Reference) {
		for _, target := range targets {
			all = append(all, hclspec.Reference{Target: target})
		}
		return all
	}
	ws := &hclspec.Workspace{Prerequisites: []*hclspec.Prerequisite{
		{Type: "script", Name: "x", Description: "shared"},
		{Type: "script", Name: "shared", Require: refs("prerequisite.script.x")},
		{Type: "script", Name: "twice"},
		{Type: "dockerimage", Name: "twice", Description: "image"},
	}}
	job := &hclspec.Job{
		Label: "j", Name: "j", Syntax: hclspec.SyntaxHCL,
		Prerequisites: []*hclspec.Prerequisite{
			{Type: "script", Name: "x", Description: "own"},
			{Type: "script", Name: "own", Require: refs("prerequisite.script.x", "prerequisite.script.shared")},
		},
		TaskRoles: []*hclspec.TaskRole{{Name: "w", Image: refs("twice")[0], Prerequisites: refs("prerequisite.script.x", "own")}},
	}
	written, diags := Write(job, WriteOptions{Workspace: ws})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	file, _ := Parse("job.yaml", written)
	got := map[string]string{}
	for _, p := range file.Job.Prerequisites {
		got[p.Name] = p.Description
		for _, r := range p.Require {
			got[p.Name] += " " + r.Target
		}
	}
	for _, r := range file.Job.TaskRoles[0].Prerequisites {
		got["w"] += " " + r.Target
	}
	want := map[string]string{"x": "own", "own": " x shared", "x_script": "shared", "shared": " x_script", "twice": "image", "w": " x own"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTextsAreQuotedWhereReadersDiffer(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"", "yes", "No", "on", "y", "null", "~", "true", "1", "1.0", "010", "0o10", "22:30", "2020-01-01", "<<", " lead", "trail ", "a: b", "# c",
		"- d", "{{ x }}", "*a", "&a", "!a", "a\nb", "a\nb\n", "a\n\n\nb", "\na\nb", " a\nb", "a \nb", "\ta\nb", "a\tb", "\u2028", "a\u0085b", "\u2029 a\nb", "\U0001f600", `\/`, `\ud83d\ude00`, "\ue0f2/", "\x7f", "é", "a\r\nb", "'", `"`, "|", "%a", "@a", "`a",
	} {
		job := &hclspec.Job{Label: "j", Name: "j", JobInputs: hclspec.JobInputs{Parameters: map[string]any{"x": s}}}
		written, _ := Write(job, WriteOptions{})
		again, _ := Parse("j.yaml", append(written, "taskRoles: {w: {dockerImage: a, commands: [a], resourcePerInstance: {gpu: 0, cpu: 1, memoryMB: 1}}}\n"...))
		if again == nil {
			t.Errorf("%q is written as\n%s", s, written)
			continue
		}
		if got := again.Job.Parameters["x"]; got != s {
			t.Errorf("%q is read back as %q from\n%s", s, got, written)
		}
	}
}

func TestExportWarnsOfAScriptWithSeveralAddresses(t *testing.T) {
	t.Parallel()
	addresses := []string{"https://example.org/a", "https://example.org/b"}
	for _, c := range []struct {
		syntax hclspec.Syntax
		kind   string
		want   []string
	}{
		{hclspec.SyntaxHCL, "script", []string{URIList.Code}},
		{hclspec.SyntaxHCL, "data", nil},
		{hclspec.SyntaxProtocol, "script", nil}, // the decoder reported a warning
	} {
		_, diags := Write(&hclspec.Job{
			Label: "j", Name: "j", Syntax: c.syntax, JobSettings: hclspec.JobSettings{GangAllocation: true, VirtualCluster: "default"},
			Prerequisites: []*hclspec.Prerequisite{{Type: c.kind, Name: "code", URI: addresses}},
		}, WriteOptions{})
		var got []string
		for _, d := range diags {
			if hclspec.Code(d) != NotInProtocol.Code { // the job is incomplete
				got = append(got, hclspec.Code(d))
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s of %v: codes %q, want %q", c.kind, c.syntax, got, c.want)
		}
	}
}
