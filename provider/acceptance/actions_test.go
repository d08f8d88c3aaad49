// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// filled is a configuration that contains a job and every action of the provider.
const filled = `
resource "openpai_storage" "data" {
  name      = "data"
  host_path = "data"
}

resource "openpai_prerequisite" "fill" {
  type      = "script"
  name      = "fill"
  callbacks = [{ event = "taskStarts", commands = ["echo hello > $PAI_STORAGE_DATA/file"] }]
}

action "openpai_job_stop" "stop" {
  config { name = openpai_job.mnist.name }
}

action "openpai_job_rerun" "again" {
  config { name = openpai_job.mnist.name }
}

action "openpai_job_rescale" "two" {
  config {
    name      = openpai_job.mnist.name
    task_role = "worker"
    instances = 2
  }
}

action "openpai_job_rescale" "other" {
  config {
    name      = openpai_job.mnist.name
    task_role = "ps"
    instances = 2
  }
}

action "openpai_storage_prefetch" "fill" {
  config {
    storage       = openpai_storage.data.definition
    prerequisites = [openpai_prerequisite.fill.definition]
  }
}
`

// keepsCount makes the configuration ignore changes by job_rescale.
const keepsCount = `
  wait_for = "running"
  lifecycle {
    ignore_changes = [task_roles["worker"].instances]
  }
`

func TestActionsAreInvoked(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		if !p.isTerraform("1.14.0") {
			return // this version does not support actions; protocol tests cover them
		}
		at := localEnvironment(t, p.dir)
		p.configure(at.provider, job("sleep 1000", 1, keepsCount), filled)
		p.apply()
		p.mustBeEmpty()
		p.invokes("openpai_job_rescale.two", "job.mnist was rescaled")
		p.mustBeEmpty() // the plan ignores the changed number of tasks
		p.refuses("openpai_job_rescale.other", `job.mnist has no task role "ps"`)
		p.refuses("openpai_job_rerun.again", "job.mnist has not finished (RUNNING). Stop it first.")
		p.invokes("openpai_storage_prefetch.fill", "SUCCEEDED")
		if text, err := os.ReadFile(filepath.Join(p.dir, "data", "file")); err != nil || string(text) != "hello\n" {
			t.Errorf("the storage contains %q: %v", text, err)
		}
		p.invokes("openpai_job_stop.stop", "job.mnist: STOPPED")
		p.invokes("openpai_job_stop.stop", "job.mnist had already finished: STOPPED")
		p.refuses("openpai_job_rescale.two", "job.mnist has finished (STOPPED)")
		p.invokes("openpai_job_rerun.again", "job.mnist was submitted again")
		p.mustBeEmpty()
		p.must("destroy", "-auto-approve", "-input=false")
	})
}

// invokes runs an action, which must report the given progress.
func (p *project) invokes(action, progress string) {
	p.t.Helper()
	if out := p.apply("-invoke=action." + action); !strings.Contains(out, progress) {
		p.t.Fatalf("%s does not report %q\n%s", action, progress, out)
	}
}

func (p *project) refuses(action, diagnostic string) {
	p.t.Helper()
	out, code := p.run("apply", "-auto-approve", "-input=false", "-invoke=action."+action)
	if code == 0 || !strings.Contains(strings.Join(strings.Fields(out), " "), diagnostic) {
		p.t.Fatalf("%s: exit code %d, want %q\n%s", action, code, diagnostic, out)
	}
}

// TestListedJobsAreImported generates the configuration for listed jobs and
// imports the jobs with that configuration.
func TestListedJobsAreImported(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		if !p.isTerraform("1.14.0") {
			return // this version does not support lists; protocol tests cover them
		}
		at := localEnvironment(t, p.dir)
		p.configure(at.provider, job("sleep 1000", 1, `wait_for = "running"`))
		p.apply()
		p.must("state", "rm", "openpai_job.mnist", "openpai_prerequisite.greet")
		p.configure(at.provider)
		write(t, filepath.Join(p.dir, "jobs.tfquery.hcl"), `
list "openpai_job" "found" {
  provider = openpai
  config { states = ["RUNNING"] }
}

list "openpai_job" "failed" {
  provider = openpai
  config { states = ["FAILED"] }
}
`)
		out := p.must("query", "-generate-config-out=found.tf")
		if !strings.Contains(out, "mnist (RUNNING)") || strings.Contains(out, "list.openpai_job.failed ") {
			t.Errorf("%s", out)
		}
		if out := p.apply(); !strings.Contains(out, "1 imported, 0 added") {
			t.Errorf("%s", out)
		}
		p.mustBeEmpty()
		p.must("destroy", "-auto-approve", "-input=false")
	})
}

// TestTheSchemaIsRead checks that tofu and terraform read the whole schema,
// including features that they do not support.
func TestTheSchemaIsRead(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		p.configure(`provider "openpai" {}`)
		var all struct {
			Schemas map[string]struct {
				Resources map[string]any `json:"resource_schemas"`
				Sources   map[string]any `json:"data_source_schemas"`
				Functions map[string]any `json:"functions"`
			} `json:"provider_schemas"`
		}
		if err := json.Unmarshal([]byte(p.must("providers", "schema", "-json")), &all); err != nil {
			t.Fatal(err)
		}
		for name, s := range all.Schemas {
			if len(s.Resources) != 4 || len(s.Sources) != 6 || len(s.Functions) == 0 {
				t.Errorf("%s: %d resources, %d data sources, %d functions", name, len(s.Resources), len(s.Sources), len(s.Functions))
			}
		}
	})
}
