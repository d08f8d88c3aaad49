// SPDX-License-Identifier: MPL-2.0

//go:build unix

package main

import (
	"bytes"
	"errors"
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

// workflow is a GitHub workflow with the fields that the example uses.
type workflow struct {
	On struct {
		Push struct{ Paths []string }
	}
	Env  map[string]string
	Jobs map[string]workflowJob
}

type workflowJob struct {
	If          string
	Environment string
	Permissions map[string]string
	Steps       []workflowStep
}

type workflowStep struct {
	Name, If, Uses, Run string
	With, Env           map[string]string
}

func readYAML(t *testing.T, path string, to any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, to); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// runner runs pipeline steps in a directory. The directory persists between jobs,
// because it contains the local cluster.
type runner struct {
	t      *testing.T
	forge  *forge
	origin string // a bare repository
	dir    string // the checkout
	temp   string
}

// outcome is the result of a pipeline job.
type outcome struct {
	skipped bool
	step    string // the failed step
	code    int    // its exit code
	output  string // output of all steps
	summary string // summary of the workflow
}

func (r *runner) job(w *workflow, name string, github map[string]any, secrets map[string]any) outcome {
	r.t.Helper()
	job, ok := w.Jobs[name]
	if !ok {
		r.t.Fatalf("there is no job %s", name)
	}
	if event, ok := github["event"].(map[string]any); ok && github["event_name"] == "push" {
		if !triggers(r.t, w.On.Push.Paths, r.changed(fmt.Sprint(event["before"]), fmt.Sprint(github["sha"]))) {
			return outcome{skipped: true}
		}
	}
	github["repository"], github["token"] = repository, token
	r.renew()
	e := &expressions{t: r.t, contexts: map[string]any{"github": github, "secrets": secrets, "runner": map[string]any{"temp": r.temp}}}
	if !e.holds(job.If) {
		return outcome{skipped: true}
	}
	files := map[string]string{}
	env := []string{"RUNNER_TEMP=" + r.temp, "GITHUB_API_URL=" + r.forge.url, "GITHUB_REPOSITORY=" + repository, "GITHUB_SHA=" + fmt.Sprint(github["sha"])}
	for _, name := range []string{"GITHUB_ENV", "GITHUB_PATH", "GITHUB_STEP_SUMMARY"} {
		files[name] = filepath.Join(r.temp, name)
		env = append(env, name+"="+files[name])
	}
	for _, name := range slices.Sorted(maps.Keys(w.Env)) {
		env = append(env, name+"="+e.fill(w.Env[name]))
	}
	var done outcome
	for _, step := range job.Steps {
		if !e.holds(step.If) {
			continue
		}
		code, output := r.step(e, step, slices.Concat(env, assignments(files["GITHUB_ENV"]), pathOf(files["GITHUB_PATH"])))
		done.output += output
		if code != 0 && !e.failed {
			e.failed, done.step, done.code = true, step.Name, code
		}
	}
	summary, _ := os.ReadFile(files["GITHUB_STEP_SUMMARY"])
	done.summary = string(summary)
	return done
}

// renew empties the temporary directory, like GitHub's runners before each job.
func (r *runner) renew() {
	r.t.Helper()
	if err := errors.Join(os.RemoveAll(r.temp), os.Mkdir(r.temp, 0o700)); err != nil {
		r.t.Fatal(err)
	}
}

func (r *runner) step(e *expressions, step workflowStep, env []string) (code int, output string) {
	r.t.Helper()
	with := map[string]string{}
	for name, value := range step.With {
		with[name] = e.fill(value)
	}
	action, _, _ := strings.Cut(step.Uses, "@")
	switch action {
	case "":
		for _, name := range slices.Sorted(maps.Keys(step.Env)) {
			env = append(env, name+"="+e.fill(step.Env[name]))
		}
		return r.bash(step.Run, env)
	case "actions/checkout":
		ref := with["ref"]
		if ref == "" {
			ref = fmt.Sprint(e.value("github.sha"))
		}
		r.checkout(filepath.Join(r.dir, with["path"]), ref)
	case "actions/upload-artifact":
		content, err := os.ReadFile(with["path"])
		if err != nil {
			return 1, err.Error()
		}
		r.forge.upload(fmt.Sprint(e.value("github.event.pull_request.head.sha")), with["name"], content)
	default:
		r.t.Fatalf("the test does not support the action %q", step.Uses)
	}
	return 0, ""
}

// bash runs a script with the shell options of GitHub and GitLab: a failing
// command ends the script.
func (r *runner) bash(script string, env []string) (code int, output string) {
	r.t.Helper()
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		r.t.Fatal(err)
	}
	r.t.Logf("%s\n%s", script, out.String())
	return cmd.ProcessState.ExitCode(), out.String()
}

func (r *runner) checkout(dir, ref string) {
	r.t.Helper()
	if _, err := os.Stat(filepath.Join(dir, ".git")); err != nil {
		git(r.t, filepath.Dir(dir), "clone", "--quiet", r.origin, dir)
	}
	git(r.t, dir, "fetch", "--quiet", "origin", ref)
	git(r.t, dir, "checkout", "--quiet", "--force", "--detach", "FETCH_HEAD")
}

// git runs git without the user's configuration.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=dev", "-c", "user.email=dev@example.com", "-c", "protocol.file.allow=always", "-c", "uploadpack.allowAnySHA1InWant=true"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// assignments returns the NAME=VALUE lines for later steps.
func assignments(path string) []string {
	text, _ := os.ReadFile(path)
	return strings.Fields(string(text))
}

// pathOf returns PATH with the directories that earlier steps added.
func pathOf(path string) []string {
	text, _ := os.ReadFile(path)
	dirs := append(strings.Fields(string(text)), os.Getenv("PATH"))
	return []string{"PATH=" + strings.Join(dirs, string(filepath.ListSeparator))}
}
