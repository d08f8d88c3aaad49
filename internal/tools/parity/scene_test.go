// SPDX-License-Identifier: MPL-2.0

package parity

import (
	"context"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/local"
	"github.com/openpai/terraform-provider-openpai/internal/tools/example"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// scene is the input for both front ends. Each front end has a separate directory.
type scene struct {
	*example.Example
	t *testing.T
	// cli and tf are the directories of the openpai CLI and of Terraform.
	cli, tf string
	states  map[hclspec.Address]*state
	// If a diagnostic does not refer to a value in the model, the CLI reports
	// position, and the provider reports attribute.
	position, attribute string
	// unplaced means that the openpai CLI may report the diagnostic without a
	// position.
	unplaced bool
}

func newScene(t *testing.T, name string) *scene {
	t.Helper()
	dir := os.DirFS("testdata")
	if _, err := fs.Stat(dir, name+".txtar"); err != nil {
		dir = os.DirFS(filepath.Join("..", "docgen", "testdata", "errors"))
	}
	e, err := example.Read(dir, name)
	if err != nil {
		t.Fatal(err)
	}
	e.Code, _, _ = strings.Cut(name, ".")
	s := &scene{Example: e, t: t, cli: t.TempDir(), tf: t.TempDir(), states: map[hclspec.Address]*state{}}
	s.complete()
	files := t.TempDir()
	server := httptest.NewServer(example.Serve(filepath.Join(files, "server")))
	t.Cleanup(server.Close)
	host := strings.TrimPrefix(server.URL, "http://")
	for _, dir := range []string{files, s.cli, s.tf} {
		if err := e.Write(dir, host); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("KUBECONFIG", kubeconfig(t, server.URL))
	t.Cleanup(func() { endJobs(t, s.cli); endJobs(t, s.tf) })
	return s
}

func (s *scene) has(verb string) bool {
	return slices.ContainsFunc(s.Steps, func(step example.Step) bool { return step.Verb == verb })
}

// complete adds missing openpai and runtime blocks to a cluster block from
// the documentation, so that a plan is possible.
func (s *scene) complete() {
	if s.has("as-is") {
		return
	}
	for i, f := range s.Files {
		text := string(f.Data)
		if f.Name != "main.pai.hcl" || !strings.Contains("\n"+text, "\ncluster \"") {
			continue
		}
		if !strings.Contains(text, "openpai {") {
			text = "openpai {\n  workspace = \"mnist\"\n}\n\n" + text
		}
		if !strings.Contains(text, "runtime {") {
			text = strings.Replace(text, "\n  user ", "\n  runtime {\n    image = \"registry.example/openpai-runtime:1\"\n  }\n\n  user ", 1)
		}
		s.Files[i].Data = []byte(text)
	}
}

// kubeconfig returns the path of a new kubeconfig file.
func kubeconfig(t *testing.T, server string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "kubeconfig")
	text := "apiVersion: v1\nkind: Config\ncurrent-context: gpu\ncontexts: [{name: gpu, context: {cluster: gpu}}]\nclusters: [{name: gpu, cluster: {server: \"" + server + "\"}}]\n"
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// test runs the steps, and compares the front ends' diagnostics for the entry.
func (s *scene) test() {
	s.t.Helper()
	if s.has("plan-without-mounts") && !permitsNoMounts() {
		testWithoutMounts(s.t)
		return
	}
	arguments := []string{"plan", "."}
	for _, step := range s.Steps {
		if step.Verb == "apply" {
			arguments = []string{"apply", "--auto-approve", "."}
		}
		s.do(step)
	}
	a, printed := s.commandLine(s.cli, arguments...)
	b, reported := s.provider(arguments[0] == "apply")
	if arguments[0] == "plan" {
		s.testUnknown(b)
	}
	for _, text := range s.differences(of(a, entryOf(s.Code)), of(b, entryOf(counterpart(s.Code))), printed, reported) {
		s.t.Error(text)
	}
}

func (s *scene) damage(dir, pattern string) {
	s.t.Helper()
	names, err := fs.Glob(os.DirFS(dir), pattern)
	if err != nil || len(names) == 0 {
		s.t.Fatalf("files %v match %s, error %v", names, pattern, err)
	}
	for _, name := range names {
		if err := os.Truncate(filepath.Join(dir, name), 0); err != nil {
			s.t.Fatal(err)
		}
	}
}

// do executes one step:
//
//	set: NAME=VALUE            an environment variable
//	before: FILE               the configuration that each front end applies before after.hcl
//	other: FILE                the configuration that another workspace applies before after.hcl
//	remove: NAME               removes a file or directory
//	damage: PATTERN            truncates the matching files
//	at: FILE:LINE:COL PLACE    the two positions are equivalent; the model has no value there
//	unplaced: .                the command line shows no position
//	as-warning: .              an entry that is otherwise an error is only a warning here
//	as-is: .                   nothing is added to the cluster block
//	apply: .                   the diagnostic is reported by apply
//	plan-without-mounts: .     the machine does not permit private mounts
func (s *scene) do(step example.Step) {
	s.t.Helper()
	switch step.Verb {
	case "set":
		name, value, _ := strings.Cut(step.Text, "=")
		s.t.Setenv(name, value)
	case "before":
		s.copyMain(step.Text)
		s.commandLine(s.cli, "apply", "--auto-approve", ".")
		s.provider(true)
		s.copyMain("after.hcl")
	case "other":
		s.copyMain(step.Text)
		s.commandLine(s.cli, "apply", "--auto-approve", ".")
		s.commandLine(s.tf, "apply", "--auto-approve", ".")
		s.copyMain("after.hcl")
	case "remove":
		for _, dir := range []string{s.cli, s.tf} {
			if err := os.RemoveAll(filepath.Join(dir, filepath.FromSlash(step.Text))); err != nil {
				s.t.Fatal(err)
			}
		}
	case "damage":
		for _, dir := range []string{s.cli, s.tf} {
			s.damage(dir, step.Text)
		}
	case "at":
		position, attribute, _ := strings.Cut(step.Text, " ")
		s.position, s.attribute = position, attribute
	case "unplaced":
		s.unplaced = true
	}
}

// copyMain replaces main.pai.hcl in both directories.
func (s *scene) copyMain(from string) {
	s.t.Helper()
	for _, dir := range []string{s.cli, s.tf} {
		text, err := os.ReadFile(filepath.Join(dir, from))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "main.pai.hcl"), text, 0o644)
		}
		if err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *scene) commandLine(dir string, args ...string) ([]diagnostic, string) {
	s.t.Helper()
	s.t.Chdir(dir)
	loaded, _ := workspace.Load(workspace.Options{})
	return runCommand(s.t, loaded.Workspace.Sources, args...)
}

