// SPDX-License-Identifier: MPL-2.0

package logtime

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var start = time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)

func at(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }

func TestEachLineHasTheTimeOfItsMark(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "current")
	w := NewWriter(log, 0o644)
	w.Mark(0, at(0))
	w.Mark(10, at(4)) // within the resolution
	w.Mark(20, at(10))
	w.Mark(30, at(5)) // the clock was set back
	f, err := os.Open(Name(log))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	index := NewIndex(f)
	got := map[int64]time.Time{}
	for _, offset := range []int64{0, 10, 19, 20, 29, 30} {
		got[offset] = index.At(offset).UTC()
	}
	w.Mark(40, at(50)) // while the index is being read
	got[45] = index.At(45).UTC()
	want := map[int64]time.Time{0: at(0), 10: at(0), 19: at(0), 20: at(10), 29: at(10), 30: at(5), 45: at(50)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestTheIndexIsRenamedWithItsLog(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w := NewWriter(filepath.Join(dir, "current"), 0o644)
	w.Mark(0, at(0))
	w.Rename(filepath.Join(dir, "@1.s"))
	w.Mark(0, at(20))
	w.Close()
	w.Mark(7, at(40)) // appends
	w.Close()
	for name, want := range map[string]time.Time{"@1.s": at(0), "current": at(40)} {
		text, err := os.ReadFile(Name(filepath.Join(dir, name)))
		if got := NewIndex(bytes.NewReader(text)).At(7); err != nil || !got.Equal(want) {
			t.Errorf("%s: %v, want %v, error %v", name, got, want, err)
		}
	}
}

// FuzzIndex checks that an invalid index can only cause wrong times. The
// content is not trusted, because tasks can write to the index.
func FuzzIndex(f *testing.F) {
	f.Add([]byte("0123456789abcdef0123"))
	f.Fuzz(func(t *testing.T, text []byte) {
		index := NewIndex(bytes.NewReader(text))
		for offset := range int64(40) {
			if got := len(Stamp(index.At(offset << 8))); got != Width {
				t.Errorf("a stamp of %d bytes", got)
			}
		}
	})
}
