// SPDX-License-Identifier: MPL-2.0

//go:build unix

package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// pullRequests is the directory of the pull request example.
const pullRequests = "../../examples/pull-request"

// team is a repository with the files of the example, and its users. Its jobs
// run on the local cluster.
type team struct {
	*runner
	dev      string // the developer's clone
	workflow workflow
}

func newTeam(t *testing.T) *team {
	t.Helper()
	root := t.TempDir()
	tm := &team{dev: filepath.Join(root, "dev")}
	tm.runner = &runner{t: t, forge: newForge(t), origin: filepath.Join(root, "origin.git"), dir: filepath.Join(root, "runner"), temp: filepath.Join(root, "temp")}
	git(t, root, "init", "--quiet", "--bare", "--initial-branch=main", tm.origin)
	git(t, tm.origin, "config", "uploadpack.allowAnySHA1InWant", "true")
	if err := os.CopyFS(tm.dev, os.DirFS(pullRequests)); err != nil {
		t.Fatal(err)
	}
	git(t, tm.dev, "init", "--quiet", "--initial-branch=main")
	git(t, tm.dev, "remote", "add", "origin", tm.origin)
	tm.write("jobs/main.pai.hcl", "openpai {\n  workspace = \"team\"\n}\n")
	tm.commit("first")
	git(t, tm.dev, "push", "--quiet", "origin", "main")
	readYAML(t, filepath.Join(pullRequests, ".github/workflows/openpai.yml"), &tm.workflow)
	tm.forge.archive = release(t)
	sum := sha256.Sum256(tm.forge.archive)
	tm.workflow.Env["OPENPAI_SHA256"] = hex.EncodeToString(sum[:])
	t.Cleanup(func() { endAll(t, root) })
	return tm
}

// release returns a release archive whose openpai program runs this test binary.
func release(t *testing.T) []byte {
	t.Helper()
	program, err := exec.LookPath("openpai")
	if err != nil {
		t.Fatal(err)
	}
	script := fmt.Appendf(nil, "#!/bin/sh\nexec '%s' \"$@\"\n", program)
	var archive bytes.Buffer
	zipped := gzip.NewWriter(&archive)
	files := tar.NewWriter(zipped)
	_ = files.WriteHeader(&tar.Header{Name: "openpai", Mode: 0o755, Size: int64(len(script))})
	_, _ = files.Write(script)
	_ = files.Close()
	_ = zipped.Close()
	return archive.Bytes()
}

func (tm *team) write(name, text string) {
	tm.t.Helper()
	if err := os.WriteFile(filepath.Join(tm.dev, name), []byte(text), 0o600); err != nil {
		tm.t.Fatal(err)
	}
}

// declare writes a job to a file named after the job.
func (tm *team) declare(name, image, command string) {
	tm.t.Helper()
	tm.write("jobs/"+name+".pai.hcl", fmt.Sprintf(`job %q {
  task_role "worker" {
    image    = %q
    commands = [%q]

    resources {
      gpu       = 0
      cpu       = 1
      memory_mb = 64
    }
  }
}
`, name, image, command))
}

func (tm *team) commit(message string) string {
	git(tm.t, tm.dev, "add", "--all")
	git(tm.t, tm.dev, "commit", "--quiet", "--allow-empty", "-m", message)
	return git(tm.t, tm.dev, "rev-parse", "HEAD")
}

func (tm *team) branch(name string) { git(tm.t, tm.dev, "checkout", "--quiet", "-b", name, "main") }

// opened returns the event for a pull request from the current branch. An
// untrusted author can choose the title and the branch name, so the test puts
// shell commands in both.
func (tm *team) opened(repo string) map[string]any {
	tm.t.Helper()
	branch, head := git(tm.t, tm.dev, "branch", "--show-current"), git(tm.t, tm.dev, "rev-parse", "HEAD")
	git(tm.t, tm.dev, "checkout", "--quiet", "--detach", "main")
	git(tm.t, tm.dev, "merge", "--quiet", "--no-ff", "-m", "merge", head)
	git(tm.t, tm.dev, "push", "--quiet", "--force", "origin", "HEAD:refs/pull/1/merge")
	merge := git(tm.t, tm.dev, "rev-parse", "HEAD")
	git(tm.t, tm.dev, "checkout", "--quiet", branch)
	return map[string]any{
		"event_name": "pull_request", "sha": merge, "base_ref": "main", "head_ref": "$(touch pwned)",
		"event": map[string]any{"pull_request": map[string]any{
			"number": 1, "title": "`touch pwned`",
			"head": map[string]any{"sha": head, "ref": "$(touch pwned)", "repo": map[string]any{"full_name": repo}},
		}},
	}
}