func (s *scene) provider(apply bool) ([]diagnostic, string) {
	s.t.Helper()
	return s.provide(place{}, func(tf *terraform, name string, r declared, prior *state) *state {
		if apply {
			return tf.apply(name, r, prior)
		}
		return tf.plan(name, r, prior)
	})
}

// provide configures a new provider, as Terraform does in each run. The
// hidden attribute has an unknown value.
func (s *scene) provide(hidden place, change func(tf *terraform, name string, r declared, prior *state) *state) ([]diagnostic, string) {
	s.t.Helper()
	s.t.Chdir(s.tf)
	loaded, _ := workspace.Load(workspace.Options{})
	if !loaded.Named {
		loaded.Workspace.Name = ""
	}
	c := &configuration{ws: loaded.Workspace, tf: newTerraform(s.t), dir: s.tf, states: s.states}
	if text, err := os.ReadFile("job.json"); err == nil {
		tree, err := shape.ParseJSON(text)
		if err != nil {
			s.t.Fatal(err)
		}
		c.attributes = tree.(map[string]any)
	}
	c.tf.hidden = hidden
	c.run(func(name string, r declared, prior *state) *state { return change(c.tf, name, r, prior) })
	return c.tf.found, c.tf.text.String()
}

func endJobs(t *testing.T, dir string) {
	t.Helper()
	frameworks, err := os.ReadDir(filepath.Join(dir, ".openpai", "frameworks"))
	if err != nil {
		return
	}
	c, err := local.Open(dir, local.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range frameworks {
		if err := c.Delete(context.Background(), f.Name()); err != nil {
			t.Error(err)
		}
	}
}
