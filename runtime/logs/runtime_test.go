// SPDX-License-Identifier: MPL-2.0

package logs

import (
	"bytes"
	"io"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/redact"
)

func TestLinesWithoutEndAreCutNotKept(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	log := &Runtime{File: &file, Copy: io.Discard, Redactor: redact.New(), Now: time.Now}
	sink := log.Callback(&Tail{})
	for range 40 {
		_, _ = sink.Write(bytes.Repeat([]byte("x"), 64<<10))
	}
	_ = sink.Flush()
	if got := bytes.Count(file.Bytes(), []byte("x")); got != 40*64<<10 {
		t.Errorf("%d bytes kept", got)
	}
	if n := bytes.Count(file.Bytes(), []byte("\n")); n < 2 {
		t.Errorf("%d lines", n)
	}
}

func TestTextOfAServerDoesNotActOnATerminal(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	l := &Runtime{File: &out, Copy: io.Discard, Redactor: redact.New("geheim"), Now: func() time.Time { return time.Unix(0, 0).UTC() }}
	l.Warning("the server answered 404 \x1b[2Jgone\r\u202e\nof geheim")
	want := `[Thu Jan  1 00:00:00 UTC 1970] [openpai-runtime] [WARNING] the server answered 404 \x1b[2Jgone\r\u202e of ` + redact.Mask + "\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func BenchmarkRuntimeLog(b *testing.B) {
	log := &Runtime{File: io.Discard, Copy: io.Discard, Redactor: redact.New("a-secret-value"), Now: time.Now}
	sink := log.Callback(&Tail{})
	chunk := bytes.Repeat([]byte("a line of a callback, sixty bytes long, as they often are..\n"), 1000)
	for b.Loop() {
		_, _ = sink.Write(chunk)
	}
	b.ReportMetric(float64(b.N)*1000/b.Elapsed().Seconds(), "lines/s")
}
