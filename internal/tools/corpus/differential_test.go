// SPDX-License-Identifier: MPL-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// differentialJob is the smallest job file. A test case replaces the image,
// the resources or the command, or adds lines to the file.
const differentialJob = `protocolVersion: 2
name: p
type: job
prerequisites:
  - {name: i, type: dockerimage, uri: IMAGE}
taskRoles:
  w:
    dockerImage: i
    instances: 1
    resourcePerInstance: {cpu: 1, memoryMB: 1024, gpu: 1RESOURCES}
    commands: [COMMAND]
`

// hivedWorkspace is a configuration that runs a job file on a cluster. Test
// cases replace SCHEDULER with "hived" or "default".
const hivedWorkspace = `cluster "gpu" {
  context   = "gpu"
  profile   = "openpai"
  scheduler = "SCHEDULER"
  runtime { image = "runtime.example/openpai-runtime:v1" }
  sku "K80" {
    gpu    = 1
    cpu    = 4
    memory = 8192
  }
}
protocol "p" {
  file    = "job.yaml"
  cluster = "gpu"
}
`

type differentialCase struct {
	image, resources, command string
	before, after             string // lines of the file
	scheduler                 string // scheduler of the cluster; "" selects the local cluster
	// codes are the codes of the expected diagnostics, in order of position.
	codes []string
	// want is the expected task, or nil if the job must have errors.
	want *differentialTask
}

type differentialTask struct {
	Image, Command, Scheduler string
	Gang                      bool
	Mounts                    int
	GPUs                      string // on a cluster
	VirtualCluster            string
}

func plainTask(change func(*differentialTask)) *differentialTask {
	t := &differentialTask{Image: "a/b", Command: "echo hi", Gang: true, VirtualCluster: "default"}
	change(t)
	return t
}

var same = func(*differentialTask) {}

// differentialCases contains files that OpenPAI and other readers of the protocol
// interpret differently. Each case contains OpenPAI's result. The number in the
// name of a case identifies the difference.
var differentialCases = map[string]differentialCase{
	"01 HiveD is a property of the cluster": {scheduler: "hived", want: plainTask(func(t *differentialTask) { t.Scheduler = "hivedscheduler-ds-default" })},
	"02 HiveD settings of a job do not choose the scheduler": {
		scheduler: "default", after: "extras: {hivedScheduler: {jobPriorityClass: prod}}", codes: []string{"hived-ignored"},
		want: plainTask(func(t *differentialTask) { t.GPUs = "1" }),
	},
	"03 no is a string, and true":            {after: "extras: {gangAllocation: no}", codes: []string{"yaml-ambiguous"}, want: plainTask(same)},
	"04 a YAML 1.2 directive":                {before: "%YAML 1.2\n---", want: plainTask(same)},
	"05 a pair of surrogates is a character": {command: `"echo \ud83d\ude00"`, want: plainTask(func(t *differentialTask) { t.Command = "echo \U0001F600" })},
	"05 a slash may be escaped":              {command: `"echo a\/b"`, want: plainTask(func(t *differentialTask) { t.Command = "echo a/b" })},
	"06 a virtual cluster of null is absent": {after: "defaults: {virtualCluster: null}", codes: []string{"yaml-null"}, want: plainTask(same)},
	"07 ports of null are absent":            {resources: ", ports: null", codes: []string{"yaml-null"}, want: plainTask(same)},
	"08 U+0085 is not a line break":          {command: "\"echo a\u0085b\"", want: plainTask(func(t *differentialTask) { t.Command = "echo a\u0085b" })},
	"09 a list is joined with commas": {
		command: "echo <% $parameters.l %>", after: "parameters: {l: [64, 32]}",
		want: plainTask(func(t *differentialTask) { t.Command = "echo 64,32" }),
	},
	"10 a number keeps its spelling": {
		command: "echo <% $parameters.e %>", after: "parameters: {e: 10.0}", codes: []string{"yaml-number-spelling"},
		want: plainTask(func(t *differentialTask) { t.Command = "echo 10.0" }),
	},
	"11 a storage without a name mounts nothing": {
		after: `extras: {com.microsoft.pai.runtimeplugin: [{plugin: teamwise_storage, parameters: {storageConfigNames: [""]}}]}`,
		want:  plainTask(same),
	},
	"12 a parameter fills an image": {
		image: `"a/b:<% $parameters.t %>"`, after: "parameters: {t: v1}",
		want: plainTask(func(t *differentialTask) { t.Image = "a/b:v1" }),
	},
	"13 an undeclared secret is not inserted into an image": {
		image: `"<% $secrets.pw %>"`, codes: []string{"unknown-secret-imported", "invalid-image"},
	},
	"14 a deployment for an absent task role": {
		after: "deployments: [{name: d, taskRoles: {zz: {preCommands: [a]}}}]", codes: []string{"deployment-role-ignored"}, want: plainTask(same),
	},
}

func or(input, fallback string) string {
	if input == "" {
		return fallback
	}
	return input
}

func (c differentialCase) path(t *testing.T) string {
	t.Helper()
	lines := strings.NewReplacer("IMAGE", or(c.image, "a/b"), "RESOURCES", c.resources, "COMMAND", or(c.command, "echo hi")).Replace(differentialJob)
	if c.before != "" {
		lines = c.before + "\n" + lines
	}
	dir := t.TempDir()
	files := map[string]string{"job.yaml": lines + c.after + "\n"}
	if c.scheduler != "" {
		files["main.pai.hcl"] = strings.Replace(hivedWorkspace, "SCHEDULER", c.scheduler, 1)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if c.scheduler != "" {
		return dir
	}
	return filepath.Join(dir, "job.yaml")
}

func TestFilesThatReadersDisagreeOnHaveADefinedResult(t *testing.T) {
	t.Parallel()
	for name, c := range differentialCases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			loaded, diags := workspace.Load(workspace.Options{Path: c.path(t)})
			jobs, more := resolve.All(resolve.Input{Workspace: loaded.Workspace, User: "corpus"})
			diags = hclspec.Sort(append(diags, more...))
			var got *differentialTask
			for _, job := range jobs {
				m, more := render.Objects(job, render.ClusterTarget(loaded.Workspace, job.Cluster))
				diags = append(diags, more...)
				if m != nil && !diags.HasErrors() {
					got = taskOf(job, m)
				}
			}
			var codes []string
			for _, d := range diags {
				codes = append(codes, hclspec.Code(d))
			}
			if diff := cmp.Diff(c.codes, codes); diff != "" {
				t.Errorf("codes (-want +got):\n%s%v", diff, diags)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("task (-want +got):\n%s", diff)
			}
		})
	}
}

func taskOf(job *resolve.Job, m *render.Manifest) *differentialTask {
	role, pod := job.TaskRoles[0], m.Framework.Spec.TaskRoles[0].Task.Pod.Spec
	t := &differentialTask{
		Image: role.Image.URI, Command: strings.Join(role.Commands, "\n"), Scheduler: pod.SchedulerName,
		Gang: job.GangAllocation, Mounts: len(role.Mounts), VirtualCluster: job.VirtualCluster,
	}
	if job.Cluster != resolve.LocalCluster {
		t.GPUs = pod.Containers[0].Resources.Limits["nvidia.com/gpu"]
	}
	return t
}
