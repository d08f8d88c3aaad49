// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"strings"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/metrics"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

func stageText(n stage.Name) string {
	r := stage.Record{Stage: n, Since: time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)}
	return contract.RuntimeLine(r.Since, contract.LevelInfo, r.Text(strings.Clone)) + "\n"
}

func TestTheStageThatALogShows(t *testing.T) {
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
		"a stage printed by the user counts":      {stageText(stage.Held), stage.Held},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := lastStage([]byte(c.log))
			if c.want == "" && got != nil || c.want != "" && (got == nil || got.Stage != c.want) {
				t.Errorf("%+v, want %s", got, c.want)
			}
		})
	}
}

func TestTheLogShowsMetrics(t *testing.T) {
	t.Parallel()
	line := func(v metrics.Values) string {
		return contract.RuntimeLine(time.Now(), contract.LevelInfo, v.Text()) + "\n"
	}
	log := stageText(stage.Commands) + line(metrics.Values{"loss": 1}) + "epoch 2\n" + line(metrics.Values{"loss": 0.5})
	for name, text := range map[string]string{"after a stage": log, "alone": line(metrics.Values{"loss": 0.5})} {
		if got := lastStage([]byte(text)); got == nil || got.Stage != stage.Commands || got.Metrics["loss"] != 0.5 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
