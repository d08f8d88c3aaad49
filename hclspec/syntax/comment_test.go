// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestHCLCommentsAreWrittenNextToTheirValues(t *testing.T) {
	t.Parallel()
	job := &hclspec.Job{
		Label: "j", Name: "j", Path: "job.j", JobSettings: hclspec.JobSettings{GangAllocation: true, VirtualCluster: "default"}, JobLifecycle: hclspec.JobLifecycle{Rerun: "never"}, StopGrace: hclspec.Duration(30e9),
		JobInputs: hclspec.JobInputs{Extras: map[string]any{"a": []any{"x", "y"}}},
		TaskRoles: []*hclspec.TaskRole{{
			Name: "w", Path: `job.j.task_role["w"]`, Instances: 1, Image: hclspec.Reference{Target: "busybox"},
			Resources: hclspec.Resources{Limits: hclspec.Limits{CPU: 1, MemoryMB: 1}}, Commands: []string{"true", "a\nb\n"},
		}},
	}
	comments := []hclspec.Comment{
		{Above: []string{"# file"}},
		{Path: "job.j", Above: []string{"# job"}, Beside: "# beside the job"},
		{Path: `job.j.extras["a"][1]`, Above: []string{"# y"}, Beside: "# after y"},
		{Path: `job.j.task_role["w"].commands[1]`, Beside: "# a heredoc"},
		{Path: `job.j.task_role["w"].resources.gpu`, Above: []string{"# gpus"}, Beside: "# none"},
		{Path: `job.j.task_role`, Above: []string{"# roles"}},
		{Path: `job.j.task_role["w"].instances`, Above: []string{"# one is the default"}},
		{Path: `nowhere.at.all`, Above: []string{"# lost"}},
		{Path: "job.j", Above: []string{"no comment", "# two\nlines"}},
		{Below: []string{"# end"}},
	}
	want := `# file
# lost

# job
# beside the job
job "j" {
  extras = {
    a = [
      "x",
      # y
      "y", # after y
    ]
  }

  # roles
  # one is the default
  task_role "w" {
    image = "busybox"
    commands = [
      "true",
      # a heredoc
      <<-EOT
        a
        b
      EOT
      ,
    ]

    resources {
      # gpus
      gpu       = 0 # none
      cpu       = 1
      memory_mb = 1
    }
  }
}

# end
`
	ws := &hclspec.Workspace{Jobs: []*hclspec.Job{job}}
	got := string(Write(ws, WriteOptions{Comments: comments}))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if again := string(Format([]byte(got))); again != got {
		t.Errorf("fmt changes it:\n%s", cmp.Diff(got, again))
	}
	if json := string(WriteJSON(ws, WriteOptions{Comments: comments})); strings.Contains(json, "#") {
		t.Errorf("the JSON contains comments:\n%s", json)
	}
}

func TestParametersBecomeVariables(t *testing.T) {
	t.Parallel()
	ws := &hclspec.Workspace{Jobs: []*hclspec.Job{
		{
			Label: "a", Path: "job.a", JobInputs: hclspec.JobInputs{Parameters: map[string]any{
				"lr": hclspec.Number("0.10"), "on": true, "text": "${x}", "tag": "<% $parameters.lr %>",
				"list": []any{hclspec.Number("1.0")}, "two words": "x", "null": nil,
			}},
		},
		{Label: "b", Path: "job.b", JobInputs: hclspec.JobInputs{Parameters: map[string]any{"lr": hclspec.Number("7"), "own": "o"}}},
	}}
	native := string(Write(ws, WriteOptions{ParameterVariables: true}))
	for _, line := range []string{`lr          = var.lr`, `"two words" = "x"`, `tag         = "<% $parameters.lr %>"`, `{ lr = 7, own = var.own }`} {
		if !strings.Contains(native, line) {
			t.Errorf("it lacks %s:\n%s", line, native)
		}
	}
	sources := map[string][]byte{"a.pai.hcl": []byte(native), "a.pai.hcl.json": WriteJSON(ws, WriteOptions{ParameterVariables: true})}
	for name, src := range sources {
		got, _ := Decode(Input{Files: map[string][]byte{name: src}})
		for i, job := range ws.Jobs {
			if diff := cmp.Diff(job.Parameters, got.Jobs[i].Parameters); diff != "" {
				t.Errorf("%s (-written +read):\n%s\n%s", name, diff, src)
			}
		}
	}
}
