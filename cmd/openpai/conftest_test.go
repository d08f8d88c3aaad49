// SPDX-License-Identifier: MPL-2.0

//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// rules is the directory of the Rego example.
const rules = "../../examples/policies/conftest"

// latestPlan returns the plan document of a job with three task roles. The rules deny
// the images that two of the roles use.
func latestPlan(t *testing.T) (file string, document map[string]any) {
	t.Helper()
	dir := t.TempDir()
	role := `
  task_role %q {
    image    = %q
    commands = ["true"]

    resources {
      gpu       = 16
      cpu       = 1
      memory_mb = 64
    }
  }
`
	job := `job "train" {` + fmt.Sprintf(role, "worker", "debian:latest") + fmt.Sprintf(role, "server", "registry.example.com:5000/server") +
		fmt.Sprintf(role, "pinned", "debian:13") + "}\n"
	if err := os.WriteFile(filepath.Join(dir, "main.pai.hcl"), []byte(job), 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command("openpai", "plan", "--json", dir).Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(dir, "plan.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file, document
}

// TestConftestReadsFieldsOfThePlan checks that a plan contains every field
// that the rules use, because Rego silently skips a rule with an unknown
// field.
func TestConftestReadsFieldsOfThePlan(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(rules, "plan.rego"))
	if err != nil {
		t.Fatal(err)
	}
	_, document := latestPlan(t)
	change := document["changes"].([]any)[0].(map[string]any)
	from := map[string]any{
		"input": document, "change": change, "resource": document["resources"].([]any)[0],
		"role": change["job"].(map[string]any)["task_roles"].([]any)[0],
	}
	found := regexp.MustCompile(`\b(input|change|resource|role)((?:\.\w+)+)`).FindAllStringSubmatch(string(text), -1)
	if len(found) < 10 {
		t.Fatalf("only %d fields were found", len(found))
	}
	for _, path := range found {
		value := from[path[1]]
		for name := range strings.SplitSeq(path[2][1:], ".") {
			fields, _ := value.(map[string]any)
			if value = fields[name]; value == nil {
				t.Errorf("the plan has no %s", path[0])
			}
		}
	}
}
