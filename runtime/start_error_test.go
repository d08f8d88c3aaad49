// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"os"
	"strings"
	"testing"
)

func TestTheReasonWhyAScriptCannotStartIsReported(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		build func(r *rig)
		want  string
	}{
		"a variable that is too large": {
			func(r *rig) { r.spec.Environment = map[string]string{"BIG": strings.Repeat("x", 3<<20)} },
			"(3145732 in the variable BIG), which exceeds the system's limit",
		},
		"a value that no variable can contain": {
			func(r *rig) {
				r.secret("s", "abc\x00defg")
				r.spec.Environment = map[string]string{"KEY": "<% $secrets.s %>"}
			},
			"the value of the environment variable KEY contains a NUL character",
		},
		"no working directory": {
			func(r *rig) {
				if err := os.RemoveAll(r.config.WorkDir); err != nil {
					r.t.Fatal(err)
				}
			},
			"/work does not exist",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, "true")
			c.build(r)
			record := r.run()
			if record.UserCode != 126 || !strings.HasPrefix(record.Reason, "the user's commands could not be started: ") || !strings.Contains(record.Reason, c.want) {
				t.Errorf("%q is not in the reason of %+v", c.want, record)
			}
		})
	}
}
