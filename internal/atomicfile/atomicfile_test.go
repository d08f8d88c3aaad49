// SPDX-License-Identifier: MPL-2.0

package atomicfile

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

func TestWriteReplacesContentAndMode(t *testing.T) {
	name := filepath.Join(t.TempDir(), "state.json")
	if err := Write(name, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Write(name, []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(name)
	if err != nil || string(got) != "new" {
		t.Fatalf("content %q, error %v", got, err)
	}
	info, err := os.Stat(name)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("mode %v, error %v", info.Mode(), err)
	}
}

func TestFailedWriteKeepsTheOldFileAndLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "taken")
	if err := os.Mkdir(target, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(target, "keep"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Write(target, []byte("x"), 0o644); err == nil {
		t.Fatal("a directory was replaced by a file")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Fatalf("remaining files: %v, error %v", entries, err)
	}
}

func TestReadersNeverSeeAPart(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	long, short := make([]byte, 1<<16), []byte("s")
	if err := Write(name, short, 0o644); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 50 {
			_ = Write(name, long, 0o644)
			_ = Write(name, short, 0o644)
		}
	})
	for range 500 {
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(long) && len(got) != len(short) {
			t.Fatalf("read %d bytes", len(got))
		}
	}
	wg.Wait()
}
