// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// onlyShell makes the task use the given shell. It does nothing if path ends in
// "bash", because bash is the default.
func (r *rig) onlyShell(path string) {
	r.t.Helper()
	if strings.HasSuffix(path, "bash") {
		return
	}
	r.config.shell = shell{path: path}
}

func TestBashIsPreferredToSh(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, c := range map[string]struct {
		files []string
		want  string
		bash  bool
	}{
		"bash before sh": {[]string{"bash", "sh"}, "bash", true},
		"sh alone":       {[]string{"sh"}, "sh", false},
	} {
		bin := filepath.Join(dir, name)
		if err := os.Mkdir(bin, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, f := range c.files {
			if err := os.WriteFile(filepath.Join(bin, f), []byte("#!/bin/sh\n"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		got, err := findShell([]string{bin})
		if err != nil || got.path != filepath.Join(bin, c.want) || got.bash != c.bash {
			t.Errorf("%s: %+v, error %v", name, got, err)
		}
	}
}

// OpenPAI's original runtime reports an image without a shell as a platform failure.
func TestAnImageWithoutAShellIsReported(t *testing.T) {
	t.Parallel()
	for name, dirs := range map[string][]string{"nothing": {t.TempDir()}, "relative": {"bin"}, "empty": nil} {
		if _, err := findShell(dirs); !errors.Is(err, errNoShell) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestLineNumbersInMessagesAreThoseOfTheUser(t *testing.T) {
	t.Parallel()
	for _, path := range shells(t) {
		r := newRig(t, "echo one", "echo two", "no-such-command-here")
		r.onlyShell(path)
		r.run()
		if out := r.output(); !strings.Contains(out, "line 3:") && !strings.Contains(out, ": 3:") {
			t.Errorf("%s printed %q", path, out)
		}
	}
}
