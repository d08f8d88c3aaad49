// SPDX-License-Identifier: MPL-2.0

package provider

import "testing"

// TestTheEndOfAStorageIsNoChangeOfItsJobs changes on_destroy. The running job
// mounts the storage directly and through a prerequisite.
func TestTheEndOfAStorageIsNoChangeOfItsJobs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tf := start(t, dir)
	storage, reader := tf.resource("openpai_storage"), tf.resource("openpai_prerequisite")
	definition := func(more tree) string {
		config := tree{"name": "data", "host_path": dir + "/store"}
		for key, v := range more {
			config[key] = v
		}
		return stringOr(attributesOf(storage.plan(config).state)["definition"], "")
	}
	mount := func(use string) []any { return []any{tree{"use": use, "mount_path": dir + "/store"}} }
	requires := func(use string) tree {
		config := script("reader")
		config["require_storages"] = mount(use)
		return config
	}
	first, second := definition(nil), definition(tree{"on_destroy": "delete"})
	if first == second {
		t.Fatal("the definition of an import would not contain on_destroy")
	}
	reader.mustApply(requires(first), "create")
	config := worker(job([]string{"sleep 1000"}, tree{"storage": mount(first), "wait_for": "running", "stop_grace": "1s"}), tree{
		"prerequisites": []any{tree{"use": reader.text("definition")}},
	})
	i := tf.resource("openpai_job")
	i.mustApply(config, "create")

	if p := reader.plan(requires(second)); p.action(reader.state) != "none" {
		t.Errorf("the prerequisite: %s\n%s", p.action(reader.state), diff(reader.state, p.state))
	}
	config["storage"] = mount(second) // the prerequisite still contains the first definition
	if p := i.plan(config); p.action(i.state) != "none" || p.diagnostics != "" {
		t.Errorf("the job: %s %s\n%s", p.action(i.state), p.diagnostics, diff(i.state, p.state))
	}
	config["storage"] = mount(definition(tree{"users": []string{"alice"}}))
	worker(config, tree{"prerequisites": nil})
	if p := i.plan(config); p.action(i.state) == "none" {
		t.Error("other changes to a storage are not shown")
	}

	worker(config, tree{"prerequisites": []any{}})
	config["storage"] = mount(second)
	d := declareJob(&settings{}, tf.value(config, i.typ), i.null())
	if s := d.workspace.Storage("data"); s == nil || s.OnDestroy != "" || s.HostPath == "" {
		t.Errorf("the storage of a job: %+v", s)
	}
}
