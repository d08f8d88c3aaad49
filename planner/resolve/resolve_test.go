// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// jobOf returns an HCL job with one task role "worker".
func jobOf(options ...func(*hclspec.Job, *hclspec.TaskRole)) *hclspec.Job {
	role := &hclspec.TaskRole{
		Name: "worker", Path: `job.j.task_role["worker"]`, Instances: 1,
		Image: hclspec.Reference{Target: "ubuntu:22.04"}, Resources: hclspec.Resources{Limits: hclspec.Limits{CPU: 1, MemoryMB: 64}}, Commands: []string{"true"},
	}
	job := &hclspec.Job{Label: "j", Name: "j", Path: "job.j", Syntax: hclspec.SyntaxHCL, JobSettings: hclspec.JobSettings{GangAllocation: true}, TaskRoles: []*hclspec.TaskRole{role}}
	for _, o := range options {
		o(job, role)
	}
	return job
}

func commands(list ...string) func(*hclspec.Job, *hclspec.TaskRole) {
	return func(_ *hclspec.Job, r *hclspec.TaskRole) { r.Commands = list }
}

func uses(targets ...string) func(*hclspec.Job, *hclspec.TaskRole) {
	return func(_ *hclspec.Job, r *hclspec.TaskRole) {
		r.Prerequisites = append(r.Prerequisites, refs(r.Path, targets...)...)
	}
}

func usesWith(target string, with map[string]any) func(*hclspec.Job, *hclspec.TaskRole) {
	return func(_ *hclspec.Job, r *hclspec.TaskRole) {
		ref := hclspec.Reference{Target: target, With: with, Path: r.Path.Attr("prerequisites").Index(len(r.Prerequisites))}
		r.Prerequisites = append(r.Prerequisites, ref)
	}
}

func parameters(p map[string]any) func(*hclspec.Job, *hclspec.TaskRole) {
	return func(j *hclspec.Job, _ *hclspec.TaskRole) { j.Parameters = p }
}

// protocol turns the job into a protocol job, whose image must be a
// prerequisite.
func protocol(j *hclspec.Job, r *hclspec.TaskRole) {
	j.Syntax = hclspec.SyntaxProtocol
	j.Prerequisites = append(j.Prerequisites, &hclspec.Prerequisite{Type: "dockerimage", Name: "image", URI: []string{"ubuntu:22.04"}, Path: "job.j.prerequisite[0]"})
	r.Image = hclspec.Reference{Target: "image"}
}

func refs(path hclspec.Path, targets ...string) []hclspec.Reference {
	var list []hclspec.Reference
	for i, t := range targets {
		list = append(list, hclspec.Reference{Target: t, Path: path.Attr("prerequisites").Index(i)})
	}
	return list
}

// script returns a script prerequisite that echoes its name when a task starts.
func script(name string, requires ...string) *hclspec.Prerequisite {
	return prerequisite("script", name, requires...)
}

func prerequisite(kind, name string, requires ...string) *hclspec.Prerequisite {
	p := &hclspec.Prerequisite{Type: kind, Name: name}
	p.Path = hclspec.Path(p.Address())
	for i, t := range requires {
		p.Require = append(p.Require, hclspec.Reference{Target: t, Path: p.Path.Attr("require").Index(i)})
	}
	p.Callbacks = []*hclspec.Callback{{Event: "taskStarts", Commands: []string{"echo " + name}, Path: p.Path.Attr("callback").Index(0)}}
	return p
}

// workspace gives each declaration a line number, so that diagnostics have
// positions. Workspace prerequisites start at line 1, job prerequisites at line
// 51, and jobs at line 101.
func workspace(prerequisites []*hclspec.Prerequisite, jobs ...*hclspec.Job) *hclspec.Workspace {
	ws := &hclspec.Workspace{Name: "team", Prerequisites: prerequisites, Jobs: jobs, Sources: hclspec.SourceMap{}}
	for i, p := range prerequisites {
		ws.Sources[p.Path] = line(i + 1)
	}
	for i, j := range jobs {
		ws.Sources[j.Path] = line(i + 101)
		for n, p := range j.Prerequisites {
			ws.Sources[p.Path] = line(51 + n)
		}
	}
	return ws
}

func line(n int) hcl.Range {
	return hcl.Range{Filename: "main.pai.hcl", Start: hcl.Pos{Line: n, Column: 1, Byte: n * 100}, End: hcl.Pos{Line: n, Column: 2, Byte: n*100 + 1}}
}

func resolveOne(t *testing.T, ws *hclspec.Workspace) *Job {
	t.Helper()
	jobs, diags := All(Input{Workspace: ws, User: "alice"})
	if diags.HasErrors() {
		t.Fatalf("diagnostics:\n%s", diagnostics(diags))
	}
	return jobs[0]
}

// diagnostics formats each diagnostic as a line "code line: detail".
func diagnostics(diags hcl.Diagnostics) string {
	var b strings.Builder
	for _, d := range diags {
		at := 0
		if d.Subject != nil {
			at = d.Subject.Start.Line
		}
		fmt.Fprintf(&b, "%s %d: %s\n", hclspec.Code(d), at, d.Detail)
	}
	return b.String()
}

func addresses(steps []*Step) []string {
	list := []string{}
	for _, s := range steps {
		list = append(list, s.Address)
	}
	return list
}

func TestAMinimalJobHasTheDefaultValues(t *testing.T) {
	t.Parallel()
	got := resolveOne(t, workspace(nil, jobOf()))
	got.Declared = nil
	want := &Job{
		Address: "job.j", Name: "j", Framework: contract.FrameworkName("alice", "j"), User: "alice", Workspace: "team", Cluster: "local",
		JobSettings: hclspec.JobSettings{VirtualCluster: "default", GangAllocation: true}, MaxWaitSeconds: 600, StopGraceSeconds: 30, JobLifecycle: hclspec.JobLifecycle{Rerun: "never"},
		TaskRoles: []*TaskRole{{
			Name: "worker", FrameworkName: "worker", Instances: 1, MinFailed: 1, MinSucceeded: 1, Image: Image{URI: "ubuntu:22.04"},
			Limits: hclspec.Limits{CPU: 1, MemoryMB: 64}, Ports: []Port{{"http", 1}, {"ssh", 1}}, Commands: []string{"true"}, StopGraceSeconds: 30,
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestTheCanonicalJobIsDeterministic(t *testing.T) {
	t.Parallel()
	build := func() *hclspec.Workspace {
		a, b := script("a"), script("b", "prerequisite.script.a")
		a.Environment = map[string]string{"A": "1", "B": "2", "C": "3", "D": "4"}
		a.Parameters = map[string]any{"x": "1", "y": []any{"2", map[string]any{"k": "v", "l": "w"}}}
		return workspace([]*hclspec.Prerequisite{a, b}, jobOf(uses("b"), parameters(map[string]any{"p": "<&>", "q": hclspec.Number("1.0")})))
	}
	first := resolveOne(t, build()).Canonical()
	for range 100 {
		if again := resolveOne(t, build()).Canonical(); !bytes.Equal(first, again) {
			t.Fatalf("different bytes:\n%s\n%s", first, again)
		}
	}
	if bytes.Contains(first, []byte(`\u003c`)) {
		t.Errorf("escaped for HTML: %s", first)
	}
}
