// SPDX-License-Identifier: MPL-2.0

package store

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"
)

func TestTheProgramIsKeptOnceByContent(t *testing.T) {
	t.Parallel()
	l := NewLayout(t.TempDir())
	first, err := l.InstallProgram(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	again, err := l.InstallProgram(time.Now())
	if err != nil || again != first {
		t.Errorf("kept as %s, then as %s, error %v", first, again, err)
	}
	if info, err := os.Stat(first); err != nil || info.Mode()&0o100 == 0 {
		t.Errorf("mode %v, error %v", info.Mode(), err)
	}
}

func TestACopyIsMadeWhereNoLinkCanBe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	original, err := os.Open(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = original.Close() }()
	sum, err := contentHash(original)
	if err != nil {
		t.Fatal(err)
	}
	kept := filepath.Join(dir, "bin", sum, "program")
	if err := os.MkdirAll(filepath.Dir(kept), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(kept, []byte("half a copy"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := install(original, filepath.Join(dir, "deleted"), kept, sum); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(kept); err != nil || string(got) != string(want) {
		t.Errorf("the copy differs, error %v", err)
	}
}

func existing(names []string) []string {
	return slices.DeleteFunc(names, func(name string) bool { return !Exists(name) })
}

// The provider submits many jobs concurrently. Each copy that is being
// created needs as much disk space as the program.
func TestOneCopyIsMadeAtATime(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	kept := filepath.Join(dir, "bin", "sum", "program")
	ctx, stop := context.WithCancel(t.Context())
	most := make(chan int)
	go func() {
		seen := 0
		for ctx.Err() == nil {
			// One listing may show files that never existed at the same time. Files
			// that are in two consecutive listings existed at the same time.
			listed := Glob(filepath.Dir(kept), ".copy-*")
			seen = max(seen, len(existing(existing(listed))))
		}
		most <- seen
	}()
	var copies sync.WaitGroup
	for range 8 {
		copies.Go(func() {
			original, err := os.Open(os.Args[0])
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { _ = original.Close() }()
			sum, err := contentHash(original)
			if err == nil {
				err = install(original, filepath.Join(dir, "deleted"), kept, sum)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	copies.Wait()
	stop()
	if n := <-most; n > 1 { // 0 if the machine was too busy to check
		t.Errorf("%d copies at the same time", n)
	}
}
