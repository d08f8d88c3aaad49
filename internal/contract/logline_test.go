// SPDX-License-Identifier: MPL-2.0

package contract

import (
	"testing"
	"time"
)

func TestLogLinesAreThoseOfOpenPAI(t *testing.T) {
	t.Parallel()
	first := time.Date(2021, 2, 1, 2, 54, 48, 0, time.UTC)
	zone := time.Date(2021, 12, 31, 23, 0, 9, 0, time.FixedZone("CET", 3600))
	tests := map[string]struct{ got, want string }{
		"a line of the runtime contains its level": {RuntimeLine(first, LevelInfo, LogUserCommandStart), "[Mon Feb  1 02:54:48 UTC 2021] [openpai-runtime] [INFO] USER COMMAND START"},
		"a line of a callback is unchanged":        {CallbackLine(first, `  C:\new "x" `), `[Mon Feb  1 02:54:48 UTC 2021] [openpai-runtime]   C:\new "x" `},
		"the zone and two-digit days are kept":     {RuntimeLine(zone, LevelError, "x"), "[Fri Dec 31 23:00:09 CET 2021] [openpai-runtime] [ERROR] x"},
		"the first phase has OpenPAI's text":       {LogPreCommandsStart, "Starting to exec precommands"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if tt.got != tt.want {
				t.Errorf("line %q, want %q", tt.got, tt.want)
			}
		})
	}
}

func TestAnIncompleteLineIsMarked(t *testing.T) {
	t.Parallel()
	at := time.Date(2021, 2, 1, 2, 54, 48, 0, time.UTC)
	const text = "[openpai-runtime]  34%|###"
	line := IncompleteLine(at, []byte(text))
	if want := "[Mon Feb  1 02:54:48 UTC 2021] [openpai-runtime] [INFO] incomplete line: " + text; line != want {
		t.Errorf("line %q, want %q", line, want)
	}
	start := len(line) - len(text)
	for n := range len(line) + 1 {
		got, ok, known := CutIncompleteLine([]byte(line[:n]))
		if ok != (n >= start) || known != ok || ok && string(got) != line[start:n] {
			t.Errorf("the first %d bytes: text %q, ok %v, known %v", n, got, ok, known)
		}
	}
	for _, other := range []string{"epoch 1\n", "[1/3\n", RuntimeLine(at, LevelInfo, "inc\n"), RuntimeLine(at, LevelError, "incomplete"), CallbackLine(at, "x")} {
		if text, ok, known := CutIncompleteLine([]byte(other)); ok || !known {
			t.Errorf("%q: text %q, ok %v, known %v", other, text, ok, known)
		}
	}
}
