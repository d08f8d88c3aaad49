// SPDX-License-Identifier: MPL-2.0

//go:build acc

package repository

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

func TestFuzzingFailsWhenATargetFails(t *testing.T) {
	dir := t.TempDir()
	module, err := txtar.ParseFile("testdata/fuzz.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range module.Files {
		write(t, filepath.Join(dir, file.Name), file.Data)
	}
	script, err := os.ReadFile("../../../.ci/fuzz")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, ".ci", "fuzz"), script)
	cmd := exec.Command("bash", filepath.Join(dir, ".ci", "fuzz"), "10x")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("the script ends with %v, want code 1:\n%s", err, out)
	}
	for _, want := range []string{"failed: ./a FuzzBroken", "failed: ./b FuzzNotCompiled", "-- ./c FuzzSound"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(string(out), "failed: ./c FuzzSound") {
		t.Errorf("the target without a bug fails:\n%s", out)
	}
}

func write(t *testing.T, name string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, content, 0o644); err != nil {
		t.Fatal(err)
	}
}
