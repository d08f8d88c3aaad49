// SPDX-License-Identifier: MPL-2.0

package schema

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

const hclJob = `{
  "variable": {"n": {"type": "number", "default": 2}},
  "prerequisite": {"dockerimage": {"torch": {"uri": "debian:bookworm"}}},
  "job": {"train": {
    "gang_allocation": "${var.n > 1}",
    "task_role": {"worker": {
      "instances": "${var.n}",
      "image": "${prerequisite.dockerimage.torch}",
      "prerequisites": [{"use": "${prerequisite.data.mnist}", "with": {"path": "/data"}}],
      "resources": {"gpu": 0, "cpu": 1, "memory_mb": 512, "ports": {"http": 1}},
      "commands": ["true"]
    }}
  }}
}`

const protocolJob = `
protocolVersion: 2
name: train
type: job
prerequisites:
  - {type: dockerimage, name: image, uri: "debian:bookworm"}
  - name: data
    type: data
    uri: [https://example.org/a]
    callbacks: [{event: taskStarts, commands: ["true"]}]
taskRoles:
  worker:
    instances: 2
    dockerImage: image
    resourcePerInstance: {gpu: 0, cpu: 1, memoryMB: 512}
    commands: ["true"]
extras:
  gangAllocation: false
  anything: else
`

func TestSchemasAcceptWhatIsValidAndRefuseTheRest(t *testing.T) {
	cases := map[string]struct {
		schema []byte
		doc    string
		want   bool
	}{
		"a job in JSON syntax": {HCL(), hclJob, true},
		"comments in every body": {HCL(), strings.NewReplacer(
			`{"train": {`, `{"train": {"//": "a job",`, `{"worker": {`, `{"worker": {"//": ["a role"],`,
			`"resources": {`, `"resources": {"//": 1,`, `{"type": "number"`, `{"//": "", "type": "number"`, "{\n  \"variable\"", "{\n  \"//\": {}, \"variable\"",
		).Replace(hclJob), true},
		"a prerequisite of an unknown type":          {HCL(), strings.Replace(hclJob, `{"dockerimage": {`, `{"docker_image": {`, 1), false},
		"a callback on an event":                     {HCL(), strings.Replace(hclJob, `"uri": "debian:bookworm"`, `"callback": {"taskStarts": {"commands": ["true"]}}`, 1), true},
		"a callback on an unknown event":             {HCL(), strings.Replace(hclJob, `"uri": "debian:bookworm"`, `"callback": {"task_starts": {"commands": ["true"]}}`, 1), false},
		"a protocol callback on an unknown event":    {Protocol(), strings.Replace(protocolJob, "event: taskStarts", "event: jobStarts", 1), false},
		"an unknown attribute of a task role":        {HCL(), strings.Replace(hclJob, `"image"`, `"dockerImage"`, 1), false},
		"a number that is too small":                 {HCL(), strings.Replace(hclJob, `"${var.n}"`, `0`, 1), false},
		"a task role without commands":               {HCL(), strings.Replace(hclJob, `"commands": ["true"]`, `"max_run_time": "1h"`, 1), false},
		"a task role with an empty list of commands": {HCL(), strings.Replace(hclJob, `"commands": ["true"]`, `"commands": []`, 1), false},
		"a port label with a hyphen":                 {HCL(), strings.Replace(hclJob, `"http": 1`, `"my-http": 1`, 1), false},
		"a protocol task role without commands": {Protocol(), strings.Replace(protocolJob, `512}
    commands: ["true"]`, `512}
    commands: []`, 1), false},
		"a protocol port label with a hyphen":             {Protocol(), strings.Replace(protocolJob, "memoryMB: 512", "memoryMB: 512, ports: {my-http: 1}", 1), false},
		"values that OpenPAI's editor does not set":       {Protocol(), protocolJob + "  hivedScheduler: {jobPriorityClass: null, taskRoles: {worker: {skuType: null}}}\n", true},
		"a key of the early draft, which OpenPAI ignores": {Protocol(), protocolJob + "  hivedScheduler: {taskRoles: {worker: {gpuType: K80}}}\n", false},
		"a storage whose readOnly is not a bool":          {Protocol(), protocolJob + "  storages: [{name: a, readOnly: true}, {name: b, readOnly: 1}]\n", false},
		"a protocol job":                                  {Protocol(), protocolJob, true},
		"an unknown key of a protocol job":                {Protocol(), protocolJob + "\ndefault: {}\n", false},
		"a protocol task role with a hyphen":              {Protocol(), strings.Replace(protocolJob, "worker:", "my-worker:", 1), false},
		"a protocol job of another protocol version":      {Protocol(), strings.Replace(protocolJob, "Version: 2", "Version: 1", 1), false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := validate(t, c.schema, c.doc)
			if (err == nil) != c.want {
				t.Errorf("accepted: %t, want %t (%v)", err == nil, c.want, err)
			}
		})
	}
}

// Editors load the whole schema at once.
func TestSchemasAreSmall(t *testing.T) {
	t.Parallel()
	const limit = 256 << 10
	for name, schema := range map[string][]byte{"hcl": HCL(), "protocol": Protocol()} {
		if len(schema) > limit {
			t.Errorf("the schema of %s has %d bytes, more than %d", name, len(schema), limit)
		}
	}
}

func TestSameTableGivesTheSameBytes(t *testing.T) {
	t.Parallel()
	hcl, protocol := HCL(), Protocol()
	for range 100 {
		if !bytes.Equal(hcl, HCL()) || !bytes.Equal(protocol, Protocol()) {
			t.Fatal("the schema differs between two calls")
		}
	}
}

func validate(t *testing.T, schema []byte, doc string) error {
	t.Helper()
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", parsed); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := yaml.Unmarshal([]byte(doc), &value); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return compiled.Validate(instance)
}
