// SPDX-License-Identifier: MPL-2.0

package view

import (
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

func TestAStageIsShownWithItsProgressAndReason(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	code := 7
	for name, c := range map[string]struct {
		stage *stage.Record
		want  string
	}{
		"unknown":        {nil, ""},
		"no node fits":   {&stage.Record{Stage: stage.Scheduling, Reason: "Insufficient cpu"}, "scheduling: Insufficient cpu"},
		"a retry":        {&stage.Record{Stage: stage.Scheduling, Reason: "waits 30s before attempt 2", Until: now.Add(17 * time.Second)}, "scheduling: waits 30s before attempt 2, 17 s left"},
		"a gang":         {&stage.Record{Stage: stage.Preparing, Ready: 7, Tasks: 8}, "preparing, 7 of 8 tasks ready"},
		"a prerequisite": {&stage.Record{Stage: stage.Prerequisite, Number: 2, Count: 3, Step: "prerequisite.script.a"}, "prerequisite 2 of 3: prerequisite.script.a"},
		"a prerequisite that is retried": {
			&stage.Record{Stage: stage.Prerequisite, Number: 1, Count: 1, Step: "plugin.git", Reason: "exited with code 128", Until: now.Add(8 * time.Second)},
			"prerequisite 1 of 1: plugin.git: exited with code 128, next try in 8 s",
		},
		"an end callback that is retried": {
			&stage.Record{Stage: stage.Ending, Event: "taskExits", Step: "prerequisite.script.a", Reason: "exited with code 1", Until: now.Add(8 * time.Second)},
			"ending: taskExits of prerequisite.script.a: exited with code 1, next try in 8 s",
		},
		"a download by another task": {
			&stage.Record{Stage: stage.Fetching, Number: 1, Count: 1, Reason: "waits for another task that downloads it", Fetch: &stage.Progress{Source: "https://example.com/mnist.zip"}},
			"fetching mnist.zip: waits for another task that downloads it",
		},
		"commands":            {&stage.Record{Stage: stage.Commands}, "commands"},
		"a callback":          {&stage.Record{Stage: stage.Ending, Event: "taskExits", Step: "prerequisite.script.a"}, "ending: taskExits of prerequisite.script.a"},
		"only that it ends":   {&stage.Record{Stage: stage.Ending}, "ending"},
		"held for some time":  {&stage.Record{Stage: stage.Held, ExitCode: &code, Until: now.Add(29*time.Minute + 10*time.Second)}, "HELD after exit 7, 29m left"},
		"held without an end": {&stage.Record{Stage: stage.Held, ExitCode: &code}, "HELD after exit 7"},
		"a download": {
			&stage.Record{Stage: stage.Fetching, Number: 1, Count: 1, Fetch: &stage.Progress{Source: "https://example.com/data/mnist.zip?...", Bytes: 408e6, Total: 1.2e9, Rate: 46.6e6}},
			"fetching mnist.zip 34 % of 1.1 GiB, 44 MiB/s, 17 s left",
		},
		"a download of unknown size": {
			&stage.Record{Stage: stage.Fetching, Number: 2, Count: 3, Fetch: &stage.Progress{Source: "https://example.com/", Bytes: 12, Rate: 999_600}},
			"fetching example.com (2 of 3) 12 B, 976 KiB/s",
		},
		"a download that failed": {
			&stage.Record{Stage: stage.Fetching, Number: 1, Count: 1, Reason: "the server answered 503 Service Unavailable", Until: now.Add(4 * time.Second), Fetch: &stage.Progress{Source: "https://example.com/mnist.zip"}},
			"fetching mnist.zip: the server answered 503 Service Unavailable, next try in 4 s",
		},
		"a download that is retried": {
			&stage.Record{Stage: stage.Fetching, Number: 1, Count: 1, Reason: "the server answered 503 Service Unavailable", Fetch: &stage.Progress{Source: "https://example.com/mnist.zip"}},
			"fetching mnist.zip: the server answered 503 Service Unavailable",
		},
		"a retry that is due within a second": {
			&stage.Record{Stage: stage.Fetching, Number: 1, Count: 1, Reason: "the connection broke", Until: now.Add(time.Second / 3), Fetch: &stage.Progress{Source: "https://example.com/mnist.zip"}},
			"fetching mnist.zip: the connection broke",
		},
		"a retry that is due": {
			&stage.Record{Stage: stage.Fetching, Number: 1, Count: 1, Reason: "the connection broke", Until: now, Fetch: &stage.Progress{Source: "https://example.com/mnist.zip"}},
			"fetching mnist.zip: the connection broke",
		},
		"a download that has not begun": {
			&stage.Record{Stage: stage.Fetching, Number: 1, Count: 1, Fetch: &stage.Progress{Source: "git+https://example.com/a.git"}}, "fetching a.git",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := StageReason(c.stage, now); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
