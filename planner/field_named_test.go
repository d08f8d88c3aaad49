// SPDX-License-Identifier: MPL-2.0

package planner_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/tools/golden"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// namedOtherwise lists job and prerequisite fields that plans show as a
// different field, or with an effect that is not in the field table. It maps
// each field to the reason.
var namedOtherwise = map[string]string{
	"job.virtual_cluster":                   "the SKU of the tasks depends on it",
	"job.default_deployment":                "chooses commands",
	"job.deployment.task_role.pre_commands": "the commands of the active deployment are those of the task role", "job.deployment.task_role.post_commands": "as pre_commands",
	"job.parameters":  "commands refer to it",
	"job.environment": "is the field of each task role", "job.storage": "is the field of each task role", "job.max_run_time": "is the field of each task role", "job.stop_grace": "is also the field of each task role",
	"job.task_role.instances": "replaces a gang; the default completion policy follows it",
	"job.task_role.data":      "commands refer to it", "job.task_role.output": "commands refer to it", "job.task_role.script": "commands refer to it",
	"job.task_role.resources.gpu": "the SKU of the tasks depends on it", "job.task_role.resources.cpu": "the SKU of the tasks depends on it", "job.task_role.resources.memory_mb": "the SKU of the tasks depends on it",
	"job.plugin.parameters": "plugins are the last prerequisites", "job.plugin.failure_policy": "plugins are the last prerequisites", "job.plugin.task_roles": "plugins are the last prerequisites",
	"job.hived.job_priority_class": "the SKUs of an opportunistic job differ",
	"prerequisite.author":          "a command refers to it", "prerequisite.contributor": "a command refers to it", "prerequisite.description": "a command refers to it",
	"prerequisite.summary": "a command refers to it", "prerequisite.title": "a command refers to it", "prerequisite.version": "a command refers to it",
	"prerequisite.uri": "is the image of the task role", "prerequisite.auth.username": "is the field of the image", "prerequisite.auth.password": "is the field of the image", "prerequisite.auth.registry_uri": "is the field of the image",
	"prerequisite.environment":                "is also the field of the task role",
	"prerequisite.failure_policy":             "is also the field of its callbacks",
	"prerequisite.require":                    "brings in another prerequisite",
	"prerequisite.require_storages":           "is a storage of the task role",
	"prerequisite.template_variables.default": "is in the name of the instance",
}

// comparedElsewhere contains fields that can affect a job although the plan
// shows no changed job field. It maps each field to the reason.
var comparedElsewhere = map[string]string{
	"job.cluster": "moves the job: a deletion and a creation", "protocol.cluster": "is job.cluster",
	"protocol.file":          "its fields are the fields of a job",
	"openpai.workspace":      "owns the jobs: another workspace has none of them",
	"secret.value":           "is part of the version of the secret",
	"secret.version":         "the plan compares the versions of secrets",
	"secret.kubernetes.name": "is part of the version of the secret", "secret.kubernetes.key": "is part of the version of the secret",
	"variable.default":   "is a value of the fields that refer to the variable",
	"variable.type":      "as default",
	"variable.sensitive": "makes the value a secret",
	"moved.from":         "moves the job", "moved.to": "moves the job",
	"openpai.required_version": "is not about jobs", "openpai.run_records": "is not about jobs", "openpai.history_limit": "is not about jobs",
	"variable.description": "is not about jobs",
}

// TestEveryFieldIsNamedByThePlan changes each field of each block once and plans
// each change. For each change, testdata/field_changes.txt lists the paths and
// effects in the plan. For a job or prerequisite field, the plan must show only
// that field, with the effect in the field table. namedOtherwise contains the
// exceptions. A field that is in neither the file nor comparedElsewhere does not
// affect any job. For such a field, the field table must declare the effect
// "none".
func TestEveryFieldIsNamedByThePlan(t *testing.T) {
	t.Parallel()
	ws := everyBlock(t)
	// The test changes ws in place, so the applied jobs must not share values with ws.
	applied, diags := resolve.All(resolve.Input{Workspace: everyBlock(t), User: "alice"})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	lines, fields := map[string]string{}, map[string]*hclspec.Field{}
	m := mutation{t: t, ws: ws, used: map[string]bool{}, invalid: map[string]hcl.Diagnostics{}}
	m.observe = func(f *hclspec.Field, path string) bool {
		fields[path] = f
		jobs, diags := resolve.All(resolve.Input{Workspace: ws, User: "alice"})
		if diags.HasErrors() {
			return false // TestEveryFieldIsUsed requires a valid value
		}
		changes := fieldChanges(applied, jobs)
		if len(changes) > 0 && lines[path] == "" {
			lines[path] = path + ": " + strings.Join(changeLines(changes), ", ")
			checkNamed(t, f, path, changes)
		}
		return len(changes) > 0
	}
	m.everything()
	for path := range namedOtherwise {
		if lines[path] == "" {
			t.Errorf("namedOtherwise lists %s, but the plan shows no field when it changes", path)
		}
	}
	checkEffects(t, fields, lines)
	var all strings.Builder
	for _, path := range slices.Sorted(maps.Keys(lines)) {
		fmt.Fprintln(&all, lines[path])
	}
	golden.File(t, filepath.Join("testdata", "field_changes.txt"), []byte(all.String()))
}

