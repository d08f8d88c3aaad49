// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"maps"
	"strings"
	"testing"
)

// script returns the configuration of a script that echoes its name.
func script(name string, requires ...string) tree {
	c := tree{"type": "script", "name": name, "callbacks": []any{tree{"event": "taskStarts", "commands": []string{"echo " + name}}}}
	var require []any
	for _, r := range requires {
		require = append(require, tree{"use": r})
	}
	if require != nil {
		c["require"] = require
	}
	return c
}

func define(t *testing.T, tf *terraform, config tree) string {
	t.Helper()
	i := tf.resource("openpai_prerequisite")
	if action, text := i.apply(config); action != "create" || text != "" {
		t.Fatalf("%s: %s", action, text)
	}
	return i.text("definition")
}

// inlined returns a job that declares and uses its own prerequisite.
func inlined(more tree) tree {
	greet := script("greet")
	maps.Copy(greet, more)
	return worker(job([]string{"true"}, tree{"wait_for": "completed", "prerequisites": []any{greet}}), tree{"prerequisites": []any{tree{"use": "greet"}}})
}

func TestAnInlinePrerequisiteHasOneMistakeForEach(t *testing.T) {
	t.Parallel()
	p := start(t, t.TempDir()).resource("openpai_job").plan(inlined(tree{"name": nil, "callbacks": []any{tree{"event": "taskStart"}}}))
	for _, want := range []string{"the attribute name", "the attribute commands", `unknown event "taskStart"`, `refers to "greet"`} {
		if got := strings.Count(p.diagnostics, want); got != 1 {
			t.Errorf("%q is reported %d times", want, got)
		}
	}
	if got := strings.Count(p.diagnostics, "error: "); got != 4 {
		t.Errorf("%d errors, want 4\n%s", got, p.diagnostics)
	}
}

func TestDiagnosticsOfAPrerequisiteNameTheAttribute(t *testing.T) {
	t.Parallel()
	tf := start(t, t.TempDir())
	i := tf.resource("openpai_prerequisite")
	config := script("a", "nobody")
	config["callbacks"] = []any{tree{"event": "taskStart", "commands": []string{"true"}}}
	text := i.validate(config)
	for _, want := range []string{
		`AttributeName("require").ElementKeyInt(0): Unknown prerequisite: `,
		`AttributeName("callbacks").ElementKeyInt(0).AttributeName("event"): `,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
