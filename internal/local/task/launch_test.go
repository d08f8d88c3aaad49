// SPDX-License-Identifier: MPL-2.0

package task

import (
	"path/filepath"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

func TestWithoutMountsTheVariableNamesTheDirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	spec := &runspec.Spec{Mounts: []runspec.Mount{{Storage: "a", Path: "/mnt/a"}, {Storage: "b", Path: dir}}}
	mounts := []store.Mount{{Storage: "a", Source: filepath.Join(dir, "new"), Target: "/mnt/a"}, {Storage: "b", Source: dir, Target: dir}}
	for name, test := range map[string]struct {
		can  bool
		path string
		made int
	}{
		"where mounts are permitted": {true, "/mnt/a", 1},
		"where they are not":         {false, filepath.Join(dir, "new"), 0},
	} {
		placed, made, err := PlaceMounts(spec, mounts, func() bool { return test.can })
		if err != nil {
			t.Fatal(err)
		}
		if placed.Mounts[0].Path != test.path || placed.Mounts[1].Path != dir || len(made) != test.made {
			t.Errorf("%s: %+v, mounts to make %+v", name, placed.Mounts, made)
		}
	}
	if spec.Mounts[0].Path != "/mnt/a" {
		t.Error("PlaceMounts changed the run specification itself")
	}
	if !store.Exists(filepath.Join(dir, "new")) {
		t.Error("the directory was not created")
	}
}