// checkEffects checks that a field has EffectNone if and only if the field
// neither replaces nor changes a job. lines maps field paths to the lines of the
// plan that show changed job fields.
func checkEffects(t *testing.T, fields map[string]*hclspec.Field, lines map[string]string) {
	t.Helper()
	for _, path := range tablePaths() {
		f, elsewhere := fields[path], comparedElsewhere[path] != ""
		changes := strings.Contains(lines[path], "(replace)") || strings.Contains(lines[path], "(in-place)")
		switch {
		case f == nil:
			t.Errorf("%s was not changed", path)
		case changes && elsewhere:
			t.Errorf("%s is listed in comparedElsewhere, but changes the job: %s", path, lines[path])
		case changes && f.Effect == hclspec.EffectNone && namedOtherwise[path] == "":
			t.Errorf("%s has EffectNone, but changes the job: %s", path, lines[path])
		case !changes && !elsewhere && f.Effect != hclspec.EffectNone:
			t.Errorf("%s changes no job, but its effect is not none", path)
		}
	}
	for path := range comparedElsewhere {
		if fields[path] == nil {
			t.Errorf("%s is listed, but no field", path)
		}
	}
}

// fieldChanges returns the field changes in a plan for the wanted jobs while
// the applied jobs run.
func fieldChanges(applied, wanted []*resolve.Job) []planner.FieldChange {
	live := map[string]*planner.Snapshot{}
	for _, jobs := range [][]*resolve.Job{applied, wanted} {
		for _, j := range jobs {
			live[j.Cluster] = &planner.Snapshot{}
		}
	}
	for _, j := range applied {
		s := live[j.Cluster]
		l := newLive(j)
		l.Workspace, l.User = j.Workspace, j.User
		s.Jobs = append(s.Jobs, l)
	}
	var all []planner.FieldChange
	for _, c := range planner.New(planner.Options{Workspace: applied[0].Workspace, Jobs: wanted, Live: live}).Changes {
		all = append(all, c.Fields...)
	}
	return all
}

// ofPrerequisite matches a path prefix that identifies a prerequisite.
var ofPrerequisite = regexp.MustCompile(`^task_role\["[^"]*"\]\.prerequisites\["(?:[^"\\]|\\.)*"\]\.`)

// named returns a prerequisite field if the path leads into a prerequisite and
// ofJob is false, otherwise a job field.
func named(p hclspec.Path, ofJob bool) *hclspec.Field {
	if prefix := ofPrerequisite.FindString(string(p)); prefix != "" && !ofJob {
		return hclspec.PrerequisiteBlock.Lookup(p[len(prefix):])
	}
	return hclspec.JobBlock.Lookup(p)
}

// checkNamed checks that the plan shows only the changed field, with its
// effect.
func checkNamed(t *testing.T, f *hclspec.Field, path string, changes []planner.FieldChange) {
	t.Helper()
	ofJob := strings.HasPrefix(path, "job.")
	if !ofJob && !strings.HasPrefix(path, "prerequisite.") || namedOtherwise[path] != "" {
		return
	}
	want := f.Effect
	if want == "" {
		want = hclspec.EffectReplace
	}
	for _, c := range changes {
		if named(c.Path, ofJob) != f {
			t.Errorf("%s: the plan shows %s", path, c.Path)
		}
		if c.Effect != want {
			t.Errorf("%s: the effect of %s is %s, want %s", path, c.Path, c.Effect, want)
		}
	}
}
