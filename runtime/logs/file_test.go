// SPDX-License-Identifier: MPL-2.0

package logs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestLogLayoutAndRotationAreThoseOfOpenPAI(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	now := time.Unix(1600000000, 0)
	clock := func() time.Time { now = now.Add(time.Second); return now }
	log := OpenFile(filepath.Join(dir, "current"), 10, 0o644, clock)
	for _, text := range []string{"12345", "67890", "abcde", "fghij", "klmno"} {
		if n, err := log.Write([]byte(text)); n != 5 || err != nil {
			t.Fatal(n, err)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "[@c]*"))
	if err != nil || len(files) != 2 {
		t.Fatalf("files %v, error %v", files, err)
	}
	old, err := os.ReadFile(files[0])
	if err != nil || string(old) != "abcdefghij" || !strings.HasPrefix(filepath.Base(files[0]), "@400000005f5e10") || !strings.HasSuffix(files[0], ".s") {
		t.Errorf("%s: %q, error %v", files[0], old, err)
	}
	current, err := os.ReadFile(files[1])
	if err != nil || string(current) != "klmno" {
		t.Errorf("%s: %q, error %v", files[1], current, err)
	}
}

func TestAGapInALogIsMarked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	log := OpenFile(filepath.Join(dir, "missing", "current"), 1000, 0o644, time.Now)
	if n, err := log.Write([]byte("lost")); n != 4 || err != nil {
		t.Fatal(n, err)
	}
	if err := os.Mkdir(filepath.Join(dir, "missing"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, _ = log.Write([]byte("kept\n"))
	got, err := os.ReadFile(filepath.Join(dir, "missing", "current"))
	if want := "\n[openpai-runtime] 4 bytes could not be written here\nkept\n"; err != nil || string(got) != want {
		t.Errorf("got %q, want %q, error %v", got, want, err)
	}
}
