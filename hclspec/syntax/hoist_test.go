// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func protocolJob() *hclspec.Job {
	return &hclspec.Job{
		Label: "mnist", Name: "mnist", Syntax: hclspec.SyntaxProtocol, JobSettings: hclspec.JobSettings{GangAllocation: true, VirtualCluster: "default"}, JobLifecycle: hclspec.JobLifecycle{Rerun: "never"}, StopGrace: hclspec.Duration(30e9),
		JobInputs: hclspec.JobInputs{Parameters: map[string]any{"lr": hclspec.Number("1e-3")}},
		Secrets:   []*hclspec.Secret{{Name: "token", Value: hclspec.NewSensitive("hunter22")}},
		Prerequisites: []*hclspec.Prerequisite{
			{Type: "dockerimage", Name: "img", URI: []string{"ubuntu:22.04"}, Auth: &hclspec.Auth{Username: "u", Password: "<% $secrets.token %>"}},
			{Type: "script", Name: "same"},
			{Type: "data", Name: "same", Require: []hclspec.Reference{{Target: "wget"}, {Target: "marketplace://x/y"}}},
			{Type: "script", Name: "wget", Callbacks: []*hclspec.Callback{{Event: "taskStarts", Commands: []string{"apt install wget", "echo ${HOME}\nif true; then\n  wget\nfi"}}}},
		},
		TaskRoles: []*hclspec.TaskRole{{
			Name: "worker", Instances: 1, Image: hclspec.Reference{Target: "img"}, Data: hclspec.Reference{Target: "same"},
			Prerequisites: []hclspec.Reference{{Target: "same"}, {Target: "wget", With: map[string]any{"a": "b"}}},
			Resources:     hclspec.Resources{Limits: hclspec.Limits{CPU: 1, MemoryMB: 1024}}, Commands: []string{"curl -H 'token: <% $secrets.token %>' <% $parameters.lr %>"},
		}},
	}
}

func TestHoistWritesIdiomaticHCL(t *testing.T) {
	t.Parallel()
	job := protocolJob()
	got := string(Write(Hoist(job), WriteOptions{SecretEnv: func(name string) string { return "MNIST_" + envName(name) }}))
	want := `secret "token" {
  env = "MNIST_TOKEN"
}

prerequisite "dockerimage" "img" {
  uri = "ubuntu:22.04"

  auth {
    username = "u"
    password = secret.token
  }
}

prerequisite "script" "same" {}

prerequisite "data" "same" {
  require = [prerequisite.script.wget, "marketplace://x/y"]
}

prerequisite "script" "wget" {
  callback "taskStarts" {
    commands = [
      "apt install wget",
      chomp(<<-EOT
        echo $${HOME}
        if true; then
          wget
        fi
      EOT
      ),
    ]
  }
}

job "mnist" {
  parameters = { lr = 1e-3 }

  task_role "worker" {
    image = prerequisite.dockerimage.img
    data  = prerequisite.data.same
    prerequisites = [
      "same",
      { use = prerequisite.script.wget, with = { a = "b" } },
    ]
    commands = ["curl -H 'token: ${secret.token}' <% $parameters.lr %>"]

    resources {
      gpu       = 0
      cpu       = 1
      memory_mb = 1024
    }
  }
}
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(protocolJob(), job); diff != "" {
		t.Errorf("Hoist changed the given job (-before +after):\n%s", diff)
	}
}

func TestHoistReadsBackEqual(t *testing.T) {
	t.Parallel()
	ws := Hoist(protocolJob())
	src := Write(ws, WriteOptions{})
	ws.Secrets[0] = &hclspec.Secret{Name: "token", Env: "TOKEN"}
	decodeWritten(t, "a.pai.hcl", src, ws)
	decodeWritten(t, "a.pai.hcl.json", WriteJSON(ws, WriteOptions{}), ws)
}
