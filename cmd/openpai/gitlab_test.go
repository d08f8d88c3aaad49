// SPDX-License-Identifier: MPL-2.0

//go:build unix

package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// gitlabJob is a job of .gitlab-ci.yml with the fields that the example uses.
type gitlabJob struct {
	Rules     []gitlabRule
	Variables map[string]string
	Script    []string
	Artifacts struct{ Paths []string }
}

type gitlabRule struct {
	If      string
	Changes []string
}

// readGitlab reads the jobs from the example's .gitlab-ci.yml.
func readGitlab(t *testing.T) map[string]gitlabJob {
	t.Helper()
	var file map[string]yaml.Node
	readYAML(t, filepath.Join(pullRequests, ".gitlab-ci.yml"), &file)
	jobs := map[string]gitlabJob{}
	for name, node := range file {
		var job gitlabJob
		if name == "default" || name == "stages" {
			continue
		}
		if name == "variables" {
			if err := node.Decode(&job.Variables); err != nil {
				t.Fatal(err)
			}
		} else if err := node.Decode(&job); err != nil {
			t.Fatal(err)
		}
		jobs[name] = job
	}
	return jobs
}

// gitlabRun runs a job of .gitlab-ci.yml with the variables of its pipeline.
func (tm *team) gitlabRun(jobs map[string]gitlabJob, name, ref string, pipeline map[string]string) outcome {
	tm.t.Helper()
	job := jobs[name]
	all := map[string]string{"CI_API_V4_URL": tm.forge.url + "/api/v4", "CI_PROJECT_ID": "7", "CI_DEFAULT_BRANCH": "main", "OPENPAI_GITLAB_TOKEN": token}
	for _, more := range []map[string]string{jobs["variables"].Variables, job.Variables, pipeline} {
		maps.Copy(all, more)
	}
	if !slices.ContainsFunc(job.Rules, func(r gitlabRule) bool {
		return ruleHolds(r.If, all) && (len(r.Changes) == 0 || triggers(tm.t, r.Changes, tm.changed(all["CI_COMMIT_BEFORE_SHA"], all["CI_COMMIT_SHA"])))
	}) {
		return outcome{skipped: true}
	}
	tm.checkout(tm.dir, ref)
	head := git(tm.t, tm.dev, "rev-parse", ref)
	env := []string{"GIT_CONFIG_GLOBAL=/dev/null"}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		env = append(env, name+"="+all[name])
	}
	code, output := tm.bash(strings.Join(job.Script, "\n"), env)
	done := outcome{code: code, output: output}
	if code != 0 {
		done.step = name
		return done
	}
	for _, path := range job.Artifacts.Paths {
		content, err := os.ReadFile(filepath.Join(tm.dir, path))
		if err != nil {
			tm.t.Fatal(err)
		}
		tm.forge.upload(head, "plan", content)
	}
	return done
}

// ruleHolds evaluates comparisons of variables, joined by &&.
func ruleHolds(rule string, variables map[string]string) bool {
	value := func(text string) string {
		text = strings.TrimSpace(text)
		if name, ok := strings.CutPrefix(text, "$"); ok {
			return variables[name]
		}
		return strings.Trim(text, `"`)
	}
	for part := range strings.SplitSeq(rule, "&&") {
		left, right, equal := strings.Cut(part, "==")
		if !equal {
			left, right, _ = strings.Cut(part, "!=")
		}
		if (value(left) == value(right)) != equal {
			return false
		}
	}
	return true
}

