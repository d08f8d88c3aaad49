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

// The log must not copy chunks that end within a line to separate memory, because a
// copy takes as long as a write.
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

// The merged log does not depend on how the output is split.
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
