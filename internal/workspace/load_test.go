// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"golang.org/x/tools/txtar"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// A minimal job in both syntaxes.
const jobHCL = `
job "train" {
  task_role "worker" {
    image    = "busybox"
    commands = ["true"]
    resources {
      gpu       = 0
      cpu       = 1
      memory_mb = 64
    }
  }
}
`

const jobYAML = `protocolVersion: 2
name: fit
type: job
prerequisites:
  - {type: dockerimage, name: image, uri: busybox}
taskRoles:
  worker:
    dockerImage: image
    commands: ['true']
    resourcePerInstance: {gpu: 0, cpu: 1, memoryMB: 64}
`

// unpack writes the files of an archive to a new directory named "lab".
func unpack(t *testing.T, archive string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "lab")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// codes formats the diagnostics as "code file:line".
func codes(dir string, diags hcl.Diagnostics) []string {
	var all []string
	for _, d := range diags {
		text := hclspec.Code(d)
		if text == "" {
			text = d.Summary
		}
		if d.Subject != nil {
			name, _ := filepath.Rel(dir, d.Subject.Filename)
			text += " " + filepath.ToSlash(name) + ":" + strconv.Itoa(d.Subject.Start.Line)
		}
		all = append(all, text)
	}
	return all
}

func labels(ws *hclspec.Workspace) []string {
	var all []string
	for _, j := range ws.Jobs {
		all = append(all, string(j.Address()))
	}
	return all
}

func TestAWorkspaceIsADirectoryOrAFile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files   string
		path    string // relative to the directory
		options Options
		name    string
		jobs    []string
		codes   []string
	}{
		"a directory determines the workspace name": {
			files: "-- main.pai.hcl --" + jobHCL,
			name:  "lab", jobs: []string{"job.train"},
		},
		"a workspace may be named": {
			files: "-- main.pai.hcl --\nopenpai {\n  workspace = \"team\"\n}\n-- job.pai.hcl --" + jobHCL,
			name:  "team", jobs: []string{"job.train"},
		},
		"files that are hidden, directories and other files are omitted": {
			files: "-- main.pai.hcl --" + jobHCL + "-- .#main.pai.hcl --\n{{{\n-- old/main.pai.hcl --\n{{{\n-- notes.hcl --\n{{{\n",
			name:  "lab", jobs: []string{"job.train"},
		},
		"a YAML file is its own workspace": {
			files: "-- main.pai.hcl --\n{{{\n-- fit.yaml --\n" + jobYAML,
			path:  "fit.yaml", name: "lab.fit.yaml", jobs: []string{"job.fit"},
		},
		"an HCL file is its own workspace, even if it sets another name": {
			files: "-- main.pai.hcl --\nopenpai {\n  workspace = \"team\"\n}\n" + jobHCL + "-- other.pai.hcl --\n{{{\n",
			path:  "main.pai.hcl", name: "team.main.pai.hcl", jobs: []string{"job.train"},
		},
		"a protocol block includes a YAML job under its label": {
			files: "-- main.pai.hcl --\nprotocol \"mine\" {\n  file = \"jobs/fit.yaml\"\n}\n-- jobs/fit.yaml --\n" + jobYAML,
			name:  "lab", jobs: []string{"job.mine"},
		},
		"a protocol block stays inside the workspace": {
			files: "-- main.pai.hcl --\nprotocol \"mine\" {\n  file = \"../fit.yaml\"\n}\n",
			name:  "lab", codes: []string{"file-outside-workspace main.pai.hcl:2"},
		},
		"the diagnostic for a missing protocol file is at the reference": {
			files: "-- main.pai.hcl --\nprotocol \"mine\" {\n  file = \"fit.yaml\"\n}\n",
			name:  "lab", codes: []string{"unreadable-file main.pai.hcl:2"},
		},
		"a file of items is not a job": {
			files: "-- items.yaml --\n- {type: script, name: a, callbacks: [{event: taskStarts, commands: [ls]}]}\n",
			path:  "items.yaml", name: "lab.items.yaml", codes: []string{"not-a-job-file items.yaml:1"},
		},
		"a directory without configuration": {
			files: "-- fit.yaml --\n" + jobYAML,
			name:  "lab", codes: []string{"workspace-empty"},
		},
		"a file of another kind": {
			files: "-- job.json --\n{}\n",
			path:  "job.json", codes: []string{"unknown-file-kind"},
		},
		"a path that does not exist": {
			path: "nowhere", codes: []string{"workspace-not-found"},
		},
		"a job file that does not exist": {
			path: "nofile.yaml", codes: []string{"unreadable-file"},
		},
		"an incompatible version hides all other diagnostics": {
			files:   "-- main.pai.hcl --\nopenpai {\n  required_version = \">= 2.0\"\n}\njob \"a\" {\n}\n",
			options: Options{Version: "0.1.0"},
			name:    "lab", jobs: []string{"job.a"},
			codes: []string{"unsupported-version main.pai.hcl:2"},
		},
		"an invalid version constraint": {
			files:   "-- main.pai.hcl --\nopenpai {\n  required_version = \"new\"\n}\n",
			options: Options{Version: "0.1.0"},
			name:    "lab", codes: []string{"invalid-required-version main.pai.hcl:2"},
		},
		"arguments that have no value": {
			files:   "-- main.pai.hcl --" + jobHCL,
			options: Options{Vars: []string{"x"}, Marketplaces: []string{"team"}},
			name:    "lab", jobs: []string{"job.train"},
			codes: []string{"invalid-variable-argument", "invalid-marketplace-argument"},
		},
		"diagnostics of several files are sorted by file": {
			files: "-- b.pai.hcl --\njobb \"a\" {\n}\n-- a.pai.hcl --\n\njobb \"b\" {\n}\n",
			name:  "lab", codes: []string{"unknown-block a.pai.hcl:2", "unknown-block b.pai.hcl:1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := unpack(t, c.files)
			c.options.Path = filepath.Join(dir, c.path)
			loaded, diags := Load(c.options)
			if diff := cmp.Diff(c.codes, codes(dir, diags)); diff != "" {
				t.Errorf("diagnostics (-want +got)\n%s", diff)
			}
			if loaded.Workspace.Name != c.name {
				t.Errorf("the name is %q, want %q", loaded.Workspace.Name, c.name)
			}
			if diff := cmp.Diff(c.jobs, labels(loaded.Workspace)); diff != "" {
				t.Errorf("jobs (-want +got)\n%s", diff)
			}
		})
	}
}

