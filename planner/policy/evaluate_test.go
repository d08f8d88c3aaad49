// SPDX-License-Identifier: MPL-2.0

package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/policy"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// decoded decodes HCL text with policies.
func decoded(t testing.TB, source string) *hclspec.Workspace {
	t.Helper()
	ws, diags := syntax.Decode(syntax.Input{Files: map[string][]byte{"p.pai.hcl": []byte(source)}})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return ws
}

// job has two task roles, which share a prerequisite and a storage.
func job(label string) *resolve.Job {
	step := &resolve.Step{Address: "prerequisite.data.mnist", Name: "mnist", Type: "data", URI: []string{"https://data.example/mnist.gz"}}
	role := func(name string, gpus int) *resolve.TaskRole {
		return &resolve.TaskRole{
			Name: name, Instances: 2, Image: resolve.Image{URI: "debian:latest"}, Limits: hclspec.Limits{GPU: gpus, CPU: 1, MemoryMB: 64},
			Steps: []*resolve.Step{step}, Mounts: []*resolve.Mount{{Storage: "nfs", Path: "/mnt", Declared: &hclspec.Storage{Name: "nfs", NFS: &hclspec.NFSVolume{Server: "files.example"}}}},
			Environment: map[string]string{"MODE": "fast"},
		}
	}
	return &resolve.Job{
		Address: hclspec.NewAddress("job", label), Name: label, Framework: label, User: "ada", Workspace: "ws", Cluster: "gpu",
		JobSettings: hclspec.JobSettings{VirtualCluster: "default"}, TaskRoles: []*resolve.TaskRole{role("worker", 4), role("server", 0)},
		JobInputs: hclspec.JobInputs{Parameters: map[string]any{"lr": hclspec.Number("0.5")}},
	}
}

// plan creates job.a, does not change job.b and deletes job.c.
func plan() *planner.Plan {
	return &planner.Plan{
		Workspace: "ws",
		Changes: []*planner.Change{
			{Address: "job.a", Cluster: "gpu", Action: planner.Create, Job: job("a"), Fields: []planner.FieldChange{{Path: "name", After: "a", AfterKnown: true}}},
			{Address: "job.b", Cluster: "gpu", Action: planner.NoOp, Job: job("b")},
			{Address: "job.c", Cluster: "gpu", Action: planner.Delete, Impact: planner.Impact{Code: planner.ImpactTasksEnd, Tasks: 3}},
		},
		Sums: []planner.Sum{{Cluster: "gpu", VirtualCluster: "default", After: planner.Usage{Tasks: 8, GPUs: 16}}},
	}
}

// rule returns a policy with the body lines.
func rule(forEach string, lines ...string) string {
	return fmt.Sprintf("policy \"p\" {\n  for_each = %s\n  %s\n}\n", forEach, strings.Join(lines, "\n  "))
}

