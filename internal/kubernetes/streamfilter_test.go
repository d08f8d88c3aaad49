// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

func TestStreamFilterSeparatesUserAndRuntimeLines(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 2, 3, 4, 5, 6, 0, time.FixedZone("+0530", 5*3600+1800))
	line := contract.RuntimeLine(at, contract.LevelInfo, "USER COMMAND START") + "\n"
	callback := contract.CallbackLine(at.UTC(), "111") + "\n"
	user := "plain\n[1/3] step\n\nsays [openpai-runtime] itself\n[Tue Feb  3 of a user\n"
	bar := func(text string) string { return contract.IncompleteLine(at, []byte(text)) + "\n" }
	for name, c := range map[string]struct{ log, user, runtime string }{
		"a progress bar":                    {bar("10%") + line + bar("\x1b[32m20%") + "100%\nend\n", "10%\r\x1b[32m20%\r100%\nend\n", line},
		"an empty line after a bar":         {bar("10%") + line + "\nnext\n\n", "10%\r \nnext\n\n", line},
		"the start of a line with a bar":    {bar("10%") + bar("20%")[:60], "10%\r", bar("20%")[:60]},
		"an unfinished line with a bar":     {bar("10%") + strings.TrimSuffix(bar("20%"), "%\n"), "10%\r20", ""},
		"lines of both":                     {line + user + callback, user, line + callback},
		"an unfinished line":                {"a\n[1/3", "a\n[1/3", ""},
		"an unfinished line of the runtime": {line[:len(line)-3], "", line[:len(line)-3]},
		"nothing":                           {"", "", ""},
	} {
		for which, want := range map[bool]string{false: c.user, true: c.runtime} {
			for kind, reader := range map[string]func(io.Reader) io.Reader{
				"at once": func(r io.Reader) io.Reader { return r }, "byte by byte": iotest.OneByteReader,
			} {
				var out bytes.Buffer
				f := &streamFilter{w: &out, runtime: which}
				if _, err := io.Copy(f, reader(strings.NewReader(c.log))); err != nil {
					t.Fatal(err)
				}
				if err := f.Flush(); err != nil {
					t.Fatal(err)
				}
				if out.String() != want {
					t.Errorf("%s, %s, runtime %v: got %q, want %q", name, kind, which, out.String(), want)
				}
			}
		}
	}
}

// The filter writes each part of a progress bar immediately.
func TestStreamFilterDoesNotWaitForTheEndOfALine(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	f := &streamFilter{w: &out}
	for _, part := range []string{"10%", "..20%", "\r[=", "=]"} {
		if _, err := f.Write([]byte(part)); err != nil {
			t.Fatal(err)
		}
	}
	if out.String() != "10%..20%\r[==]" {
		t.Errorf("%q", out.String())
	}
}
