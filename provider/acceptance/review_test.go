// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// trained is the configuration for three jobs that share a prerequisite. This
// prerequisite requires a second prerequisite.
const trained = `
variable "word" { default = "hello" }
variable "instances" { default = 1 }
variable "token" { default = "first" }

resource "openpai_prerequisite" "base" {
  type      = "script"
  name      = "base"
  callbacks = [{ event = "taskStarts", commands = ["mkdir -p cache", "echo ${var.word} world"] }]
}

resource "openpai_prerequisite" "tool" {
  type      = "script"
  name      = "tool"
  require   = [{ use = openpai_prerequisite.base.definition }]
  callbacks = [{ event = "taskStarts", commands = ["echo tool"] }]
}

resource "openpai_job" "train" {
  count    = 3
  name     = "train-${count.index}"
  wait_for = "running"
  secrets_wo = { TOKEN = var.token }
  gang_allocation = false
  task_roles = {
    worker = {
      instances     = count.index == 0 ? var.instances : 1
      image         = "ubuntu:22.04"
      prerequisites = [{ use = openpai_prerequisite.tool.definition }]
      commands      = ["export TOKEN=<% $secrets.TOKEN %>", "exec sleep 1000"]
      resources     = { gpu = 0, cpu = 1, memory_mb = 64 }
    }
  }
}
`

// TestAPlanIsReadInAPullRequest compares plans for small changes with golden
// files. It also limits the number of lines marked as changed.
func TestAPlanIsReadInAPullRequest(t *testing.T) {
	tests := map[string]struct {
		change string
		most   int
	}{
		"a word of a prerequisite":          {"word=bye", 60},
		"the number of tasks of one job":    {"instances=2", 15},
		"the value of a secret of each job": {"token=second", 15},
	}
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		p.configure(localEnvironment(t, p.dir).provider, trained)
		p.apply()
		p.apply("-refresh-only")
		for _, name := range slices.Sorted(maps.Keys(tests)) {
			tt := tests[name]
			got := reviewed(p.must("plan", "-input=false", "-var", tt.change))
			if program == "tofu" { // the installed version of Terraform varies
				compareFile(t, filepath.Join("testdata", "review", strings.ReplaceAll(name, " ", "_")+".txt"), got)
			}
			if n := len(changedLine.FindAllString(got, -1)); n > tt.most {
				t.Errorf("%s: %d changed lines, want at most %d", name, n, tt.most)
			}
		}
		p.must("destroy", "-auto-approve", "-input=false")
	})
}

// TestAPrerequisiteThatAnotherOneRequiresIsShownOnce plans two kinds of jobs.
// The first kind refers by ID only to the required prerequisite. The second
// kind refers by ID to all its prerequisites.
func TestAPrerequisiteThatAnotherOneRequiresIsShownOnce(t *testing.T) {
	const once = "prerequisites = [{ use = openpai_prerequisite.tool.definition }]"
	tests := map[string]string{
		"the required one by its id": strings.Replace(trained, once,
			"prerequisites = [{ use = openpai_prerequisite.tool.definition }, { use = openpai_prerequisite.base.id }]", 1),
		"all by their ids": strings.Replace(strings.Replace(trained, once,
			"prerequisites = [{ use = openpai_prerequisite.tool.id }, { use = openpai_prerequisite.base.id }]", 1),
			"  task_roles = {", "  prerequisites = [{ use = openpai_prerequisite.tool.definition }]\n  task_roles = {", 1),
	}
	each(t, func(t *testing.T, program string) {
		for name, configuration := range tests {
			t.Run(name, func(t *testing.T) {
				p := newProject(t, program)
				p.configure(localEnvironment(t, p.dir).provider, configuration)
				p.apply()
				p.apply("-refresh-only")
				got := reviewed(p.must("plan", "-input=false", "-var", "word=bye"))
				if n := len(changedLine.FindAllString(got, -1)); n > 60 || strings.Count(got, "must be replaced") != 3 {
					t.Errorf("%d changed lines, want at most 60\n%s", n, got)
				}
				p.must("destroy", "-auto-approve", "-input=false")
			})
		}
	})
}

var (
	changedLine = regexp.MustCompile(`(?m)^ *(-/\+|[-+~]) .*$`)
	anyHash     = regexp.MustCompile(`(h1|hmac):[0-9a-f]{12,}`)
)

// reviewed returns resources and warning titles, without hashes that depend
// on the machine.
func reviewed(plan string) string {
	_, plan, _ = strings.Cut(plan, "will perform the following actions:\n")
	resources, rest, _ := strings.Cut(plan, "\nPlan: ")
	counts, _, _ := strings.Cut(rest, "\n")
	var titles []string
	for line := range strings.Lines(rest) {
		if title, ok := strings.CutPrefix(line, "Warning: "); ok {
			titles = append(titles, "Warning: "+title)
		}
	}
	slices.Sort(titles)
	return anyHash.ReplaceAllStringFunc(resources, func(hash string) string {
		kind, digits, _ := strings.Cut(hash, ":")
		return kind + ":" + strings.Repeat("0", len(digits))
	}) + "\nPlan: " + counts + "\n" + strings.Join(titles, "")
}

// compareFile compares got with a golden file. With UPDATE=1, it writes got
// to the golden file instead.
func compareFile(t *testing.T, file, got string) {
	t.Helper()
	if os.Getenv("UPDATE") != "" {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, file, got)
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}
