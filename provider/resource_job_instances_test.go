// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"strings"
	"testing"
)

// The state must keep the declared task count of a finished job, even if the
// job ran with a different count.
func TestANumberThatAFinishedJobDoesNotTakeStaysWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	i := start(t, dir).resource("openpai_job")
	config := job([]string{"true"}, tree{"wait_for": "completed"})
	i.mustApply(config, "create")
	worker(config, tree{"instances": 2})
	if action, text := i.apply(config); action != "update" || !strings.Contains(text, "not run again") {
		t.Fatalf("%s\n%s", action, text)
	}
	i = i.afresh(dir)
	i.private = withoutOutputs(i.private) // so that the next read is a full read
	if text := i.refresh(); text != "" {
		t.Fatal(text)
	}
	if p := i.plan(config); p.action(i.state) != "none" {
		t.Errorf("%s\n%s", p.action(i.state), diff(i.state, p.state))
	}
}

// withoutOutputs clears the field Outputs.
func withoutOutputs(private []byte) []byte {
	m := decodeJobPrivate(private)
	m.Outputs = ""
	return encodeJobPrivate(private, m)
}
