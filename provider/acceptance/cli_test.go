// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local"
)

// project is the working directory for a CLI.
type project struct {
	t       testing.TB
	program string
	dir     string
	env     []string
}

// newProject creates an empty project with the provider under test.
func newProject(t testing.TB, program string) *project {
	t.Helper()
	if build.programs[program] == "" {
		t.Fatalf("found no %s; .ci/tools builds tofu", program)
	}
	dir := t.TempDir()
	rc := filepath.Join(dir, "cli.rc")
	write(t, rc, `provider_installation {
  dev_overrides { "openpai/openpai" = "`+filepath.ToSlash(build.dir)+`" }
  direct {}
}
`)
	p := &project{t: t, program: build.programs[program], dir: filepath.Join(dir, "work")}
	if err := os.Mkdir(p.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	p.env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+rc, "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1", "TF_DATA_DIR="+filepath.Join(dir, "data"))
	return p
}

// each runs a test with every CLI.
func each(t *testing.T, test func(t *testing.T, program string)) {
	for program := range build.programs {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			test(t, program)
		})
	}
}

func write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

const preamble = `
terraform {
  required_providers {
    openpai = { source = "openpai/openpai" }
  }
}
`

// configure writes the configuration.
func (p *project) configure(parts ...string) {
	p.t.Helper()
	write(p.t, filepath.Join(p.dir, "main.tf"), preamble+strings.Join(parts, "\n"))
}

func (p *project) run(args ...string) (output string, code int) {
	p.t.Helper()
	if args[0] == "apply" || args[0] == "destroy" {
		p.awaitBegin()
	}
	cmd := exec.CommandContext(context.WithoutCancel(p.t.Context()), p.program, append(args, "-no-color")...)
	cmd.Dir, cmd.Env = p.dir, p.env
	var b bytes.Buffer
	cmd.Stdout, cmd.Stderr = &b, &b
	err := cmd.Run()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		p.t.Fatalf("%s: %v", strings.Join(args, " "), err)
	}
	return b.String(), cmd.ProcessState.ExitCode()
}

// awaitBegin waits until no local job is waiting, because a plan to end a
// waiting job does not end a job that has started.
func (p *project) awaitBegin() {
	p.t.Helper()
	c, err := local.Open(p.dir, local.Options{})
	if err != nil {
		p.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.t.Context()), time.Minute)
	defer cancel()
	jobs, _ := filepath.Glob(filepath.Join(p.dir, ".openpai", "frameworks", "*"))
	for _, job := range jobs {
		_, _ = cluster.Wait(ctx, c, filepath.Base(job), cluster.Running, nil) // do not wait for a job that cannot run
	}
}

func (p *project) must(args ...string) string {
	p.t.Helper()
	out, code := p.run(args...)
	if code != 0 {
		p.t.Fatalf("%s: exit code %d\n%s", strings.Join(args, " "), code, out)
	}
	return out
}

func (p *project) apply(args ...string) string {
	p.t.Helper()
	return p.must(append([]string{"apply", "-auto-approve", "-input=false"}, args...)...)
}

// mustBeEmpty requires an empty plan.
func (p *project) mustBeEmpty() {
	p.t.Helper()
	if out, code := p.run("plan", "-detailed-exitcode", "-input=false"); code != 0 {
		p.t.Fatalf("the plan is not empty: exit code %d\n%s", code, out)
	}
}

// actions returns the planned action by resource, and the plan as text.
func (p *project) actions() (map[string]string, string) {
	p.t.Helper()
	file := filepath.Join(p.t.TempDir(), "plan")
	text := p.must("plan", "-input=false", "-out="+file)
	var plan struct {
		Changes []struct {
			Address string `json:"address"`
			Change  struct {
				Actions []string `json:"actions"`
			} `json:"change"`
		} `json:"resource_changes"`
	}
	cmd := exec.CommandContext(p.t.Context(), p.program, "show", "-json", file)
	cmd.Dir, cmd.Env = p.dir, p.env
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &plan)
	}
	if err != nil {
		p.t.Fatalf("show the plan: %v\n%s", err, out)
	}
	all := map[string]string{}
	for _, c := range plan.Changes {
		all[c.Address] = strings.Join(c.Change.Actions, " ")
	}
	return all, text
}

// attribute returns an attribute of the job in the state.
func (p *project) attribute(name string) any {
	p.t.Helper()
	return p.jobState().Attributes[name]
}

// jobState is a job in a Terraform state.
type jobState struct {
	Attributes map[string]any `json:"attributes"`
	Private    []byte         `json:"private"`
}

func (p *project) jobState() jobState {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.dir, "terraform.tfstate"))
	var state struct {
		Resources []struct {
			Type      string     `json:"type"`
			Instances []jobState `json:"instances"`
		} `json:"resources"`
	}
	if err == nil {
		err = json.Unmarshal(text, &state)
	}
	if err != nil {
		p.t.Fatalf("read the state: %v", err)
	}
	for _, r := range state.Resources {
		if r.Type == "openpai_job" {
			return r.Instances[0]
		}
	}
	return jobState{}
}

// expectChange checks the planned action for a resource.
func (p *project) expectChange(address, action string) {
	p.t.Helper()
	if actions, text := p.actions(); actions[address] != action {
		p.t.Fatalf("%s: %q, want %q\n%s", address, actions[address], action, text)
	}
}

// console evaluates an expression.
func (p *project) console(expression string) string {
	p.t.Helper()
	cmd := exec.CommandContext(p.t.Context(), p.program, "console")
	cmd.Dir, cmd.Env, cmd.Stdin = p.dir, p.env, strings.NewReader(expression+"\n")
	out, err := cmd.Output()
	if err != nil {
		p.t.Fatalf("console: %v\n%s", err, out)
	}
	return string(out)
}
