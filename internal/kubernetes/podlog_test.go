// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/logtime"
)

// stamped returns a log in the kubelet's format. Each letter of stamps is the
// timestamp of one line: later letters mean later times.
func stamped(stamps string, lines ...string) string {
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var b strings.Builder
	for i, line := range lines {
		at := start.Add(time.Duration(stamps[i]-'a') * 300 * time.Millisecond)
		fmt.Fprintf(&b, "%s %s\n", at.Format("2006-01-02T15:04:05.000000000Z07:00"), line)
	}
	return b.String()
}

func TestAStreamThatBreaksIsResumedWithoutALineTwice(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 3*maxLogLine/2)
	log := stamped("aabbcdd", "one", "two", "", "four", long, "six", "seven") + "2026-03-01T12:00:09.5Z no end"
	want := "one\ntwo\n\nfour\n" + long + "\nsix\nseven\nno end"
	for at := 0; at <= len(log); at++ {
		if at > 600 && at < len(log)-600 && at%997 != 0 {
			continue
		}
		var out strings.Builder
		p := &podLog{out: &out}
		broken := errors.New("connection reset")
		if err := p.copy(io.MultiReader(strings.NewReader(log[:at]), iotest.ErrReader(broken))); !errors.Is(err, broken) {
			t.Fatalf("interrupted after %d bytes: error %v", at, err)
		}
		q := url.Values{}
		p.query(q)
		if err := errors.Join(p.copy(strings.NewReader(since(log, q.Get("sinceTime")))), p.finish()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, out.String()); diff != "" {
			t.Fatalf("interrupted after %d bytes (-want +got)\n%s", at, diff)
		}
	}
}

func TestLinesOfAPodHaveTheirTimes(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		since time.Time
		want  string
	}{
		"all":         {time.Time{}, "2026-03-01T12:00:00.000Z one\n2026-03-01T12:00:00.300Z two\n2026-03-01T12:00:00.600Z three\n"},
		"from a time": {time.Date(2026, 3, 1, 12, 0, 0, 300e6, time.UTC), "2026-03-01T12:00:00.300Z two\n2026-03-01T12:00:00.600Z three\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			lines := &logtime.Lines{Out: &out, Since: tt.since, Stamp: true}
			filter := &streamFilter{w: lines}
			p := &podLog{out: filter, lines: lines}
			q := url.Values{}
			p.query(q)
			runtime := "[Sun Mar  1 12:00:00 UTC 2026] [openpai-runtime] [INFO] begins"
			log := since(stamped("aaabc", runtime, "one", runtime, "two", "three"), q.Get("sinceTime"))
			if err := errors.Join(p.copy(strings.NewReader(log)), p.finish(), filter.Flush()); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, out.String()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if got := q.Get("sinceTime"); (got != "") == tt.since.IsZero() {
				t.Errorf("sinceTime %q", got)
			}
		})
	}
}

// since returns the part of a log that the kubelet sends for a given start
// time.
func since(log, from string) string {
	if from == "" {
		return log
	}
	start, err := time.Parse(time.RFC3339, from)
	if err != nil {
		panic(err)
	}
	var b strings.Builder
	for line := range strings.Lines(log) {
		if at, _, _ := cutTimestamp([]byte(line)); !at.Before(start) {
			b.WriteString(line)
		}
	}
	return b.String()
}

func TestWhatTheKubeletSaysItselfIsNoLineOfTheLog(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	p := &podLog{out: &out}
	text := stamped("a", "one") + "unable to retrieve container logs for containerd://0f1e\n" + stamped("b", "two") + "failed to watch file: no such file"
	if err := errors.Join(p.copy(strings.NewReader(text)), p.finish()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("one\ntwo\n", out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func FuzzPodLog(f *testing.F) {
	f.Add([]byte(stamped("aab", "one", "two", "three")), 30)
	f.Add([]byte("no timestamp\n2026-03-01T12:00:00Z \n"), 3)
	f.Fuzz(func(t *testing.T, log []byte, at int) {
		at = min(max(at, 0), len(log))
		p := &podLog{out: io.Discard}
		_ = p.copy(strings.NewReader(string(log[:at])))
		_ = p.copy(strings.NewReader(string(log)))
		if err := p.finish(); err != nil {
			t.Fatal(err)
		}
	})
}