// TestTheGitLabPipelineAppliesOnlyTheReviewedPlan runs the plan, note, merge, apply and
// drift scripts of .gitlab-ci.yml. It also covers a changed base branch, a denied plan
// and a fork.
func TestTheGitLabPipelineAppliesOnlyTheReviewedPlan(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"curl", "jq"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("the scripts need %s, which is not installed", program)
		}
	}
	tm, jobs := newTeam(t), readGitlab(t)
	opened := func(project string) map[string]string {
		return map[string]string{
			"CI_PIPELINE_SOURCE": "merge_request_event", "CI_MERGE_REQUEST_IID": "1", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
			"CI_MERGE_REQUEST_PROJECT_ID": "7", "CI_MERGE_REQUEST_SOURCE_PROJECT_ID": project, "CI_MERGE_REQUEST_TITLE": "$(touch pwned)",
		}
	}
	push := func(branch, repo string) outcome {
		t.Helper()
		event := tm.squash(branch, repo)
		before := fmt.Sprint(event["event"].(map[string]any)["before"])
		return tm.gitlabRun(jobs, "apply", fmt.Sprint(event["sha"]), map[string]string{
			"CI_PIPELINE_SOURCE": "push", "CI_COMMIT_BRANCH": "main", "CI_COMMIT_SHA": fmt.Sprint(event["sha"]), "CI_COMMIT_BEFORE_SHA": before,
		})
	}
	propose := func(branch, image, command string) outcome {
		t.Helper()
		if branch != git(t, tm.dev, "branch", "--show-current") {
			tm.branch(branch)
		}
		tm.declare(branch, image, command)
		tm.commit(branch)
		git(t, tm.dev, "push", "--quiet", "--force", "origin", branch)
		return tm.gitlabRun(jobs, "plan", branch, opened("7"))
	}

	tm.want(propose("train", "busybox:1.36", "echo one"), "", 0)
	tm.wantComment("| create | `job.train`", "The merge applies exactly this plan.")
	tm.want(propose("train", "busybox:1.36", "echo two"), "", 0)
	tm.wantComment("echo two")
	tm.want(push("train", repository), "", 0, "job.train: submitted")
	tm.bash("openpai wait jobs", nil)
	if state := tm.state("train"); state != "SUCCEEDED" {
		t.Errorf("job.train is %q", state)
	}

	tm.want(propose("denied", "busybox:latest", "echo three"), "plan", 3, "policy-denied")
	tm.wantComment("A policy denies this plan.")
	tm.want(push("denied", repository), "apply", 1, "No plan of the merge request 1 succeeded.")
	if err := os.Remove(filepath.Join(tm.dev, "jobs/denied.pai.hcl")); err != nil {
		t.Fatal(err)
	}
	tm.commit("revert")

	tm.want(propose("moved", "busybox:1.36", "echo four"), "", 0)
	git(t, tm.dev, "checkout", "--quiet", "main")
	tm.declare("hotfix", "busybox:1.36", "true")
	tm.commit("hotfix")
	tm.want(push("moved", repository), "apply", 1, "saved-plan-stale", "hotfix.pai.hcl is new")

	// An empty merge does not start apply. Adding a comment to a file in the jobs
	// directory starts apply. The script prints this advice.
	tm.branch("empty")
	tm.commit("empty")
	if got := push("empty", repository); !got.skipped {
		t.Error("an empty merge started apply")
	}
	tm.advised(strings.Join(jobs["apply"].Script, ""))
	tm.branch("again")
	tm.comment("again")
	git(t, tm.dev, "push", "--quiet", "origin", "again")
	tm.want(tm.gitlabRun(jobs, "plan", "again", opened("7")), "", 0)
	tm.want(push("again", repository), "", 0, "job.moved: submitted")

	// If the policy tests fail, the note no longer contains the earlier plan.
	tm.branch("broken")
	tm.breakPolicyTests()
	git(t, tm.dev, "push", "--quiet", "origin", "broken")
	tm.want(tm.gitlabRun(jobs, "plan", "broken", opened("7")), "plan", 1)
	if got := strings.TrimSpace(tm.forge.comment()); got != strings.ReplaceAll(strings.TrimSpace(strings.Replace(withoutPlan, "\n", "\n\n", 1)), "workflow", "job") {
		t.Errorf("the note is\n%s", got)
	}

	if got := tm.gitlabRun(jobs, "plan", "moved", opened("8")); !got.skipped {
		t.Error("a merge request of a fork was planned with credentials")
	}
	tm.want(tm.gitlabRun(jobs, "fork", "moved", opened("8")), "", 0, "Offline plan")
	tm.branch("stranger")
	tm.comment("stranger")
	tm.want(push("stranger", "mallory/jobs"), "apply", 1, "is not the merge of a merge request from a branch of this project")
	tm.want(tm.gitlabRun(jobs, "drift", "main", map[string]string{"CI_PIPELINE_SOURCE": "schedule"}), "", 0, "No drift in ")
	if _, err := os.Stat(filepath.Join(tm.dir, "pwned")); err == nil {
		t.Error("a script ran text of the merge request")
	}
}

// TestAtlantisRunsTheStepsOfTheServer runs the steps from the Atlantis server
// configuration.
func TestAtlantisRunsTheStepsOfTheServer(t *testing.T) {
	t.Parallel()
	var server struct {
		Repos []struct {
			Workflow             string
			AllowedOverrides     []string `yaml:"allowed_overrides"`
			AllowCustomWorkflows bool     `yaml:"allow_custom_workflows"`
		}
		Workflows map[string]map[string]struct {
			Steps []map[string]yaml.Node
		}
	}
	readYAML(t, filepath.Join(pullRequests, "atlantis/repos.yaml"), &server)
	var repo struct {
		Projects []struct{ Dir string }
	}
	readYAML(t, filepath.Join(pullRequests, "atlantis.yaml"), &repo)
	configuration := server.Repos[0]
	if configuration.AllowCustomWorkflows || len(configuration.AllowedOverrides) > 0 {
		t.Error("the repository chooses what the server runs")
	}
	tm := newTeam(t)
	stage := func(name string) (code int, output string) {
		t.Helper()
		env := []string{"PLANFILE=" + filepath.Join(tm.dir, "default.tfplan")}
		for _, step := range server.Workflows[configuration.Workflow][name].Steps {
			if node, ok := step["env"]; ok {
				var v struct{ Name, Value string }
				if err := node.Decode(&v); err != nil {
					t.Fatal(err)
				}
				if v.Name != "OPENPAI_POLICY" || !filepath.IsAbs(v.Value) {
					t.Errorf("%s=%s: want a directory of the server", v.Name, v.Value)
				}
				env = append(env, v.Name+"="+filepath.Join(tm.dev, "policies")) // replaces the directory in the configuration
				continue
			}
			command := step["run"]
			if code, output = tm.bash("cd "+repo.Projects[0].Dir+"\n"+command.Value, env); code != 0 {
				break
			}
		}
		return code, output
	}
	want := func(name string, code int, text string) {
		t.Helper()
		if got, output := stage(name); got != code || !strings.Contains(output, text) {
			t.Fatalf("%s: exit code %d, want %d and %q\n%s", name, got, code, text, output)
		}
	}
	declare := func(image string) {
		t.Helper()
		tm.declare("train", image, "true")
		tm.commit(image)
		git(t, tm.dev, "push", "--quiet", "origin", "main")
		tm.checkout(tm.dir, "main")
	}

	declare("busybox:latest")
	want("plan", 3, "policy-denied")
	want("apply", 1, "default.tfplan")
	declare("busybox:1.36")
	want("plan", 0, "job.train: create")
	declare("busybox:1.37")
	want("apply", 1, "saved-plan-stale")
	want("plan", 0, "job.train: create")
	want("apply", 0, "job.train: submitted")
	want("apply", 1, "saved-plan-applied")
}
