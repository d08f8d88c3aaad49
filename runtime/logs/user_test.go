// SPDX-License-Identifier: MPL-2.0

package logs

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/redact"
)

// The log must not copy a chunk that ends within a line, because copying takes as
// long as writing.
func TestChunksThatEndWithinALineAreNotCopied(t *testing.T) {
	user, err := OpenUser(t.TempDir(), 0o644, redact.New(), time.Now, io.Discard, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer user.Close()
	chunk := append(bytes.Repeat([]byte("rest\nwhole line\n"), 4<<10), "begun "...)
	if n := testing.AllocsPerRun(50, func() { _, _ = user.Stdout.Write(chunk) }); n > 0 {
		t.Errorf("%v allocations for a chunk of %d bytes", n, len(chunk))
	}
}

// The merged log must not depend on how the output is split into writes.
func TestPiecesOfOutputMakeTheSameMergedLog(t *testing.T) {
	t.Parallel()
	text := []byte("one\n\n10%\r20%\rdone\nlong " + strings.Repeat("x", 70) + "\r\nlast\n")
	for size := 1; size <= len(text); size++ {
		dir := t.TempDir()
		user, err := OpenUser(dir, 0o644, redact.New(), time.Now, io.Discard, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		for rest := text; len(rest) > 0; {
			n := min(size, len(rest))
			_, _ = user.Stdout.Write(rest[:n])
			rest = rest[n:]
		}
		_ = user.Stdout.Flush()
		user.Close()
		got, err := os.ReadFile(filepath.Join(dir, "user-all/current"))
		if diff := cmp.Diff(string(text), string(got)); err != nil || diff != "" {
			t.Errorf("pieces of %d bytes: %v (-want +got)\n%s", size, err, diff)
		}
	}
}

// TestAnIncompleteLineIsShown calls show directly instead of waiting for the
// timer. Lines of two streams must not be interleaved.
func TestAnIncompleteLineIsShown(t *testing.T) {
	t.Parallel()
	type step struct {
		stream string // "out" or "err"
		text   string // text to write; if empty, the step calls show
		want   string // the merged log after the step
	}
	for name, steps := range map[string][]step{
		"a progress bar that begins with a carriage return": {
			{"err", "\r1%", "\r"}, {"err", "", "\r1%"}, {"err", "\r2%", "\r1%\r"}, {"err", "", "\r1%\r2%"}, {"err", "\n", "\r1%\r2%\n"},
		},
		"a line in pieces": {
			{"out", "load", ""}, {"out", "", "load"}, {"out", "ing", "load"}, {"out", "", "loading"}, {"out", "", "loading"}, {"out", " done\nnext\n", "loading done\nnext\n"},
		},
		"the other stream prints": {
			{"out", "load", ""}, {"out", "", "load"}, {"err", "warning\n", "load\rwarning\n"}, {"out", "", "load\rwarning\nload"}, {"out", "ed\n", "load\rwarning\nloaded\n"},
		},
		"the other stream prints, and the line is not shown again": {
			{"out", "load", ""}, {"out", "", "load"}, {"err", "warning\n", "load\rwarning\n"}, {"out", "ed\n", "load\rwarning\nloaded\n"},
		},
		"the other stream prints an empty line": {
			{"err", "\r5%", "\r"}, {"err", "", "\r5%"}, {"out", "\ndone\n", "\r5%\r \ndone\n"}, {"err", "\r6%\n", "\r5%\r \ndone\n5%\r6%\n"},
		},
		"both streams have incomplete lines": {
			{"out", "a", ""}, {"out", "", "a"}, {"err", "b", "a"}, {"err", "", "a\rb"}, {"out", "\n", "a\rb\ra\n"}, {"err", "\n", "a\rb\ra\nb\n"},
		},
		"a line that is too long to be shown": {
			{"out", strings.Repeat("x", maxShownLine+1), ""}, {"out", "", ""}, {"out", "\n", strings.Repeat("x", maxShownLine+1) + "\n"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			user, err := OpenUser(dir, 0o644, redact.New(), time.Now, io.Discard, io.Discard)
			if err != nil {
				t.Fatal(err)
			}
			defer user.Close()
			sinks := map[string]*UserSink{"out": user.Stdout, "err": user.Stderr}
			for _, sink := range sinks {
				sink.stream.armed = true // an armed stream does not start a timer that shows lines
			}
			for n, s := range steps {
				if s.text == "" {
					sinks[s.stream].stream.show()
					sinks[s.stream].stream.armed = true
				} else {
					_, _ = sinks[s.stream].Write([]byte(s.text))
				}
				got, err := os.ReadFile(filepath.Join(dir, "user-all/current"))
				if diff := cmp.Diff(s.want, string(got)); err != nil || diff != "" {
					t.Fatalf("step %d: %v (-want +got)\n%s", n+1, err, diff)
				}
			}
		})
	}
}

func BenchmarkUserLog(b *testing.B) {
	user, err := OpenUser(b.TempDir(), 0o644, redact.New("a-secret-value"), time.Now, io.Discard, io.Discard)
	if err != nil {
		b.Fatal(err)
	}
	chunk := bytes.Repeat([]byte("epoch 12 step 3456 loss 0.1234 accuracy 0.987 learning rate 1e-4\n"), 4000)
	b.SetBytes(int64(len(chunk)))
	for b.Loop() {
		_, _ = user.Stdout.Write(chunk)
	}
	user.Close()
}
