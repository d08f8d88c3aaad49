// SPDX-License-Identifier: MPL-2.0

package local

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
)

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestLogIsReadAcrossRotation(t *testing.T) {
	t.Parallel()
	dir := store.TaskDir(t.TempDir())
	current := logFile(dir, cluster.StreamStdout)
	aside := filepath.Join(filepath.Dir(current), "@4000000000000001.s")
	put(t, aside, "one\n")
	put(t, current, "two\n")
	var out strings.Builder
	l := openLog(dir, cluster.LogRequest{Stream: cluster.StreamStdout}, &out)
	defer l.close()
	if err := l.start(0); err != nil {
		t.Fatal(err)
	}
	put(t, current, "three\n")
	if err := os.Rename(current, filepath.Join(filepath.Dir(current), "@4000000000000002.s")); err != nil {
		t.Fatal(err)
	}
	if err := l.copy(); err != nil {
		t.Fatal(err)
	}
	put(t, current, "four\n")
	if err := l.copy(); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != "one\ntwo\nthree\nfour\n" {
		t.Errorf("read %q", got)
	}
}

func TestTailIsTheLastLines(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		lines   int
		content string
		want    string
	}{
		"fewer lines than asked":        {5, "a\nb\n", "a\nb\n"},
		"exactly as many":               {2, "a\nb\n", "a\nb\n"},
		"more":                          {2, "a\nb\nc\n", "b\nc\n"},
		"the last line has no newline":  {1, "a\nb", "b"},
		"an empty line counts":          {2, "a\n\nb\n", "\nb\n"},
		"nothing":                       {3, "", ""},
		"much more than one file keeps": {1, strings.Repeat("x\n", 1<<20) + "end\n", "end\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := store.TaskDir(t.TempDir())
			put(t, logFile(dir, cluster.StreamAll), test.content)
			var out strings.Builder
			l := openLog(dir, cluster.LogRequest{Stream: cluster.StreamAll}, &out)
			defer l.close()
			if err := l.start(test.lines); err != nil {
				t.Fatal(err)
			}
			if out.String() != test.want {
				t.Errorf("tail %q, want %q", out.String(), test.want)
			}
		})
	}
}
