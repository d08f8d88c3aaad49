// SPDX-License-Identifier: MPL-2.0

package cluster

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
)

func TestTheCauseIsExtractedFromTheLog(t *testing.T) {
	t.Parallel()
	const at = "[Mon Nov 23 13:56:40 UTC 2026] [openpai-runtime] "
	ended := time.Date(2026, 11, 23, 13, 56, 41, 0, time.UTC)
	for name, c := range map[string]struct {
		last    []string
		stamped bool
		log     string
		want    string
	}{
		"the output of the callback": {
			[]string{"looking for data", "no such host"}, false,
			at + "[INFO] Starting to exec precommands\n" + at + "looking for data\n" +
				at + `[INFO] stage {"version":1,"stage":"prerequisite"}` + "\n" + at + "no such host\n" +
				at + "[ERROR] taskStarts of prerequisite.script.data exited with code 7\n",
			"looking for data\nno such host\n",
		},
		"last lines without the log": {[]string{"no such host"}, false, "no such host\n", "no such host\n"},
		"output in the format of runtime lines": {
			[]string{"[ERROR] taskStarts of prerequisite.script.data failed"}, false,
			at + "[INFO] loading\n" + at + "[ERROR] taskStarts of prerequisite.script.data failed\n" + at + "[ERROR] taskStarts of prerequisite.script.data exited with code 7\n",
			"[INFO] loading\n[ERROR] taskStarts of prerequisite.script.data failed\n",
		},
		"a download has no output": {
			nil, false,
			at + "[INFO] Starting to exec precommands\n" + at + "[INFO] http://h/a: 503; attempt 2 follows in 1s\n" + at + "[ERROR] fetch of prerequisite.script.data failed: http://h/a: 503\n",
			"[INFO] http://h/a: 503; attempt 2 follows in 1s\nthe start of prerequisite.script.data failed\n",
		},
		"a plugin": {
			[]string{"fatal: x"}, false, at + "fatal: x\n" + at + "[ERROR] plugin git of prerequisite.script.data exited with code 128\n", "fatal: x\n",
		},
		"with times": {
			nil, true,
			"2026-11-23T13:56:40.000Z " + at + "[INFO] Starting to exec precommands\n2026-11-23T13:56:40.500Z " + at + "other\n",
			"2026-11-23T13:56:40.500Z other\n2026-11-23T13:56:41.000Z the start of prerequisite.script.data failed\n",
		},
		"the output of another step and of the callbacks that follow the failure": {
			[]string{"no such host", "done"}, false,
			at + "[INFO] Starting to exec precommands\n" + at + "[INFO] Running prerequisite.script.tools\n" + at + "installing\n" + at + "done\n" +
				at + "[INFO] Running prerequisite.script.data\n" + at + "no such host\n" + at + "done\n" +
				at + "[ERROR] taskStarts of prerequisite.script.data exited with code 7\n" +
				at + "[INFO] Running taskFails of prerequisite.script.data\n" + at + "cleaning\n",
			"no such host\ndone\n",
		},
		"output in the format of the start of a step": {
			[]string{"[INFO] Running away", "no such host"}, false,
			at + "[INFO] Running prerequisite.script.data\n" + at + "[INFO] Running away\n" + at + "no such host\n",
			"[INFO] Running away\nno such host\n",
		},
		"a line without an end": {[]string{"a"}, false, at + "a", "a\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, size := range []int{1, 1 << 20} {
				to := &bytes.Buffer{}
				w := NewCauseWriter(to, &exitspec.Record{Step: "prerequisite.script.data", Reason: "the start of prerequisite.script.data failed", LastLines: c.last, Finished: ended}, c.stamped)
				for rest := []byte(c.log); len(rest) > 0; rest = rest[min(size, len(rest)):] {
					if _, err := w.Write(rest[:min(size, len(rest))]); err != nil {
						t.Fatal(err)
					}
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(c.want, to.String()); diff != "" {
					t.Errorf("in parts of %d bytes (-want +got):\n%s", size, diff)
				}
			}
		})
	}
}
