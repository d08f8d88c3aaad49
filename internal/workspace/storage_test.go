// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"os"
	"path/filepath"
	"testing"
)

const storageJob = `-- main.pai.hcl --
storage "declared" {
  claim = "declared"
}
-- file --
`

// TestBlocksOverrideStoragesFromOptions checks that paths become absolute, that options
// take precedence over the environment, and that neither overrides a block.
func TestBlocksOverrideStoragesFromOptions(t *testing.T) {
	t.Parallel()
	dir := unpack(t, storageJob)
	data := filepath.Join(dir, "data")
	if err := os.Mkdir(data, 0o755); err != nil {
		t.Fatal(err)
	}
	loaded, diags := Load(Options{
		Path: dir, Storages: []string{"nfs=" + data},
		Environ: []string{"OPENPAI_STORAGE=nfs=/gone, home=" + dir + ", gone=/gone"},
	})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	for name, want := range map[string]string{"nfs": data, "home": dir, "gone": "/gone"} {
		if s := loaded.Workspace.Storage(name); s == nil || s.HostPath != want {
			t.Errorf("the storage %s is %+v, want the directory %s", name, s, want)
		}
	}
	for input, want := range map[string]string{
		"declared=" + data:                    "is already declared",
		"nfs":                                 "must have the form",
		"=" + data:                            "must have the form",
		"nfs=" + filepath.Join(dir, "gone"):   "the directory does not exist",
		"nfs=" + filepath.Join(dir, "file"):   "file is not a directory",
		"nfs=" + filepath.Join(dir, "file/x"): "cannot use",
	} {
		_, diags := Load(Options{Path: dir, Storages: []string{input}})
		onlyDiagnostic(t, diags, InvalidStorageArgument, want)
	}
}

func TestARelativeStorageStartsAtTheCurrentDirectory(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	loaded, diags := Load(Options{Path: unpack(t, storageJob), Storages: []string{"nfs=testdata/.."}})
	if s := loaded.Workspace.Storage("nfs"); s == nil || s.HostPath != here {
		t.Errorf("the storage is %+v with %v, want %s", s, diags, here)
	}
}
