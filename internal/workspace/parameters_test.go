// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

const jobWithParameters = `
-- job.yaml --
protocolVersion: 2
name: j
type: job
parameters: {epochs: 10, text: a, on: true, list: [1, b], map: {k: v}}
prerequisites:
  - {type: dockerimage, name: image, uri: busybox}
taskRoles:
  worker:
    dockerImage: image
    resourcePerInstance: {gpu: 0, cpu: 1, memoryMB: 64}
    commands: ["true"]
deployments:
  - {name: prod, taskRoles: {worker: {preCommands: ["true"]}}}
-- values/some.paivars.hcl --
epochs = 0.10
text   = 7
list   = [1.50, "c"]
-- beside.paivars.hcl --
epochs = 99
`

func TestValuesReplaceTheParametersOfAYAMLJob(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		o    Options
		want map[string]any
	}{
		"none are given":                           {Options{}, map[string]any{"epochs": hclspec.Number("10"), "text": "a", "on": true, "list": []any{hclspec.Number("1"), "b"}, "map": map[string]any{"k": "v"}}},
		"a number keeps its form":                  {Options{Vars: []string{"epochs=1e-3"}}, map[string]any{"epochs": hclspec.Number("1e-3")}},
		"a value that is not a number is a string": {Options{Vars: []string{"epochs=007"}}, map[string]any{"epochs": "007"}},
		"a string stays one":                       {Options{Vars: []string{"text=3"}}, map[string]any{"text": "3"}},
		"a boolean":                                {Options{Vars: []string{"on=false"}}, map[string]any{"on": false}},
		"a list and a map":                         {Options{Vars: []string{`list=["x", 0.50]`, `map={k = 2}`}}, map[string]any{"list": []any{"x", hclspec.Number("0.50")}, "map": map[string]any{"k": hclspec.Number("2")}}},
		"a file":                                   {Options{VarFiles: []string{"values/some.paivars.hcl"}}, map[string]any{"epochs": hclspec.Number("0.10"), "text": "7", "list": []any{hclspec.Number("1.50"), "c"}}},
		"an option over all":                       {Options{Environ: []string{"PAI_VAR_epochs=1"}, VarFiles: []string{"values/some.paivars.hcl"}, Vars: []string{"epochs=2"}}, map[string]any{"epochs": hclspec.Number("2")}},
		"an unknown value from the user":           {Options{Environ: []string{"PAI_VAR_epoch=1"}}, map[string]any{"epochs": hclspec.Number("10")}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := unpack(t, jobWithParameters)
			c.o.Path = filepath.Join(dir, "job.yaml")
			for i, f := range c.o.VarFiles {
				c.o.VarFiles[i] = filepath.Join(dir, f)
			}
			loaded, diags := Load(c.o)
			if len(diags) > 0 {
				t.Fatal(diags)
			}
			got := map[string]any{}
			for name := range c.want {
				got[name] = loaded.Workspace.Jobs[0].Parameters[name]
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestOptionsOverrideSettingsOfSelectedJobs(t *testing.T) {
	t.Parallel()
	dir := unpack(t, jobWithParameters)
	o := Options{Path: filepath.Join(dir, "job.yaml"), Name: "other", Deployment: "prod", VirtualCluster: "vip", Jobs: []hclspec.Address{"job.j"}}
	loaded, diags := Load(o)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	job := loaded.Workspace.Jobs[0]
	got := []string{job.Name, job.DefaultDeployment, job.VirtualCluster, string(job.Address()), loaded.Workspace.Name}
	want := []string{"other", "prod", "vip", "job.j", filepath.Base(dir) + ".job.yaml.other"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	o.Jobs = []hclspec.Address{"job.k"}
	if loaded, _ = Load(o); loaded.Workspace.Jobs[0].DefaultDeployment != "" {
		t.Error("an unselected job has another deployment")
	}
}

func TestAnUndeclaredDeploymentIsReported(t *testing.T) {
	t.Parallel()
	dir := unpack(t, jobWithParameters)
	_, diags := Load(Options{Path: filepath.Join(dir, "job.yaml"), Deployment: "prdo"})
	onlyDiagnostic(t, diags, hclspec.UnknownDeployment, "deployment \"prdo\" is not declared by job.j. Did you mean \"prod\"? Deployments: \"prod\".")
	if at := diags[0].Subject; at != nil && !at.Empty() {
		t.Errorf("the position is %v", at)
	}
}
