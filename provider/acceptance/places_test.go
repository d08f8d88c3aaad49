// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"strings"
	"testing"
)

// uses declares a job. The task role has a reference in each of the six
// possible places. The documentation page of openpai_job lists these places.
const uses = `
resource "openpai_prerequisite" "image" {
  type = "dockerimage"
  name = "image"
  uri  = ["debian:12"]
}

resource "openpai_prerequisite" "each" {
  for_each = toset(["data", "script", "output"])
  type     = each.key
  name     = "each"
  uri      = each.key == "script" ? null : ["/tmp"]
}

resource "openpai_prerequisite" "tool" {
  type      = "script"
  name      = "tool"
  callbacks = [{ event = "taskStarts", commands = ["true"] }]
}

resource "openpai_storage" "data" {
  name      = "data"
  host_path = "data"
}

resource "openpai_job" "mnist" {
  name     = "mnist"
  wait_for = "completed"
  prerequisites = JOB
  task_roles = {
    worker = {
      image         = IMAGE
      data          = DATA
      script        = SCRIPT
      output        = OUTPUT
      prerequisites = LIST
      storage       = [STORAGE]
      commands      = ["true"]
      resources     = { gpu = 0, cpu = 1, memory_mb = 64 }
    }
  }
}
`

func TestEachPlaceOfATaskRoleAcceptsAReference(t *testing.T) {
	definitions := []string{"IMAGE", "openpai_prerequisite.image.definition"}
	ids := []string{"IMAGE", "openpai_prerequisite.image.id"}
	for _, kind := range []string{"data", "script", "output"} {
		definitions = append(definitions, strings.ToUpper(kind), `openpai_prerequisite.each["`+kind+`"].definition`)
		ids = append(ids, strings.ToUpper(kind), `openpai_prerequisite.each["`+kind+`"].id`)
	}
	tests := map[string][]string{
		"definitions": append(definitions, "JOB", "null",
			"LIST", "[{ use = openpai_prerequisite.tool.definition }]",
			"STORAGE", `{ use = openpai_storage.data.definition, mount_path = abspath("data") }`),
		"whole resources": append(definitions, "JOB", "null",
			"LIST", "[openpai_prerequisite.tool]",
			"STORAGE", "merge(openpai_storage.data, { mount_path = abspath(\"data\") })"),
		"ids": append(ids, "JOB", `[openpai_prerequisite.image.definition, openpai_prerequisite.tool, openpai_prerequisite.each["data"], openpai_prerequisite.each["script"], openpai_prerequisite.each["output"], { use = openpai_storage.data.definition }]`,
			"LIST", "[{ use = openpai_prerequisite.tool.id }]",
			"STORAGE", `{ use = openpai_storage.data.id, mount_path = abspath("data") }`),
	}
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		provider := localEnvironment(t, p.dir).provider
		for name, values := range tests {
			p.configure(provider, strings.NewReplacer(values...).Replace(uses))
			if out, code := p.run("validate"); code != 0 {
				t.Errorf("%s: validate\n%s", name, out)
			}
			if out, code := p.run("plan", "-input=false"); code != 0 {
				t.Errorf("%s: plan\n%s", name, out)
			}
		}
		p.must("apply", "-auto-approve", "-input=false")
		p.mustBeEmpty()
		p.must("destroy", "-auto-approve", "-input=false")
	})
}
