package local

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestTheProgramIsKeptOnceByContent(t *testing.T) {
	t.Parallel()
	l := newLayout(t.TempDir())
	first, err := l.keepProgram(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	again, err := l.keepProgram(time.Now())
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
	if err := keep(original, filepath.Join(dir, "deleted"), kept, sum); err != nil {
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

func TestOldProgramsGoUnlessTheyAreInUse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	script, gate := gated(t)
	job := newJob("uses", newRole("worker", script))
	w.apply(job)
	w.running(job)
	old := w.layout.join("bin", "old", "program")
	if err := os.MkdirAll(filepath.Dir(old), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(old, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	var s supervisorInfo
	if err := readJSON(w.layout.object(job.Framework).supervisorFile(), &s); err != nil {
		t.Fatal(err)
	}
	if err := w.layout.prunePrograms(time.Now()); err != nil || !exists(old) {
		t.Errorf("a fresh copy is gone, error %v", err)
	}
	if err := w.layout.prunePrograms(time.Now().Add(2 * programKept)); err != nil {
		t.Fatal(err)
	}
	if exists(old) || !exists(s.Program) {
		t.Errorf("old copy there: %v, used copy there: %v", exists(old), exists(s.Program))
	}
	open(t, gate)
	w.finished(job)
}
