// SPDX-License-Identifier: MPL-2.0

package runspec

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestParseRefusesWhatNoPlannerWrote(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		``:                        "unexpected end of JSON input",
		`null`:                    "has version 0; this runtime supports 1",
		`{}`:                      "has version 0; this runtime supports 1",
		`{"version": -1}`:         "has version -1",
		`{"version": 2}`:          "use the runtime image from the release that submitted the job",
		`{"version": "1"}`:        "cannot unmarshal string",
		`{"version": 1} trailing`: "after top-level value",
	} {
		spec, err := Parse("run.json", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "run.json") {
			t.Errorf("%s: specification %+v, error %v, want %q", text, spec, err, want)
		}
	}
}

func TestReadTakesTheFirstFileThatExists(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	absent, first, second := filepath.Join(dir, "absent"), filepath.Join(dir, "first"), filepath.Join(dir, "second")
	for name, role := range map[string]string{first: "a", second: "b"} {
		if err := os.WriteFile(name, []byte(`{"version": 1, "role": "`+role+`"}`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	spec, err := Read(absent, first, second)
	if err != nil || spec.Role != "a" {
		t.Errorf("specification %+v, error %v", spec, err)
	}
	if _, err := Read(absent); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("none of them: %v", err)
	}
	if _, err := Read(dir, first); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a directory: %v", err)
	}
}