// TestPoliciesReceiveTheValuesOfThePlan checks which plan values are available to
// policies. The policy messages contain these values.
func TestPoliciesReceiveTheValuesOfThePlan(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		source string
		want   []string // codes and messages
		judged int
	}{
		"jobs that apply changes": {rule("jobs", `condition = false`, `message = "${each.value.name} on ${each.change.cluster} lr ${each.value.parameters.lr}"`), []string{"policy-denied: a on gpu lr 0.5"}, 1},
		"all jobs":                {rule("jobs", `when = true`, `condition = false`, `level = warn`, `message = each.value.name`), []string{"policy-warning: a", "policy-warning: b"}, 2},
		"task roles":              {rule("task_roles", `condition = each.value.gpu == 0`, `message = "${each.value.name}: ${each.value.gpu} of ${each.change.job.virtual_cluster} ${each.value.environment.MODE}"`), []string{"policy-denied: worker: 4 of default fast"}, 2},
		"a field that is not set": {rule("task_roles", `condition = each.value.max_run_seconds > 0`, `message = "${each.value.name} has no limit"`), []string{"policy-denied: worker has no limit", "policy-denied: server has no limit"}, 2},
		"prerequisites and images, once for all roles": {
			rule("prerequisites", `condition = false`, `message = "${each.value.type} ${each.value.uri[0]} ${join("+", each.value.task_roles)}"`),
			[]string{"policy-denied: dockerimage debian:latest worker+server", "policy-denied: data https://data.example/mnist.gz worker+server"}, 2,
		},
		"storages":                         {rule("storages", `condition = false`, `message = "${each.value.name} ${each.value.kind} ${each.value.server} ${each.value.mount_path}"`), []string{"policy-denied: nfs nfs files.example /mnt"}, 1},
		"deletions":                        {rule("changes", `when = each.change.action == "delete"`, `condition = each.value.ended_tasks == 0`, `message = "${each.value.address} ends ${each.change.ended_tasks} tasks"`), []string{"policy-denied: job.c ends 3 tasks"}, 1},
		"the whole plan":                   {rule("plan", `condition = sum([for r in plan.resources : r.after.gpus]) <= 8`, `message = "${length(each.value.changes)} changes, ${plan.summary.create} created"`), []string{"policy-denied: 3 changes, 1 created"}, 1},
		"variables":                        {"variable \"n\" {\n  default = 2\n}\n" + rule("task_roles", `condition = each.value.gpu <= var.n`, `message = "more than ${var.n}"`), []string{"policy-denied: more than 2"}, 2},
		"a compliant plan":                 {rule("jobs", `condition = true`, `message = "never"`), nil, 1},
		"an error":                         {rule("jobs", `condition = each.value.nosuch`, `level = warn`, `message = ""`), []string{"policy-not-evaluated: This object does not have an attribute named \"nosuch\"."}, 1},
		"an error in when":                 {rule("jobs", `when = each.value.nosuch`, `condition = true`, `message = ""`), []string{"policy-not-evaluated: This object does not have an attribute named \"nosuch\"."}, 1},
		"an error in the message":          {rule("jobs", `condition = false`, `level = warn`, `message = each.value.nosuch`), []string{"policy-not-evaluated: This object does not have an attribute named \"nosuch\"."}, 1},
		"an unknown value":                 {rule("changes", `condition = each.change.fields[0].before == "x"`, `message = ""`), []string{"policy-not-evaluated: the result depends on an unknown value."}, 1},
		"a condition that is not a bool":   {rule("jobs", `condition = "yes"`, `message = ""`), []string{"policy-not-evaluated: the result is not a bool."}, 1},
		"null":                             {rule("jobs", `condition = null`, `message = ""`), []string{"policy-not-evaluated: the result is not a bool."}, 1},
		"each.change is null for the plan": {rule("plan", `condition = each.change == null`, `message = ""`), nil, 1},
		"unused computed values":           {rule("jobs", `condition = length([for a in range(1000) : [for b in range(1000) : b]]) > 0`, `message = ""`), []string{"policy-not-evaluated: The loops in this expression compute more than 64 MiB."}, 1},
		"a message with an unknown value":  {rule("changes", `condition = false`, `message = "was ${each.change.fields[0].before}"`), []string{"policy-not-evaluated: the result is not a string."}, 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ws := decoded(t, tt.source)
			results, diags := policy.Judge(plan(), ws.Policies, ws.Sources)
			var got []string
			for _, d := range diags {
				message, _, _ := strings.Cut(d.Detail, " (policy")
				if _, reason, failed := strings.Cut(message, "evaluat"); failed {
					_, message, _ = strings.Cut(reason, ": ")
				}
				got = append(got, hclspec.Code(d)+": "+message)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if r := results[0]; r.Checked != tt.judged || r.Denies() != diags.HasErrors() {
				t.Errorf("result %+v", r)
			}
		})
	}
}

