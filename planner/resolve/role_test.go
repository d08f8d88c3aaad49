// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestCompletionPoliciesHaveDefaults(t *testing.T) {
	t.Parallel()
	n := func(i int) *int { return &i }
	for name, c := range map[string]struct {
		declared          hclspec.Completion
		failed, succeeded int
	}{
		"absent: one failure, all successes": {hclspec.Completion{}, 1, 4},
		"zero is as absent":                  {hclspec.Completion{MinFailedInstances: n(0), MinSucceededInstances: n(0)}, 1, 4},
		"-1 disables the rule":               {hclspec.Completion{MinFailedInstances: n(-1), MinSucceededInstances: n(-1)}, -1, -1},
		"given":                              {hclspec.Completion{MinFailedInstances: n(2), MinSucceededInstances: n(3)}, 2, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			role := resolveOne(t, workspace(nil, jobOf(func(_ *hclspec.Job, r *hclspec.TaskRole) { r.Instances, r.Completion = 4, c.declared }))).TaskRoles[0]
			if role.MinFailed != c.failed || role.MinSucceeded != c.succeeded {
				t.Errorf("got %d and %d", role.MinFailed, role.MinSucceeded)
			}
		})
	}
}

func TestPortsAreSortedAndCompleted(t *testing.T) {
	t.Parallel()
	want := []Port{{"http", 3}, {"ssh", 1}, {"worker", 2}}
	if diff := cmp.Diff(want, ports(map[string]int{"worker": 2, "http": 3})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestTheActiveDeploymentSurroundsTheCommands(t *testing.T) {
	t.Parallel()
	deploy := func(j *hclspec.Job, _ *hclspec.TaskRole) {
		j.DefaultDeployment = "prod"
		around := func(tag string) []*hclspec.DeploymentTaskRole {
			return []*hclspec.DeploymentTaskRole{{Name: "other", PreCommands: []string{"no"}}, {Name: "worker", PreCommands: []string{tag + " <% $parameters.p %>"}, PostCommands: []string{" after ", " "}}}
		}
		j.Deployments = []*hclspec.Deployment{{Name: "test", TaskRoles: around("test")}, {Name: "prod", TaskRoles: around("prod")}}
	}
	job := resolveOne(t, workspace(nil, jobOf(commands(" a ", "", "b"), deploy, parameters(map[string]any{"p": "P"}))))
	if diff := cmp.Diff([]string{"prod P", "a", "b", "after"}, job.TaskRoles[0].Commands); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if job.Deployment != "prod" {
		t.Errorf("deployment %q", job.Deployment)
	}
}

func TestTimesFallBackFromRoleToJobToCluster(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		role, job, cluster int
		want               int
	}{
		"the role's":     {1, 2, 3, 60},
		"the job's":      {0, 2, 3, 120},
		"the cluster's":  {0, 0, 3, 180},
		"without limits": {0, 0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ws := workspace(nil, jobOf(func(j *hclspec.Job, r *hclspec.TaskRole) {
				j.Cluster, r.MaxRunTime, j.MaxRunTime, j.StopGrace = "cluster.gpu", minutes(c.role), minutes(c.job), minutes(c.job)
			}))
			ws.Clusters = []*hclspec.Cluster{{Name: "gpu", User: "ci", MaxRunTime: minutes(c.cluster), MaxWaitTime: minutes(c.cluster)}}
			job := resolveOne(t, ws)
			role := job.TaskRoles[0]
			grace, wait := 30, 600
			if c.job > 0 {
				grace = 60 * c.job
			}
			if c.cluster > 0 {
				wait = 60 * c.cluster
			}
			got := []int{role.MaxRunSeconds, role.StopGraceSeconds, job.MaxWaitSeconds}
			if diff := cmp.Diff([]int{c.want, grace, wait}, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if job.Cluster != "gpu" || job.User != "ci" {
				t.Errorf("cluster %q, user %q", job.Cluster, job.User)
			}
		})
	}
}

func TestInvalidJobsAreErrors(t *testing.T) {
	t.Parallel()
	rename := func(names ...string) func(*hclspec.Job, *hclspec.TaskRole) {
		return func(j *hclspec.Job, r *hclspec.TaskRole) {
			j.TaskRoles = nil
			for _, n := range names {
				role := *r
				role.Name = n
				j.TaskRoles = append(j.TaskRoles, &role)
			}
		}
	}
	for name, c := range map[string]struct {
		job  *hclspec.Job
		want string
	}{
		"an unknown cluster": {
			jobOf(func(j *hclspec.Job, _ *hclspec.TaskRole) { j.Cluster = "lokal" }),
			`unknown-cluster 101: job.j runs on the cluster "lokal", which no cluster block declares. Did you mean "local"?`},
		"an unknown deployment": {
			jobOf(func(j *hclspec.Job, _ *hclspec.TaskRole) { j.DefaultDeployment = "prod" }),
			`unknown-deployment 101: job.j activates the deployment "prod", but the job declares none.`},
		"roles with the same name on the cluster": {
			jobOf(rename("Work_er", "worker")),
			`invalid-role-name 101: The task roles "Work_er" and "worker" have the same name "worker" on the cluster. Rename one of them.`},
		"a role without a name on the cluster": {
			jobOf(rename("__")),
			`invalid-role-name 101: The task role name "__" must contain at least one digit or letter from a to z.`},
		"a role with a long name": {
			jobOf(rename(strings.Repeat("a", 64))),
			`invalid-role-name 101: The task role name "` + strings.Repeat("a", 64) + `" has 64 characters on the cluster; at most 63 are allowed. Shorten the name.`},
		"an image whose name is similar to a prerequisite": {
			jobOf(func(_ *hclspec.Job, r *hclspec.TaskRole) { r.Image = hclspec.Reference{Target: "torcj", Path: r.Path} }),
			`unknown-prerequisite 101: Task role "worker" refers to the prerequisite "torcj", which is not declared in the job and the workspace. Did you mean "torch"?`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ws := workspace([]*hclspec.Prerequisite{prerequisite("dockerimage", "torch")}, c.job)
			_, diags := All(Input{Workspace: ws})
			if diff := cmp.Diff(c.want, strings.TrimSpace(diagnostics(diags))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestAnImageWithUppercaseLettersIsReported covers images with templates and images from a
// marketplace, which no other package checks.
func TestAnImageWithUppercaseLettersIsReported(t *testing.T) {
	t.Parallel()
	image := func(uri string) *hclspec.Prerequisite {
		p := prerequisite("dockerimage", "i")
		p.URI = []string{uri}
		return p
	}
	uses := func(target string) *hclspec.Job {
		return jobOf(func(j *hclspec.Job, r *hclspec.TaskRole) {
			j.Parameters = map[string]any{"who": "Team"}
			r.Image = hclspec.Reference{Target: target, Path: r.Path}
		})
	}
	imported := uses("i")
	imported.Syntax, imported.Prerequisites = hclspec.SyntaxProtocol, []*hclspec.Prerequisite{image("r/<% $parameters.who %>")}
	for name, c := range map[string]struct {
		declared []*hclspec.Prerequisite
		job      *hclspec.Job
		want     string
	}{
		"filled in":                      {[]*hclspec.Prerequisite{image("r/<% $parameters.who %>")}, uses("prerequisite.dockerimage.i"), `uppercase-image: The image "r/Team" has`},
		"of a marketplace":               {nil, uses("marketplace://name/i"), `uppercase-image: The image "r/Market" has`},
		"filled in, from an OpenPAI job": {nil, imported, `uppercase-image-imported: The image "r/Team" has`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			items := shelf{"marketplace://name/i": {Definition: image("r/Market"), Address: "marketplace://team/i", Used: UsedItem{Version: "1.2"}}}
			_, diags := All(Input{Workspace: workspace(c.declared, c.job), Items: items})
			if len(diags) != 1 || !strings.HasPrefix(hclspec.Code(diags[0])+": "+diags[0].Detail, c.want) {
				t.Errorf("want %q, got\n%s", c.want, diagnostics(diags))
			}
		})
	}
}

// TestAnImageMayResembleTheNamesOfPrerequisites checks that "redis" remains an image
// reference in HCL, even if prerequisites of other types have similar names.
func TestAnImageMayResembleTheNamesOfPrerequisites(t *testing.T) {
	t.Parallel()
	job := jobOf(func(_ *hclspec.Job, r *hclspec.TaskRole) { r.Image = hclspec.Reference{Target: "redis", Path: r.Path} })
	ws := workspace([]*hclspec.Prerequisite{prerequisite("data", "redis-dump"), prerequisite("script", "redos")}, job)
	jobs, diags := All(Input{Workspace: ws})
	if diags.HasErrors() {
		t.Fatal(diagnostics(diags))
	}
	if got := jobs[0].TaskRoles[0].Image.URI; got != "redis" {
		t.Errorf("the image is %q", got)
	}
}
