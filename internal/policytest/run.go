// SPDX-License-Identifier: MPL-2.0

package policytest

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/policy"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// testWorkspace and testUser are the workspace and the user of every test.
const (
	testWorkspace = "policytest"
	testUser      = "tester"
)

// Result is the outcome of one test.
type Result struct {
	*Test
	// Failures describe the differences from the expected result. The list is empty
	// if the test passed.
	Failures []string
	// Verdicts are the diagnostics that policies reported.
	Verdicts hcl.Diagnostics
}

// Passed reports whether the test passed.
func (r *Result) Passed() bool { return len(r.Failures) == 0 }

// Run plans the workspace of a test and evaluates the policies against the
// plan. The diagnostics describe errors in the test, not violations.
func (t *Test) Run(policies []*hclspec.Policy) (*Result, hcl.Diagnostics) {
	for _, name := range slices.Concat(t.Deny, t.Warn) {
		if !slices.ContainsFunc(policies, func(p *hclspec.Policy) bool { return p.Name == name }) {
			return nil, hcl.Diagnostics{InvalidTest.At(t.At, "The test %q expects a verdict from the policy %q, which does not exist.%s", t.Name, name, hclspec.Suggest(name, names(policies)))}
		}
	}
	ws, jobs, diags := t.wanted()
	live, more := t.live()
	if diags = append(diags, more...); diags.HasErrors() {
		return nil, diags
	}
	for _, job := range jobs {
		if live[job.Cluster] == nil {
			live[job.Cluster] = &planner.Snapshot{}
		}
	}
	plan := planner.New(planner.Options{Workspace: testWorkspace, Jobs: jobs, Moved: ws.Moved, Live: live, Destroy: t.Destroy, Clusters: ws.Clusters, Sources: ws.Sources})
	if plan.Diagnostics.HasErrors() {
		return nil, plan.Diagnostics
	}
	results, verdicts := policy.Judge(plan, policies, ws.Sources)
	r := &Result{Test: t, Verdicts: verdicts}
	r.compare("denied by", t.Deny, results, planner.PolicyResult.Denies)
	r.compare("warned by", t.Warn, results, func(p planner.PolicyResult) bool { return !p.Denies() && p.Violations > 0 })
	for _, p := range results {
		if p.Failed {
			r.Failures = append(r.Failures, fmt.Sprintf("policy %q cannot be evaluated", p.Name))
		}
	}
	return r, nil
}

func names(policies []*hclspec.Policy) []string {
	all := make([]string, len(policies))
	for i, p := range policies {
		all[i] = p.Name
	}
	return all
}

// compare records a failure if the policies with the verdict differ from the
// expected policies.
func (r *Result) compare(what string, want []string, results []planner.PolicyResult, hasVerdict func(planner.PolicyResult) bool) {
	var got []string
	for _, p := range results {
		if hasVerdict(p) && !slices.Contains(got, p.Name) {
			got = append(got, p.Name)
		}
	}
	want = slices.Compact(slices.Sorted(slices.Values(want)))
	slices.Sort(got)
	if !slices.Equal(want, got) {
		r.Failures = append(r.Failures, fmt.Sprintf("%s %s, expected %s", what, listed(got), listed(want)))
	}
}

func listed(names []string) string {
	if len(names) == 0 {
		return "no policy"
	}
	return strings.Join(names, ", ")
}

func (t *Test) wanted() (*hclspec.Workspace, []*resolve.Job, hcl.Diagnostics) {
	if t.Path == "" {
		return t.resolve(t.Config)
	}
	loaded, diags := workspace.Load(workspace.Options{Path: filepath.Join(filepath.Dir(t.File), t.Path)})
	if diags.HasErrors() {
		return loaded.Workspace, nil, diags
	}
	loaded.Workspace.Name = testWorkspace
	items, more := loaded.Items()
	jobs, found := resolve.All(resolve.Input{Workspace: loaded.Workspace, User: testUser, Items: items})
	return loaded.Workspace, jobs, slices.Concat(diags, more, found)
}

func (t *Test) resolve(source string) (*hclspec.Workspace, []*resolve.Job, hcl.Diagnostics) {
	name := fmt.Sprintf("%s (test %q)", t.File, t.Name)
	ws, diags := syntax.Decode(syntax.Input{Files: map[string][]byte{name: []byte(source)}, Dir: filepath.Dir(t.File)})
	ws.Name = testWorkspace
	if diags = append(diags, hclspec.Validate(ws)...); diags.HasErrors() {
		return ws, nil, diags
	}
	jobs, found := resolve.All(resolve.Input{Workspace: ws, User: testUser})
	return ws, jobs, append(diags, found...)
}

// live returns a snapshot of each cluster with the jobs from Before, all
// running.
func (t *Test) live() (map[string]*planner.Snapshot, hcl.Diagnostics) {
	all := map[string]*planner.Snapshot{}
	if t.Before == "" {
		return all, nil
	}
	_, jobs, diags := t.resolve(t.Before)
	for _, job := range jobs {
		if all[job.Cluster] == nil {
			all[job.Cluster] = &planner.Snapshot{}
		}
		hash, fields := planner.Hashes(job)
		tasks := 0
		for _, role := range job.TaskRoles {
			tasks += role.Instances
		}
		all[job.Cluster].Jobs = append(all[job.Cluster].Jobs, &planner.LiveJob{
			Address: job.Address, Workspace: testWorkspace, User: testUser, Framework: job.Framework, UID: job.Framework,
			State: planner.StateRunning, Present: true, RunningTasks: tasks, Hash: hash, Fields: fields, Applied: job,
		})
	}
	return all, diags
}
