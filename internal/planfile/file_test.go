// SPDX-License-Identifier: MPL-2.0

package planfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAPlanIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "any.name")
	for _, body := range []string{"{}\n", "{\"changed\": true}\n"} { // an existing plan is overwritten
		want := File{Version: "0.1.0-dev", Body: []byte(body)}
		if err := Write(path, want); err != nil {
			t.Fatal(err)
		}
		got, err := Read(path)
		if diff := cmp.Diff(want, got); diff != "" || err != nil || !Is(path) {
			t.Errorf("%v, a plan: %t (-want +got):\n%s", err, Is(path), diff)
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestOnlyAPlanIsOverwritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "main.pai.hcl")
	if err := os.WriteFile(path, []byte("job {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{path, dir} {
		if err := Write(p, File{Version: "1", Body: []byte("{}")}); err == nil || !strings.Contains(err.Error(), "not a saved plan") {
			t.Errorf("%s: %v", p, err)
		}
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "job {}\n" {
		t.Errorf("the file now contains %q, %v", text, err)
	}
}

func TestOtherFilesAreNoPlans(t *testing.T) {
	t.Parallel()
	good := string(encode(File{Version: "0.1.0", Body: []byte("{}")}))
	tests := map[string]struct {
		text string
		want error
	}{
		"an empty file":        {"", ErrNotPlan},
		"HCL":                  {"job \"a\" {\n}\n", ErrNotPlan},
		"the first line alone": {strings.TrimSuffix(good, "\n{}"), ErrNotPlan},
		"a long line":          {"# plan saved by openpai " + strings.Repeat("x", 2*maxFirstLine) + "\n", ErrNotPlan},
		"a changed body":       {good + " ", ErrTampered},
		"a truncated body":     {strings.TrimSuffix(good, "}"), ErrTampered},
		"a plan":               {good, nil},
	}
	for name, tt := range tests {
		if _, err := decode([]byte(tt.text)); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
	}
}

// FuzzDecode checks that encode reproduces every input that decode accepts.
func FuzzDecode(f *testing.F) {
	f.Add([]byte("# plan saved by openpai 1, sha256 00\n{}"))
	f.Add(encode(File{Version: "0.1.0", Body: []byte("{}")}))
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := decode(text)
		if err == nil && string(encode(file)) != string(text) {
			t.Errorf("writing the plan %q again changes the file", text)
		}
	})
}
