// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"errors"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

func TestAReleaseSucceedsOnlyIfTheHoldEnded(t *testing.T) {
	for name, tt := range map[string]struct {
		code           int
		stdout, stderr string
		want           string // "" if the task was released
	}{
		"the hold ended": {0, "asked\n", "", ""},
		"the end of the hold ended the container": {137, "asked\n", "", ""},
		"killed before it asked":                  {137, "", "", "exited with code 137"},
		"nothing is held":                         {1, "", "", stage.ErrNotHeld.Error()},
		"the hold does not end":                   {3, "asked\n", "the runtime did not end the hold\n", "exited with code 3: the runtime did not end the hold"},
		"a runtime without the release command":   {2, "usage\n", "\x1b[2J", "exited with code 2"},
	} {
		t.Run(name, func(t *testing.T) {
			err := releaseResult(tt.code, tt.stdout, tt.stderr)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if err != nil && strings.ContainsRune(err.Error(), '\x1b') {
				t.Errorf("not escaped: %q", err)
			}
			if (tt.code == 1) != errors.Is(err, stage.ErrNotHeld) {
				t.Errorf("error %v", err)
			}
		})
	}
}
