//go:build unix

package runtime

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/redact"
)

// Rows 28 and 29: standard error was not in the runtime log, lines came after
// the next status line or not at all, blanks and backslashes were lost.
func TestRow28And29EveryLineOfACallbackIsInTheLogInOrder(t *testing.T) {
	t.Parallel()
	r := newRig(t, "true")
	r.step("a", on("taskStarts", "i=0; while [ $i -lt 300 ]; do echo out $i; echo err $i >&2; i=$((i+1)); done", `printf '  blanks  \nC:\\new\\\n\nlast without newline'`))
	r.run()
	want := []string{"[INFO] Starting to exec precommands"}
	for i := range 300 {
		want = append(want, fmt.Sprintf("out %d", i), fmt.Sprintf("err %d", i))
	}
	want = append(want, "  blanks  ", `C:\new\`, "", "last without newline", "[INFO] Precommands finished", "[INFO] USER COMMAND START", "[INFO] USER COMMAND END")
	if diff := cmp.Diff(lines(want...), r.log()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Row 30: the order of the two streams was lost in the merged log.
func TestRow30StreamsAreMergedInTheOrderOfArrival(t *testing.T) {
	t.Parallel()
	r := newRig(t, "for i in 1 2 3 4 5 6 7 8; do echo out $i; sleep 0.03; echo err $i >&2; sleep 0.03; done")
	r.run()
	var want, stdout, stderr []string
	for i := range 8 {
		out, err := fmt.Sprintf("out %d", i+1), fmt.Sprintf("err %d", i+1)
		want, stdout, stderr = append(want, out, err), append(stdout, out), append(stderr, err)
	}
	if diff := cmp.Diff(lines(want...), r.output()); diff != "" {
		t.Errorf("merged (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(lines(stdout...), r.read("logs/user-stdout/current")); diff != "" {
		t.Errorf("stdout (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(lines(stderr...), r.read("logs/user-stderr/current")); diff != "" {
		t.Errorf("stderr (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(lines(stdout...), r.stdout.String()); diff != "" {
		t.Errorf("the container's stdout (-want +got)\n%s", diff)
	}
}

func TestNoByteOfALargeOutputIsLost(t *testing.T) {
	t.Parallel()
	r := newRig(t, "i=0; while [ $i -lt 2000 ]; do printf '%01000d\\n' $i; i=$((i+1)); done")
	r.secret("key", "never printed")
	r.run()
	want := &strings.Builder{}
	for i := range 2000 {
		fmt.Fprintf(want, "%01000d\n", i)
	}
	for name, got := range map[string]string{"file": r.read("logs/user-stdout/current"), "merged": r.output(), "copy": r.stdout.String()} {
		if got != want.String() {
			t.Errorf("%s: %d of %d bytes", name, len(got), want.Len())
		}
	}
}

func TestLastLinesOfTheRecord(t *testing.T) {
	t.Parallel()
	r := newRig(t, "for i in $(seq 1 30); do echo line $i; done; printf 'bad <% $secrets.key %> \\377'; exit 1")
	r.secret("key", "a-secret-value")
	record := r.run()
	if len(record.LastLines) != 20 || record.LastLines[18] != "line 30" || record.LastLines[19] != "bad *** \uFFFD" {
		t.Errorf("%q", record.LastLines)
	}
	r = newRig(t, "true")
	r.step("a", on("taskStarts", "echo why; exit 1"))
	if record := r.run(); len(record.LastLines) != 1 || record.LastLines[0] != "why" {
		t.Errorf("of a callback: %q", record.LastLines)
	}
}

func TestKept18LogLayoutAndRotation(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	now := time.Unix(1600000000, 0)
	clock := func() time.Time { now = now.Add(time.Second); return now }
	log := openRotating(filepath.Join(dir, "current"), 10, 0o644, clock)
	for _, text := range []string{"12345", "67890", "abcde", "fghij", "klmno"} {
		if n, err := log.Write([]byte(text)); n != 5 || err != nil {
			t.Fatal(n, err)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
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
	log := openRotating(filepath.Join(dir, "missing", "current"), 1000, 0o644, time.Now)
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

func TestAFullDiskDoesNotHoldTheTaskUp(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/full"); errors.Is(err, os.ErrNotExist) {
		return // only Linux has a device that is always full
	}
	r := newRig(t, "seq 1 100000", "echo done >trace")
	for _, dir := range []string{"user-all", "user-stdout", "user-stderr"} {
		if err := os.MkdirAll(filepath.Join(r.config.LogDir, dir), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("/dev/full", filepath.Join(r.config.LogDir, dir, "current")); err != nil {
			t.Fatal(err)
		}
	}
	if record := r.run(); record.Code != 0 || r.trace() != "done" {
		t.Errorf("trace %q, record %+v", r.trace(), record)
	}
}

func TestLinesWithoutEndAreCutNotKept(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	log := &runtimeLog{file: &file, copy: io.Discard, redactor: redact.New(), now: time.Now}
	sink := log.callback(&tail{})
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

func TestTheLogPipeOfCallbacks(t *testing.T) {
	t.Parallel()
	r := newRig(t, `echo "through the pipe" >"$RUNTIME_LOG_PIPE"`, `echo "and again" >"$RUNTIME_LOG_PIPE"`)
	r.run()
	if log := r.log(); !strings.Contains(log, "through the pipe\n") || !strings.Contains(log, "and again\n") {
		t.Errorf("log\n%s", log)
	}
}

func TestAFileSystemWithoutPipes(t *testing.T) {
	t.Parallel()
	r := newRig(t, "echo ${RUNTIME_LOG_PIPE:-none}")
	if err := os.MkdirAll(filepath.Join(r.config.Root, logPipe, "in the way"), 0o755); err != nil {
		t.Fatal(err)
	}
	if record := r.run(); record.Code != 0 || r.output() != "none\n" || !strings.Contains(r.log(), "[WARNING] there is no RUNTIME_LOG_PIPE: ") {
		t.Errorf("record %+v, output %q\n%s", record, r.output(), r.log())
	}
}

// Row 38: callbacks on unknown events were dropped in silence.
func TestRow38AnUnknownEventIsWarnedAbout(t *testing.T) {
	t.Parallel()
	r := newRig(t, "true")
	r.step("a", on("taskPauses", "echo never"))
	r.run()
	if log := r.log(); !strings.Contains(log, "[WARNING] the callback of prerequisite.script.a on the event taskPauses never runs") || strings.Contains(log, "\nnever") {
		t.Errorf("log\n%s", log)
	}
}

// Row 31: the analysis of a failure read standard input, for ever.
func TestRow31ScriptsHaveNoStandardInput(t *testing.T) {
	t.Parallel()
	r := newRig(t, "cat", "read x || echo end", "exit 1")
	r.step("a", on("taskStarts", "cat"), on("taskFails", "cat"))
	if record := r.run(); record.UserCode != 1 || r.output() != "end\n" {
		t.Errorf("output %q, record %+v", r.output(), record)
	}
}

func BenchmarkRuntimeLog(b *testing.B) {
	log := &runtimeLog{file: io.Discard, copy: io.Discard, redactor: redact.New("a-secret-value"), now: time.Now}
	sink := log.callback(&tail{})
	chunk := bytes.Repeat([]byte("a line of a callback, sixty bytes long, as they often are..\n"), 1000)
	for b.Loop() {
		_, _ = sink.Write(chunk)
	}
	b.ReportMetric(float64(b.N)*1000/b.Elapsed().Seconds(), "lines/s")
}

// A chunk that ends within a line was copied to memory of its own each time,
// which took as long as writing it.
func TestChunksThatEndWithinALineAreNotCopied(t *testing.T) {
	logs, err := openUserLogs(t.TempDir(), 0o644, redact.New(), time.Now, io.Discard, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer logs.close()
	chunk := append(bytes.Repeat([]byte("rest\nwhole line\n"), 4<<10), "begun "...)
	if n := testing.AllocsPerRun(50, func() { _, _ = logs.stdout.Write(chunk) }); n > 0 {
		t.Errorf("%v allocations for a chunk of %d bytes", n, len(chunk))
	}
}

// The merged log is the same whatever pieces the output comes in.
func TestPiecesOfOutputMakeTheSameMergedLog(t *testing.T) {
	t.Parallel()
	text := []byte("one\n\n10%\r20%\rdone\nlong " + strings.Repeat("x", 70) + "\r\nlast\n")
	for size := 1; size <= len(text); size++ {
		dir := t.TempDir()
		logs, err := openUserLogs(dir, 0o644, redact.New(), time.Now, io.Discard, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		for rest := text; len(rest) > 0; {
			n := min(size, len(rest))
			_, _ = logs.stdout.Write(rest[:n])
			rest = rest[n:]
		}
		_ = logs.stdout.Flush()
		logs.close()
		got, err := os.ReadFile(filepath.Join(dir, "user-all/current"))
		if diff := cmp.Diff(string(text), string(got)); err != nil || diff != "" {
			t.Errorf("pieces of %d bytes: %v (-want +got)\n%s", size, err, diff)
		}
	}
}

func BenchmarkUserLog(b *testing.B) {
	logs, err := openUserLogs(b.TempDir(), 0o644, redact.New("a-secret-value"), time.Now, io.Discard, io.Discard)
	if err != nil {
		b.Fatal(err)
	}
	chunk := bytes.Repeat([]byte("epoch 12 step 3456 loss 0.1234 accuracy 0.987 learning rate 1e-4\n"), 4000)
	b.SetBytes(int64(len(chunk)))
	for b.Loop() {
		_, _ = logs.stdout.Write(chunk)
	}
	logs.close()
}

func TestTextOfAServerDoesNotActOnATerminal(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	l := &runtimeLog{file: &out, copy: io.Discard, redactor: redact.New("geheim"), now: func() time.Time { return time.Unix(0, 0).UTC() }}
	l.warning("the server answered 404 \x1b[2Jgone\r\u202e\nof geheim")
	want := `[Thu Jan  1 00:00:00 UTC 1970] [openpai-runtime] [WARNING] the server answered 404 \x1b[2Jgone\r\u202e of ` + redact.Mask + "\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
