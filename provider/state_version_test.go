// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// stateFile returns the path of a stored state with the given schema version.
func stateFile(resource string, version int64) string {
	return filepath.Join("testdata", "states", fmt.Sprintf("%s.v%d.json", resource, version))
}

// upgrade upgrades a state and returns the diagnostics.
func (i *instance) upgrade(version int64, state []byte) string {
	i.tf.t.Helper()
	resp, err := i.tf.server.UpgradeResourceState(i.tf.t.Context(), &tfprotov6.UpgradeResourceStateRequest{
		TypeName: i.name, Version: version, RawState: &tfprotov6.RawState{JSON: state},
	})
	if err != nil {
		i.tf.t.Fatal(err)
	}
	if resp.UpgradedState != nil {
		i.state = i.decode(resp.UpgradedState)
	}
	return diagnosticsText(resp.Diagnostics)
}

// written returns the configuration of a state: all attributes that are not
// computed.
func (i *instance) written() tree {
	i.tf.t.Helper()
	config := tree{}
	for _, a := range i.tf.schema.ResourceSchemas[i.name].Block.Attributes {
		if v := attributesOf(i.state)[a.Name]; !a.Computed && !v.IsNull() {
			config[a.Name], _ = shape.Tree(v)
		}
	}
	return config
}

// TestStatesOfEveryVersionAreRead upgrades the stored state of each schema
// version and plans the unchanged configuration. The plan must not contain a
// change. When you raise a schema version, keep the states of earlier
// versions and add a state of the new version.
func TestStatesOfEveryVersionAreRead(t *testing.T) {
	t.Parallel()
	tf := start(t, t.TempDir())
	for name, s := range tf.schema.ResourceSchemas {
		for version := range s.Version + 1 {
			t.Run(fmt.Sprintf("%s version %d", name, version), func(t *testing.T) {
				i := tf.resource(name)
				text, err := os.ReadFile(stateFile(name, version))
				if err != nil {
					t.Fatal(err)
				}
				if text := i.upgrade(version, text); text != "" {
					t.Fatal(text)
				}
				tf.configure(tf.block)
				if p := i.planFrom(i.written(), i.state, nil); p.action(i.state) != "none" {
					t.Errorf("%s\n%s%s", p.action(i.state), p.diagnostics, diff(i.state, p.state))
				}
			})
		}
	}
}

// TestTheStateOfThisVersionIsKept fails if there is no state of the current
// version. With UPDATE=1, the test writes the missing state.
func TestTheStateOfThisVersionIsKept(t *testing.T) {
	t.Parallel()
	tf := start(t, t.TempDir())
	for name, config := range kept {
		file := stateFile(name, tf.schema.ResourceSchemas[name].Version)
		if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if os.Getenv("UPDATE") == "" {
			t.Errorf("no %s; run the test with UPDATE=1", file)
			continue
		}
		i := tf.resource(name)
		i.mustApply(config(t), "create")
		if err := os.WriteFile(file, append(tf.json(i.state), '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if len(kept) != len(tf.schema.ResourceSchemas) {
		t.Errorf("%d of %d resources are kept", len(kept), len(tf.schema.ResourceSchemas))
	}
}

// kept contains, for each resource, a declaration with every kind of
// attribute.
var kept = map[string]func(*testing.T) tree{
	"openpai_job": func(t *testing.T) tree {
		use := define(t, start(t, t.TempDir()), script("wget"))
		inline := tree{
			"type": "script", "name": "greet", "retry": tree{"attempts": 2, "backoff": "5s"}, "parameters": `{"depth":1}`,
			"callbacks": []any{tree{"event": "taskStarts", "commands": []any{"echo hello"}}},
		}
		return worker(job([]string{"true"}, tree{
			"prerequisites": []any{inline}, "reference_prerequisites": []any{tree{"name": "both", "require": []any{tree{"use": "greet"}}}},
			"wait_for": "completed", "environment": tree{"A": "1"}, "max_run_time": "90m",
			"parameters": tree{"lr": 1, "layers": []any{1, 2}}, "task_role_order": []any{"worker"},
			"timeouts": tree{"create": "5m"}, "rerun": "on_change",
		}), tree{"prerequisites": []any{tree{"use": use}, tree{"use": "both"}}})
	},
	"openpai_prerequisite": func(t *testing.T) tree {
		use := define(t, start(t, t.TempDir()), script("wget"))
		c := script("unzip")
		c["require"] = []any{tree{"use": use}}
		return c
	},
	"openpai_storage": func(*testing.T) tree {
		return tree{"name": "nfs", "nfs": tree{"server": "nfs.example.org", "path": "/export"}, "size": "10Gi"}
	},
	"openpai_marketplace_item": func(t *testing.T) tree {
		return tree{"to": "market", "name": "data", "content": twoItems}
	},
}

// raw returns a state as JSON with an additional attribute.
func raw(t *testing.T, tf *terraform, state tftypes.Value, attribute string) []byte {
	t.Helper()
	tree, err := shape.ParseJSON(tf.json(state))
	if err != nil {
		t.Fatal(err)
	}
	tree.(map[string]any)[attribute] = "left over"
	return shape.MarshalTree(tree)
}

func TestARemovedAttributeIsDropped(t *testing.T) {
	t.Parallel()
	tf := start(t, t.TempDir())
	i := tf.resource("openpai_job")
	i.mustApply(job([]string{"true"}, tree{"wait_for": "completed"}), "create")
	before := i.state
	for version := range tf.schema.ResourceSchemas["openpai_job"].Version + 1 {
		if text := i.upgrade(version, raw(t, tf, before, "forgotten")); text != "" || !i.state.Equal(before) {
			t.Errorf("version %d: %s%s", version, text, diff(before, i.state))
		}
	}
}
