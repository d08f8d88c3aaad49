// SPDX-License-Identifier: MPL-2.0

//go:build acc && unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// seedsScript runs init and graph on the three examples from the job-protocol
// specification.
const seedsScript = `
env OPENPAI_MARKETPLACE=items=items
exec openpai init mnist.yaml
exec openpai graph mnist.yaml
in-order stdout '1. marketplace://script/install_wget' '2. marketplace://script/mnist' 'dataPath="/dataset/mnist"'
exec openpai init imagenet.yaml
exec openpai graph imagenet.yaml
in-order stdout '1. marketplace://storage/confignfs_pvc' 'mountPath="/mnt/confignfs_pvc"' '2. marketplace://script/imagenet' 'dataPath="/dataset/imagenet"' 'storage: confignfs at /mnt/confignfs_pvc'
exec openpai init debug-hook.yaml
exec openpai graph debug-hook.yaml
in-order stdout '1. marketplace://script/debug_hook' 'min="30"' 'taskFails (2 lines)'
exec openpai init without.yaml
exits 1 openpai plan without.yaml
stderr 'without a value for its template variable "dataPath"'
`

// TestGraphShowsTheExamplesOfTheSpecification reads the examples from the directory in
// OPENPAI_CORPUS.
func TestGraphShowsTheExamplesOfTheSpecification(t *testing.T) {
	folder := os.Getenv("OPENPAI_CORPUS")
	if folder == "" {
		t.Skip("OPENPAI_CORPUS does not name a folder with job files")
	}
	script := filepath.Join(t.TempDir(), "seeds.txtar")
	if err := os.WriteFile(script, []byte(seedsScript), 0o644); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Files: []string{script}, RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error { return copySeeds(filepath.Join(folder, "seeds"), env.WorkDir) },
		Cmds:  map[string]func(*testscript.TestScript, bool, []string){"in-order": cmdInOrder, "exits": cmdExits},
	})
}

func copySeeds(from, to string) error {
	if err := os.Mkdir(filepath.Join(to, "items"), 0o755); err != nil {
		return err
	}
	for _, name := range []string{"mnist", "imagenet", "debug-hook"} {
		for file, target := range map[string]string{"-job.yaml": name + ".yaml", "-marketplace.yaml": "items/" + name + ".yaml"} {
			text, err := os.ReadFile(filepath.Join(from, "000-"+name+file))
			if err == nil {
				err = os.WriteFile(filepath.Join(to, target), text, 0o644)
			}
			if err != nil {
				return err
			}
		}
	}
	text, err := os.ReadFile(filepath.Join(to, "mnist.yaml"))
	if err != nil {
		return err
	}
	without := strings.ReplaceAll(string(text), "            dataPath: /dataset/mnist\n", "")
	return os.WriteFile(filepath.Join(to, "without.yaml"), []byte(strings.ReplaceAll(without, "          template_variables:\n", "")), 0o644)
}
