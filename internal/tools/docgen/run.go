// SPDX-License-Identifier: MPL-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/protocol"
	"github.com/openpai/terraform-provider-openpai/internal/local"
	"github.com/openpai/terraform-provider-openpai/internal/tools/example"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// exampleHost replaces the address of the server in the generated page.
const exampleHost = "items.example"

// exampleTime replaces every time in the generated page.
const exampleTime = "2026-11-20T09:30:00Z"

var times = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`)

// print runs the example in a temporary directory. It returns the diagnostic
// as users see it.
func (e *session) print() (_ string, err error) {
	temp, err := os.MkdirTemp("", "docgen")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	dir := filepath.Join(temp, "example") // the directory name appears in diagnostics
	if err := os.Mkdir(dir, 0o755); err != nil {
		return "", err
	}
	server := httptest.NewServer(example.Serve(filepath.Join(dir, "server")))
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	if err := e.Write(dir, host); err != nil {
		return "", err
	}
	back, err := os.Getwd()
	if err != nil {
		return "", err
	}
	if err := os.Chdir(dir); err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, endJobs(dir), os.Chdir(back)) }()
	output, err := e.output()
	if err != nil {
		return "", err
	}
	output = times.ReplaceAllString(output, exampleTime)
	return e.pick(strings.NewReplacer(host, exampleHost, dir+string(filepath.Separator), "").Replace(output))
}

// output returns the standard error of the last step.
func (e *session) output() (string, error) {
	if e.Live != nil {
		return e.plan()
	}
	var stderr bytes.Buffer
	for _, s := range e.Steps {
		fields := strings.Fields(s.Text)
		var err error
		switch s.Verb {
		case "run":
			stderr.Reset()
			cli.Main(fields, cli.NewStreams(strings.NewReader(""), &bytes.Buffer{}, &stderr), "")
		case "set":
			var restore func()
			restore, err = setenv(s.Text)
			defer restore()
		case "write", "plan-without-mounts":
			err = diagnosticsText(s.Verb, &stderr)
		case "terraform":
			stderr.Reset()
			err = terraform(&stderr, strings.Fields(s.Text))
		case "damage":
			if err = os.RemoveAll(s.Text); err == nil {
				err = os.WriteFile(s.Text, nil, 0o600)
			}
		case "copy":
			err = copyFile(fields[0], fields[1])
		case "link":
			err = os.Symlink(filepath.Join("..", fields[1]), fields[0])
		default:
			err = fmt.Errorf("unknown step %q", s.Verb)
		}
		if err != nil {
			return "", fmt.Errorf("%s: %w", e.Code, err)
		}
	}
	return stderr.String(), nil
}

// diagnosticsText prints diagnostics that no openpai command reports on every
// machine. They occur when the Terraform provider writes a protocol file from
// an unresolved job, or when a machine does not permit mounts.
func diagnosticsText(verb string, out io.Writer) error {
	loaded, diags := workspace.Load(workspace.Options{})
	resolved, more := resolve.All(resolve.Input{Workspace: loaded.Workspace, User: "ada"})
	if verb == "write" {
		_, diags = protocol.Write(loaded.Workspace.Jobs[0], protocol.WriteOptions{Workspace: loaded.Workspace})
	} else if diags = append(diags, more...); !diags.HasErrors() {
		diags = local.WarningsWithoutMounts(resolved[0], loaded.Workspace.Sources)
	}
	return view.Diagnostics(out, diags, loaded.Files, view.DiagnosticOptions{Phrase: phrase.Of})
}

// setenv sets an environment variable from an assignment NAME=value. restore
// restores the old value, or unsets the variable if it was not set.
func setenv(assignment string) (restore func(), err error) {
	name, value, _ := strings.Cut(assignment, "=")
	before, had := os.LookupEnv(name)
	restore = func() { _ = os.Unsetenv(name) }
	if had {
		restore = func() { _ = os.Setenv(name, before) }
	}
	return restore, os.Setenv(name, value)
}

func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o644)
}

// plan runs the planner with the workspace and live.json, which contains live
// jobs or a snapshot of the cluster.
func (e *session) plan() (string, error) {
	loaded, diags := workspace.Load(workspace.Options{})
	resolved, more := resolve.All(resolve.Input{Workspace: loaded.Workspace, User: "ada"})
	if diags = append(diags, more...); diags.HasErrors() {
		return "", diags
	}
	live := &planner.Snapshot{}
	text := bytes.ReplaceAll(e.Live, []byte("FRAMEWORK"), []byte(resolved[0].Framework))
	var into any = &live.Jobs
	if bytes.HasPrefix(text, []byte("{")) {
		into = live
	}
	if err := json.Unmarshal(text, into); err != nil {
		return "", fmt.Errorf("%s: live.json: %w", e.Code, err)
	}
	p := planner.New(planner.Options{
		Workspace: loaded.Workspace.Name, Jobs: resolved, Moved: loaded.Workspace.Moved, Sources: loaded.Workspace.Sources,
		Live: map[string]*planner.Snapshot{resolve.LocalCluster: live},
	})
	var out bytes.Buffer
	err := view.Diagnostics(&out, p.Diagnostics, loaded.Files, view.DiagnosticOptions{Phrase: phrase.Of})
	return out.String(), err
}

// diagnosticHeader matches the first line of a diagnostic. Terraform does not
// show the code.
var diagnosticHeader = regexp.MustCompile(`(?m)^(Error|Warning): .*?(?: \[([a-z0-9-]+)\])?$`)

// machineSize matches text that depends on the size of the machine.
var machineSize = regexp.MustCompile(`this machine has \d+`)

// pick returns the first diagnostic of the entry.
func (e *session) pick(output string) (string, error) {
	starts := diagnosticHeader.FindAllStringIndex(output, -1)
	for i, at := range starts {
		if !e.begins(output[at[0]:at[1]]) {
			continue
		}
		end := len(output)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		text := strings.TrimSpace(output[at[0]:end])
		return machineSize.ReplaceAllString(text, "this machine has N"), nil
	}
	return "", fmt.Errorf("the example does not cause %s; its output is:\n%s", e.Code, output)
}

// begins reports whether a diagnostic of the entry begins with this line.
func (e *session) begins(line string) bool {
	if code := diagnosticHeader.FindStringSubmatch(line)[2]; code != "" {
		return code == e.Code
	}
	for _, entry := range hclspec.Catalog() {
		if entry.Code == e.Code {
			return strings.Contains(line, entry.Summary)
		}
	}
	return false
}

// patience is the time limit for ending the jobs of one example.
const patience = time.Minute

// endJobs ends an example's jobs. It waits until their processes no longer write
// below the directory.
func endJobs(dir string) error {
	frameworks, err := os.ReadDir(filepath.Join(dir, ".openpai", "frameworks"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	c, err := local.Open(dir, local.Options{})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for _, f := range frameworks {
		if err := c.Delete(ctx, f.Name()); err != nil {
			return err
		}
	}
	return nil
}