// squash merges a branch as one commit and returns the push event.
func (tm *team) squash(branch, repo string) map[string]any {
	tm.t.Helper()
	head := git(tm.t, tm.dev, "rev-parse", branch)
	git(tm.t, tm.dev, "checkout", "--quiet", "main")
	before := git(tm.t, tm.dev, "rev-parse", "HEAD")
	git(tm.t, tm.dev, "merge", "--quiet", "--squash", branch)
	after := tm.commit("squashed " + branch)
	git(tm.t, tm.dev, "push", "--quiet", "origin", "main")
	project := 7
	if repo != repository {
		project = 8
	}
	tm.forge.merge(after, head, repo, project)
	return map[string]any{"event_name": "push", "sha": after, "event": map[string]any{"before": before}}
}

// state returns the state of a job on the local cluster, or "".
func (tm *team) state(job string) string {
	tm.t.Helper()
	_, out := tm.bash("openpai status --json jobs | tr -d ' \\n'", nil)
	found := regexp.MustCompile(`"address":"job\.` + job + `".*?"state":"(\w+)"`).FindStringSubmatch(out)
	if found == nil {
		return ""
	}
	return found[1]
}

var credentials = map[string]any{"OPENPAI_KUBECONFIG": "{}"}

// want checks which step of a job failed, its exit code, and the job's
// output.
func (tm *team) want(got outcome, step string, code int, texts ...string) {
	tm.t.Helper()
	if got.skipped || got.step != step || got.code != code {
		tm.t.Fatalf("skipped %t, step %q failed with %d; want %q with %d\n%s", got.skipped, got.step, got.code, step, code, got.output)
	}
	for _, text := range texts {
		if !strings.Contains(got.output, text) {
			tm.t.Errorf("%q is not in\n%s", text, got.output)
		}
	}
}

func (tm *team) wantComment(texts ...string) {
	tm.t.Helper()
	body := tm.forge.comment()
	for _, text := range texts {
		if !strings.Contains(body, text) {
			tm.t.Errorf("%q is not in the comment\n%s", text, body)
		}
	}
}

