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
