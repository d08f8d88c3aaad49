// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"os"
	"strings"
	"testing"
)

// stored reads the state from a test file. The provider block configures the
// cluster of the storage.
func stored(t *testing.T, configuration tree) *instance {
	t.Helper()
	i := startWith(t, configuration).resource("openpai_storage")
	state, err := os.ReadFile(stateFile(i.name, 0))
	if err != nil {
		t.Fatal(err)
	}
	if text := i.upgrade(0, state); text != "" {
		t.Fatal(text)
	}
	return i
}

func TestAStorageIsPlannedWithoutItsCluster(t *testing.T) {
	t.Parallel()
	i := stored(t, onKubernetes(tree{"kubeconfig": unknown{}}))
	if text := i.refresh(); !strings.HasPrefix(text, "warning: States are not refreshed") || strings.Count(text, "\n") > 1 || i.state.IsNull() {
		t.Errorf("read before the cluster is known: %s", text)
	}
	if p := i.plan(i.written()); p.action(i.state) != "none" {
		t.Errorf("%s\n%s", p.action(i.state), p.diagnostics)
	}
}

func TestARestrictedStorageIsAWarningForAFinishedJob(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	storage := start(t, dir).resource("openpai_storage")
	use := func(user string) tree {
		def := storage.plan(tree{"name": "data", "host_path": dir + "/store", "users": []string{user}})
		return tree{"storage": []any{tree{"use": stringOr(attributesOf(def.state)["definition"], ""), "mount_path": dir + "/store"}}, "wait_for": "completed"}
	}
	i := storage.tf.resource("openpai_job")
	i.mustApply(job([]string{"true"}, use("alice")), "create")
	p := i.plan(job([]string{"true"}, use("bob")))
	if !strings.Contains(p.diagnostics, "warning: ") || !strings.Contains(p.diagnostics, `is restricted to "bob"`) {
		t.Errorf("%s\n%s", p.action(i.state), p.diagnostics)
	}
}