// TestAVerdictIsShownAtTheNearestKnownPosition expects the position of the field or of the
// innermost enclosing element with a known position. If no such position is
// known, the test expects the position of the policy.
func TestAVerdictIsShownAtTheNearestKnownPosition(t *testing.T) {
	t.Parallel()
	at := func(line int) hcl.Range { return hcl.Range{Filename: "main.pai.hcl", Start: hcl.Pos{Line: line}} }
	sources := hclspec.SourceMap{"job.a": at(1), `job.a.task_role["worker"]`: at(2), `job.a.task_role["worker"].resources.gpu`: at(3), "prerequisite.data.mnist": at(4)}
	p := plan()
	p.Changes[0].Job.Declared = &hclspec.Job{Path: "job.a", TaskRoles: []*hclspec.TaskRole{{Name: "worker", Path: `job.a.task_role["worker"]`}}}
	tests := map[string]struct {
		source string
		want   []string
	}{
		"a field":                    {rule("task_roles", `condition = each.value.gpu == 0`, `message = ""`, `field = "resources.gpu"`), []string{"main.pai.hcl:3"}},
		"a field without a position": {rule("task_roles", `condition = each.value.gpu == 0`, `message = ""`, `field = "resources.cpu"`), []string{"main.pai.hcl:2"}},
		"a role without a position":  {rule("task_roles", `condition = each.value.gpu > 0`, `message = ""`), []string{"main.pai.hcl:1"}},
		"prerequisites":              {rule("prerequisites", `condition = false`, `message = ""`, `field = "uri"`), []string{"main.pai.hcl:1", "main.pai.hcl:4"}},
		"the plan":                   {rule("plan", `condition = false`, `message = ""`), []string{"p.pai.hcl:3"}},
		"a job that is deleted":      {rule("changes", `when = each.change.action == "delete"`, `condition = false`, `message = ""`), []string{"p.pai.hcl:4"}},
		"an error":                   {rule("jobs", `condition = each.value.nosuch`, `message = ""`), []string{"p.pai.hcl:3"}},
	}
	for name, tt := range tests {
		_, diags := policy.Judge(p, decoded(t, tt.source).Policies, sources)
		var got []string
		for _, d := range diags {
			got = append(got, fmt.Sprintf("%s:%d", d.Subject.Filename, d.Subject.Start.Line))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestVerdictsAreBounded checks that violations above the limit are counted but not
// reported.
func TestVerdictsAreBounded(t *testing.T) {
	t.Parallel()
	p := plan()
	for i := range 1200 {
		p.Changes = append(p.Changes, &planner.Change{Address: hclspec.NewAddress("job", fmt.Sprint("j", i)), Action: planner.Create, Job: job("x")})
	}
	ws := decoded(t, rule("jobs", `condition = plan.workspace != "ws"`, `level = warn`, `message = "no"`))
	results, diags := policy.Judge(p, ws.Policies, ws.Sources)
	if len(diags) != 1000 || results[0].Violations != 1201 {
		t.Errorf("%d diagnostics, %+v", len(diags), results[0])
	}
}

// FuzzJudge checks that Judge can process any policy, because policies may be
// untrusted.
func FuzzJudge(f *testing.F) {
	f.Add(rule("jobs", `condition = each.value.name == "a"`, `message = "${each.value.name}"`))
	f.Add(rule("task_roles", `when = each.change.action != "delete"`, `condition = contains(["a"], each.value.image.uri)`, `message = "x"`, `field = "image"`))
	f.Add(rule("plan", `condition = alltrue([for c in plan.changes : try(c.job.task_roles[0].gpu < 8, true)])`, `message = jsonencode(plan)`))
	f.Add(rule("prerequisites", `condition = can(regex("^https://", each.value.uri[0]))`, `message = "x"`))
	f.Fuzz(func(t *testing.T, source string) {
		ws, diags := syntax.Decode(syntax.Input{Files: map[string][]byte{"p.pai.hcl": []byte(source)}})
		if diags.HasErrors() {
			return
		}
		results, verdicts := policy.Judge(plan(), ws.Policies, ws.Sources)
		denies := false
		for _, r := range results {
			denies = denies || r.Denies()
		}
		if denies != verdicts.HasErrors() {
			t.Errorf("%+v, but %v", results, verdicts)
		}
	})
}
