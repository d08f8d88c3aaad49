// SPDX-License-Identifier: MPL-2.0

package store

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// TestChangedFilesAreDrift checks which changes to a Framework's files Drift
// reports. It also checks that a damaged file does not cause an error.
func TestChangedFilesAreDrift(t *testing.T) {
	t.Parallel()
	const name = "0123456789abcdef0123456789abcdef"
	configMap := func(data map[string]string) *framework.ConfigMap {
		return &framework.ConfigMap{Metadata: framework.ObjectMeta{Name: "run"}, Data: data}
	}
	tests := map[string]struct {
		change func(t *testing.T, o Object)
		want   []planner.Drift
	}{
		"nothing changed": {func(*testing.T, Object) {}, nil},
		"a stop request": {func(t *testing.T, o Object) {
			edit(t, o, func(fw *framework.Framework) { fw.Spec.ExecutionType = framework.ExecutionStop })
		}, nil},
		"a field of the Framework": {func(t *testing.T, o Object) {
			edit(t, o, func(fw *framework.Framework) { fw.Spec.Description = "new" })
		}, []planner.Drift{{Object: "Framework " + name, Path: "spec.description", Kind: planner.DriftChanged, Before: "old", After: "new"}}},
		"a field in a ConfigMap": {func(t *testing.T, o Object) {
			save(t, o.configMapFile("run"), configMap(map[string]string{"worker.json": `{"commands":["b"]}`}))
		}, []planner.Drift{{Object: "ConfigMap run", Path: `data["worker.json"].commands[0]`, Kind: planner.DriftChanged, Before: "a", After: "b"}}},
		"a damaged ConfigMap": {func(t *testing.T, o Object) {
			if err := os.WriteFile(o.configMapFile("run"), []byte("{"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, []planner.Drift{{Object: "ConfigMap run", Kind: planner.DriftMissing}}},
		"another directory of a storage": {func(t *testing.T, o Object) {
			save(t, o.BindingFile(), Binding{Mounts: map[string][]Mount{"worker": {{Storage: "nfs", Source: "/b", Target: "/mnt"}}}})
		}, []planner.Drift{{Object: "file binding.json", Path: "mounts.worker[0].source", Kind: planner.DriftChanged, Before: "/a", After: "/b"}}},
		"a damaged record of the written content": {func(t *testing.T, o Object) {
			if err := os.WriteFile(o.sentFile(), []byte("{"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, []planner.Drift{{Object: "file sent.json", Kind: planner.DriftChanged}}},
		"no record of the written content": {func(t *testing.T, o Object) {
			if err := os.Remove(o.sentFile()); err != nil {
				t.Fatal(err)
			}
		}, nil},
	}
	for label, tt := range tests {
		t.Run(label, func(t *testing.T) {
			t.Parallel()
			o := Object{Dir: t.TempDir(), Name: name}
			fw := &framework.Framework{Metadata: framework.ObjectMeta{Name: name}}
			fw.Spec.Description, fw.Spec.ExecutionType = "old", framework.ExecutionStart
			save(t, o.SpecFile(), fw)
			save(t, o.configMapFile("run"), configMap(map[string]string{"worker.json": `{"commands":["a"]}`}))
			save(t, o.BindingFile(), Binding{Mounts: map[string][]Mount{"worker": {{Storage: "nfs", Source: "/a", Target: "/mnt"}}}})
			if err := o.SaveSent(); err != nil {
				t.Fatal(err)
			}
			tt.change(t, o)
			got, err := o.Drift()
			if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func save(t *testing.T, file string, value any) {
	t.Helper()
	if err := WriteJSON(file, value); err != nil {
		t.Fatal(err)
	}
}

func edit(t *testing.T, o Object, change func(*framework.Framework)) {
	t.Helper()
	fw, err := o.LoadSpec()
	if err != nil {
		t.Fatal(err)
	}
	change(fw)
	save(t, o.SpecFile(), fw)
}
