// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/metrics"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

func stageText(n stage.Name) string {
	r := stage.Record{Stage: n, Since: time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)}
	return contract.RuntimeLine(r.Since, contract.LevelInfo, r.Text(strings.Clone)) + "\n"
}

func TestTheStageIsReadFromTheLog(t *testing.T) {
	t.Parallel()
	runtimeLine := func(text string) string { return contract.RuntimeLine(time.Now(), contract.LevelInfo, text) + "\n" }
	for name, c := range map[string]struct {
		log  string
		want stage.Name
	}{
		"nothing yet":                             {"", ""},
		"the runtime alone":                       {runtimeLine("hello"), ""},
		"a stage line":                            {stageText(stage.Preparing) + runtimeLine("hello"), stage.Preparing},
		"the last of two":                         {stageText(stage.Preparing) + stageText(stage.Prerequisite), stage.Prerequisite},
		"the commands began after the stage":      {stageText(stage.Prerequisite) + runtimeLine(contract.LogUserCommandStart), stage.Commands},
		"the user's line is later than the stage": {stageText(stage.Prerequisite) + "epoch 1\n", stage.Commands},
		"only lines of the user":                  {"epoch 1\nepoch 2\n", stage.Commands},
		"the commands are over":                   {"epoch 1\n" + runtimeLine(contract.LogUserCommandEnd), stage.Ending},
		"a held task":                             {"epoch 1\n" + runtimeLine(contract.LogUserCommandEnd) + stageText(stage.Held), stage.Held},
		"an incomplete line of the user":          {stageText(stage.Fetching) + contract.IncompleteLine(time.Now(), []byte("10%")) + "\n", stage.Commands},
		"a prerequisite begins":                   {runtimeLine(contract.LogRunning + "prerequisite.script.a"), ""},
		"a line of a callback":                    {contract.CallbackLine(time.Now(), "epoch 1\n"), ""},
		"the user prints the text of the runtime": {"[INFO] " + contract.LogUserCommandEnd + "\n", stage.Commands},
		"a stage printed by the user counts":      {stageText(stage.Held), stage.Held},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			log := newStageLog(nil)
			log.read([]byte(c.log))
			got := log.stage()
			if c.want == "" && got != nil || c.want != "" && (got == nil || got.Stage != c.want) {
				t.Errorf("%+v, want %s", got, c.want)
			}
		})
	}
}

func TestTheLogShowsTheEndCallback(t *testing.T) {
	t.Parallel()
	log := newStageLog(nil)
	log.read([]byte("epoch 1\n" + contract.RuntimeLine(time.Now(), contract.LevelInfo, contract.LogRunning+"taskFails of prerequisite.script.hook") + "\n"))
	want := &stage.Record{Version: stage.Version, Stage: stage.Ending, Event: contract.EventTaskFails, Step: "prerequisite.script.hook"}
	if diff := cmp.Diff(want, log.stage()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestRepeatedLinesDoNotChangeTheStage reads a stream that repeats lines of
// an earlier read.
func TestRepeatedLinesDoNotChangeTheStage(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	lineOf := func(n stage.Name, step string, minute int) string {
		r := stage.Record{Stage: n, Step: step, Since: at.Add(time.Duration(minute) * time.Minute)}
		return contract.RuntimeLine(r.Since, contract.LevelInfo, r.Text(strings.Clone)) + "\n"
	}
	end := contract.RuntimeLine(at, contract.LevelInfo, contract.LogUserCommandEnd) + "\n"
	known := newStageLog(nil)
	known.read([]byte(lineOf(stage.Held, "a", 5)))
	log := newStageLog(known.stage())
	for _, c := range []struct {
		line string
		want stage.Name
		step string
	}{
		{lineOf(stage.Fetching, "", 1), stage.Held, "a"},
		{"epoch 1\n", stage.Held, "a"},
		{end, stage.Held, "a"},
		{lineOf(stage.Ending, "a", 4), stage.Held, "a"},
		{lineOf(stage.Held, "a", 5), stage.Held, "a"},
		{end, stage.Ending, ""}, // not repeated
		{lineOf(stage.Held, "b", 6), stage.Held, "b"},
	} {
		log.line([]byte(c.line))
		if r := log.stage(); r.Stage != c.want || r.Step != c.step {
			t.Errorf("after %q: %s %q, want %s %q", c.line, r.Stage, r.Step, c.want, c.step)
		}
	}
}

func TestTheLogShowsMetrics(t *testing.T) {
	t.Parallel()
	line := func(v metrics.Values) string {
		return contract.RuntimeLine(time.Now(), contract.LevelInfo, v.Text()) + "\n"
	}
	log := stageText(stage.Commands) + line(metrics.Values{"loss": 1}) + "epoch 2\n" + line(metrics.Values{"loss": 0.5})
	for name, text := range map[string]string{"after a stage": log, "alone": line(metrics.Values{"loss": 0.5})} {
		l := newStageLog(nil)
		l.read([]byte(text))
		if got := l.stage(); got == nil || got.Stage != stage.Commands || got.Metrics["loss"] != 0.5 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