func TestLoadRejectsLinksAndLargeFiles(t *testing.T) {
	t.Parallel()
	dir := unpack(t, "-- real.pai.hcl --"+jobHCL)
	if err := os.Symlink("gone", filepath.Join(dir, "link.pai.hcl")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "large.pai.hcl"), make([]byte, maxFileBytes+1), 0o644); err != nil {
		t.Fatal(err)
	}
	_, diags := Load(Options{Path: dir})
	want := []string{"file-too-large large.pai.hcl:1", "unreadable-file link.pai.hcl:1"}
	if diff := cmp.Diff(want, codes(dir, diags)); diff != "" {
		t.Errorf("diagnostics (-want +got)\n%s", diff)
	}
}

func TestProtocolBlockDoesNotFollowLinksOutOfTheWorkspace(t *testing.T) {
	t.Parallel()
	dir := unpack(t, "-- main.pai.hcl --\nprotocol \"mine\" {\n  file = \"fit.yaml\"\n}\n")
	outside := filepath.Join(filepath.Dir(dir), "fit.yaml")
	if err := os.WriteFile(outside, []byte(jobYAML), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "fit.yaml")); err != nil {
		t.Fatal(err)
	}
	_, diags := Load(Options{Path: dir})
	if diff := cmp.Diff([]string{"file-outside-workspace main.pai.hcl:2"}, codes(dir, diags)); diff != "" {
		t.Errorf("diagnostics (-want +got)\n%s", diff)
	}
}

func TestProtocolBlockKeepsPlaces(t *testing.T) {
	t.Parallel()
	dir := unpack(t, "-- main.pai.hcl --\nprotocol \"mine\" {\n  file = \"fit.yaml\"\n}\n-- fit.yaml --\n"+jobYAML)
	loaded, diags := Load(Options{Path: dir})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	job := loaded.Workspace.Job("mine")
	if job.Name != "fit" {
		t.Errorf("the name of the job is %q, want fit", job.Name)
	}
	at := loaded.Workspace.Sources.Range(job.TaskRoles[0].Path)
	if filepath.Base(at.Filename) != "fit.yaml" || at.Start.Line != 7 {
		t.Errorf("the task role is at %s, want line 7 of fit.yaml", at)
	}
}

func TestAnAddressIsNoPath(t *testing.T) {
	t.Parallel()
	for path, hint := range map[string]bool{"job.mnist": true, "nowhere": false, "jobs": false} {
		_, diags := Load(Options{Path: path})
		if got := strings.Contains(hclspec.Phrased(diags, phrase.Of).Error(), "looks like the address of a job"); got != hint {
			t.Errorf("%s: %v, want a hint %t", path, diags, hint)
		}
	}
}

func TestAKubeconfigIsRelativeToTheWorkspace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for in, want := range map[string]string{
		"": "", "~/.kube/config": "~/.kube/config", "/etc/kubeconfig": "/etc/kubeconfig",
		"gpu.yaml": filepath.Join(dir, "gpu.yaml"), "../gpu.yaml": filepath.Join(filepath.Dir(dir), "gpu.yaml"),
	} {
		text := fmt.Sprintf("cluster \"gpu\" {\n  kubeconfig = %q\n}\n", in)
		if err := os.WriteFile(filepath.Join(dir, "main.pai.hcl"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		loaded, _ := Load(Options{Path: dir})
		if got := loaded.Workspace.Clusters[0].Kubeconfig; got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