// TestTheGitHubWorkflowAppliesOnlyTheReviewedPlan runs the steps of the example's
// workflow: plan, comment, merge, apply and drift.
func TestTheGitHubWorkflowAppliesOnlyTheReviewedPlan(t *testing.T) {
	t.Parallel()
	tm := newTeam(t)
	run := func(name string, event map[string]any) outcome {
		t.Helper()
		return tm.job(&tm.workflow, name, event, credentials)
	}

	// The plan of a pull request is one comment; the next commit updates it.
	tm.branch("train")
	tm.declare("train", "busybox:1.36", "sleep 600")
	tm.commit("train")
	tm.want(run("plan", tm.opened(repository)), "", 0)
	tm.wantComment("<!-- openpai plan -->", "| create | `job.train`", "sleep 600", "The merge applies exactly this plan.")
	tm.declare("train", "busybox:1.36", "sleep 601")
	tm.commit("longer")
	tm.want(run("plan", tm.opened(repository)), "", 0)
	tm.wantComment("sleep 601")
	if tm.forge.edits != 1 {
		t.Errorf("%d comments were edited, want 1", tm.forge.edits)
	}

	// After the merge, the pipeline applies the plan.
	tm.want(run("apply", tm.squash("train", repository)), "", 0, "job.train: submitted")
	for _, name := range []string{"pwned", "jobs/pwned", "base/pwned"} {
		if _, err := os.Stat(filepath.Join(tm.dir, name)); err == nil {
			t.Error("a step executed text of the pull request")
		}
	}

	// The base branch has changed. The apply job therefore fails before it applies
	// anything, and prints the new plan.
	tm.branch("second")
	tm.declare("second", "busybox:1.36", "true")
	tm.commit("second")
	tm.want(run("plan", tm.opened(repository)), "", 0)
	git(t, tm.dev, "checkout", "--quiet", "main")
	tm.declare("hotfix", "busybox:1.36", "true")
	tm.commit("hotfix")
	tm.want(run("apply", tm.squash("second", repository)), "Apply exactly that plan", 1, "saved-plan-stale", "hotfix.pai.hcl is new", "job.hotfix: create")
	if state := tm.state("second"); state != "" && state != "ABSENT" {
		t.Errorf("job.second is %s", state)
	}

	// The drift job reports drift only after the supervisor is killed.
	tm.bash("openpai wait --for running jobs job.train", nil)
	tm.want(run("drift", scheduled(tm)), "", 0, "No drift")
	pids, err := supervisors(filepath.Join(tm.dir, "jobs"))
	if err != nil || len(pids) != 1 {
		t.Fatal(pids, err)
	}
	if err := syscall.Kill(pids[0], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	tm.want(run("drift", scheduled(tm)), "Look for drift", 4, "missing: supervisor")

	// After the refusal, an empty merge does not start apply. A new comment in a
	// file of the jobs directory starts apply. The script advises this.
	tm.branch("empty")
	tm.commit("empty")
	if got := run("apply", tm.squash("empty", repository)); !got.skipped {
		t.Error("an empty merge started apply")
	}
	for _, step := range tm.workflow.Jobs["apply"].Steps {
		if strings.Contains(step.Run, "refuse()") {
			tm.advised(step.Run)
		}
	}
	tm.branch("again")
	tm.comment("again")
	tm.want(run("plan", tm.opened(repository)), "", 0)
	tm.want(run("apply", tm.squash("again", repository)), "", 0, "job.second: submitted")
}

// comment adds a comment to a file in the jobs directory and commits the file.
func (tm *team) comment(message string) {
	tm.t.Helper()
	name := filepath.Join("jobs", "main.pai.hcl")
	text, err := os.ReadFile(filepath.Join(tm.dev, name))
	if err != nil {
		tm.t.Fatal(err)
	}
	tm.write(name, string(text)+"# "+message+"\n")
	tm.commit(message)
}

// advised checks that a script and the README advise the user to change a job
// file.
func (tm *team) advised(script string) {
	tm.t.Helper()
	readme, err := os.ReadFile(filepath.Join(tm.dev, "README.md"))
	if err != nil {
		tm.t.Fatal(err)
	}
	for name, text := range map[string]string{"the script": script, "README.md": strings.Join(strings.Fields(string(readme)), " ")} {
		if !strings.Contains(strings.ReplaceAll(text, "`", ""), "changes a file in jobs") {
			tm.t.Errorf("%s does not advise a change that starts apply", name)
		}
	}
}

func scheduled(tm *team) map[string]any {
	return map[string]any{"event_name": "schedule", "sha": git(tm.t, tm.dev, "rev-parse", "main")}
}

// TestTheGitHubWorkflowAppliesNoDeniedPlan runs the workflow for a pull request that
// violates a policy. The policy denies the plan, although the pull request also edits
// the policy.
func TestTheGitHubWorkflowAppliesNoDeniedPlan(t *testing.T) {
	t.Parallel()
	tm := newTeam(t)
	tm.branch("latest")
	tm.declare("train", "busybox:latest", "true")
	tm.write("policies/images.pai.hcl", "policy \"pinned_images\" {\n  for_each  = task_roles\n  condition = true\n  message   = \"fine\"\n}\n")
	tm.write("policies/images.paipolicytest.hcl", "")
	head := tm.commit("latest")
	tm.want(tm.job(&tm.workflow, "plan", tm.opened(repository), credentials), "Plan", 3, "policy-denied")
	tm.wantComment("The image busybox:latest is not pinned", "A policy denies this plan.")
	push := tm.squash("latest", repository)
	tm.want(tm.job(&tm.workflow, "apply", push, credentials), "Get the plan of the merged pull request", 1, "No plan of "+head+" succeeded.", "Nothing was applied.")

	// The test saves a plan without the policy. An edited workflow could also
	// save such a plan. Apply must reject the plan.
	tm.bash("openpai plan --out forged.openpai jobs", nil)
	forged, err := os.ReadFile(filepath.Join(tm.dir, "forged.openpai"))
	if err != nil {
		t.Fatal(err)
	}
	tm.forge.upload(head, "openpai-plan", forged)
	tm.want(tm.job(&tm.workflow, "apply", push, credentials), "Apply exactly that plan", 3, "policy-denied")
	if state := tm.state("train"); state != "" && state != "ABSENT" {
		t.Errorf("job.train is %s", state)
	}
}

// TestTheGitHubWorkflowRunsForksWithoutCredentials runs the workflow for a pull request
// from a fork. The workflow does not receive secrets, contact a cluster or write a
// comment. The apply job rejects saved plans from the workflow run for the fork.
func TestTheGitHubWorkflowRunsForksWithoutCredentials(t *testing.T) {
	t.Parallel()
	tm := newTeam(t)
	const fork = "mallory/jobs"
	tm.branch("fork")
	tm.declare("train", "busybox:1.36", "true")
	head := tm.commit("train")
	event := tm.opened(fork)
	if got := tm.job(&tm.workflow, "plan", event, credentials); !got.skipped {
		t.Error("the job with credentials ran")
	}
	got := tm.job(&tm.workflow, "fork", event, nil)
	tm.want(got, "", 0)
	if !strings.Contains(got.summary, "| create | `job.train`") || tm.forge.comment() != "" {
		t.Errorf("summary:\n%s\ncomment: %s", got.summary, tm.forge.comment())
	}
	job := tm.workflow.Jobs["fork"]
	if job.Environment != "" || len(job.Permissions) != 1 || job.Permissions["contents"] != "read" || strings.Contains(fmt.Sprint(job), "secrets.") {
		t.Errorf("a fork gets unnecessary permissions: %+v", job)
	}

	tm.checkout(tm.dir, fmt.Sprint(event["sha"]))
	tm.bash("openpai plan --out forged.openpai jobs", nil)
	forged, err := os.ReadFile(filepath.Join(tm.dir, "forged.openpai"))
	if err != nil {
		t.Fatal(err)
	}
	tm.forge.upload(head, "openpai-plan", forged)
	tm.want(tm.job(&tm.workflow, "apply", tm.squash("fork", fork), credentials), "Get the plan of the merged pull request", 1, "is not the merge of a pull request from a branch of this repository")
	if _, err := os.Stat(filepath.Join(tm.dir, "jobs", ".openpai")); err == nil {
		t.Error("something was applied")
	}
}

// TestPipelinesPinWhatTheyRun checks that the GitHub workflow pins actions to commits.
// It also checks that scripts read the values of a pull request only from the
// environment.
func TestPipelinesPinWhatTheyRun(t *testing.T) {
	t.Parallel()
	var w workflow
	readYAML(t, filepath.Join(pullRequests, ".github/workflows/openpai.yml"), &w)
	pinned := regexp.MustCompile(`^[a-z-]+/[a-z-]+@[0-9a-f]{40}$`)
	steps := 0
	for name, job := range w.Jobs {
		for _, step := range job.Steps {
			steps++
			if step.Uses != "" && !pinned.MatchString(step.Uses) {
				t.Errorf("%s: %s is not pinned by a commit", name, step.Uses)
			}
			if strings.Contains(step.Run, "${{") {
				t.Errorf("%s: the script of %q contains an expression", name, step.Name)
			}
			if strings.HasPrefix(step.Uses, "actions/checkout@") && step.With["persist-credentials"] != "false" {
				t.Errorf("%s: a checkout keeps the token", name)
			}
		}
	}
	if steps < 15 {
		t.Errorf("only %d steps were found", steps)
	}
}
