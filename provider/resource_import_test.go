// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// listedAs runs a list query whose results include the resources.
func (tf *terraform) listedAs(name string, config tree, limit int64) (names []string, found []*instance) {
	tf.t.Helper()
	stream, err := tf.server.(tfprotov6.ListResourceServer).ListResource(tf.t.Context(), &tfprotov6.ListResourceRequest{
		TypeName: name, Config: tf.encode(tf.value(config, tf.schema.ListResourceSchemas[name].ValueType())), IncludeResource: true, Limit: limit,
	})
	if err != nil {
		tf.t.Fatal(err)
	}
	for r := range stream.Results {
		names = append(names, r.DisplayName+diagnosticsText(r.Diagnostics))
		if i := tf.resource(name); r.Resource != nil && r.Identity != nil {
			i.state, i.identity = i.decode(r.Resource), r.Identity
			found = append(found, i)
		}
	}
	return names, found
}

// TestWhatJobsUseIsListed lists each resource, imports the results by identity,
// and expects an empty plan.
func TestWhatJobsUseIsListed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tf := start(t, dir)
	storage := tree{"name": "data", "host_path": filepath.Join(dir, "data")}
	s := tf.resource("openpai_storage")
	s.mustApply(storage, "create")
	unzip := script("unzip", define(t, tf, script("wget")))
	use := define(t, tf, unzip)
	tf.resource("openpai_job").mustApply(worker(job([]string{"true"}, tree{"wait_for": "completed"}), tree{
		"prerequisites": []any{tree{"use": use}},
		"storage":       []any{tree{"use": s.text("definition"), "mount_path": filepath.Join(dir, "mounted")}},
	}), "create")
	market := filepath.Join(dir, "market")
	items := tree{"to": market, "name": "data", "content": twoItems}
	i := tf.resource("openpai_marketplace_item")
	i.mustApply(items, "create")
	items["content"] = newVersion
	i.mustApply(items, "update")

	for name, tt := range map[string]struct {
		config  tree
		want    []string
		configs []tree
	}{
		"openpai_prerequisite":     {tree{}, []string{"script.unzip", "script.wget"}, []tree{unzip, script("wget")}},
		"openpai_storage":          {tree{}, []string{"data"}, []tree{storage}},
		"openpai_marketplace_item": {tree{"to": market}, []string{"data 1.1"}, []tree{items}},
	} {
		t.Run(name, func(t *testing.T) {
			tf := startWith(t, tree{"local": tree{"directory": dir, "user": "alice"}})
			names, found := tf.listedAs(name, tt.config, 10)
			if !slices.Equal(names, tt.want) || len(found) != len(tt.want) {
				t.Fatalf("%q with %d resources", names, len(found))
			}
			for n, i := range found {
				if p := i.plan(tt.configs[n]); p.action(i.state) != "none" {
					t.Errorf("%s: %s%s", names[n], p.diagnostics, diff(i.state, p.state))
				}
				again := tf.resource(name)
				if text := again.importAs(&tfprotov6.ImportResourceStateRequest{TypeName: name, Identity: i.identity}); text != "" || !again.state.Equal(i.state) {
					t.Errorf("import of %s: %s%s", names[n], text, diff(i.state, again.state))
				}
			}
			if names, _ := tf.listedAs(name, tt.config, 1); len(names) != 1 {
				t.Errorf("limited to 1: %q", names)
			}
		})
	}

	other := script("wget")
	other["callbacks"] = []any{tree{"event": "taskStarts", "commands": []any{"echo other"}}}
	tf.resource("openpai_job").mustApply(worker(job([]string{"true"}, tree{"name": "other", "wait_for": "completed"}), tree{
		"prerequisites": []any{tree{"use": define(t, tf, other)}},
	}), "create")
	names, _ := startWith(t, tree{"local": tree{"directory": dir, "user": "alice"}}).listedAs("openpai_prerequisite", tree{}, 0)
	if len(names) != 2 || !strings.Contains(names[1], "Different declarations of one address") {
		t.Errorf("%q", names)
	}
	if names, _ := startWith(t, unknownBlocks["host"]).listedAs("openpai_storage", tree{}, 0); len(names) != 1 || !strings.Contains(names[0], "error: Cannot read the jobs") {
		t.Errorf("an unknown cluster: %q", names)
	}
}
