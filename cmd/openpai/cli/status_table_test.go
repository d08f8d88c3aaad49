// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// tableOf uses a terminal of 60 columns and 10 rows.
func tableOf(n int) *jobTable {
	r := &jobsRead{}
	for i := range n {
		name := fmt.Sprintf("sweep-%d", i+1)
		state := planner.StateRunning
		if i%3 == 2 {
			state = planner.StateSucceeded
		}
		r.jobs = append(r.jobs, operation.Job{Address: "job.x", Framework: name})
		r.statuses = append(r.statuses, &cluster.Status{Framework: name, Address: "job." + name, State: state})
	}
	t := &jobTable{title: "lab", now: func() time.Time { return time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC) }}
	t.take(r, nil)
	t.Update(tea.WindowSizeMsg{Width: 60, Height: 10})
	return t
}

// press sends keys to the table. The names of the keys are separated by
// spaces.
func press(t *jobTable, keys string) {
	codes := map[string]rune{"down": tea.KeyDown, "up": tea.KeyUp, "enter": tea.KeyEnter, "esc": tea.KeyEscape, "pgdown": tea.KeyPgDown, "backspace": tea.KeyBackspace}
	for key := range strings.FieldsSeq(keys) {
		if code, ok := codes[key]; ok {
			t.Update(tea.KeyPressMsg{Code: code})
			continue
		}
		t.Update(tea.KeyPressMsg{Code: []rune(key)[0], Text: key})
	}
}

// TestTheTableOfJobsShowsItsLastColumns checks that a long text in the stage column
// leaves room for the columns after it.
func TestTheTableOfJobsShowsItsLastColumns(t *testing.T) {
	t.Parallel()
	table := tableOf(3)
	for i := range table.all {
		table.all[i].Stage = &stage.Record{Stage: stage.Scheduling, Reason: strings.Repeat("0/3 nodes are available ", 4)}
	}
	for _, columns := range []int{80, 120} {
		table.Update(tea.WindowSizeMsg{Width: columns, Height: 10})
		lines := table.lines()
		if head := lines[3]; !strings.HasSuffix(head, "TASKS  AGE  GPUS") || !strings.HasSuffix(lines[4], "...  0/0    -    -") || len(lines[4]) > columns {
			t.Errorf("on %d columns:\n%s", columns, strings.Join(lines, "\n"))
		}
	}
}

func TestTheTableOfJobsReactsToKeys(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		jobs int
		keys string
		want string // the selected row and the last line
	}{
		"the first job":           {200, "", "> sweep-1 RUNNING|up/down select  / filter  s state  l logs  q quit"},
		"the next one":            {200, "down down", "> sweep-3 SUCCEEDED|up/down select  / filter  s state  l logs  q quit"},
		"not above the first":     {200, "up", "> sweep-1 RUNNING|up/down select  / filter  s state  l logs  q quit"},
		"a page":                  {200, "pgdown pgdown", "> sweep-9 SUCCEEDED|up/down select  / filter  s state  l logs  q quit"},
		"a filter while typed":    {200, "/ - 1 0 x backspace", "> sweep-10 RUNNING|filter: -10_   enter keep  esc clear"},
		"a filter":                {200, "/ - 1 0 enter down", "> sweep-100 RUNNING|11 of 200  -10  esc all  up/down select  / filter  s state…"},
		"a state":                 {200, "s", "> sweep-3 SUCCEEDED|66 of 200  succeeded  esc all  up/down select  / filter  s…"},
		"all again":               {200, "s / 7 enter esc", "> sweep-1 RUNNING|up/down select  / filter  s state  l logs  q quit"},
		"logs of an absent job":   {1, "l", "> sweep-1 RUNNING|up/down select  / filter  s state  l logs  q quit"},
		"no jobs, and every key":  {0, "down up pgdown l s /", "|filter: _   enter keep  esc clear"},
		"nothing fits the filter": {3, "/ z enter l down", "|0 of 3  z  esc all  up/down select  / filter  s state  l l…"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			table := tableOf(c.jobs)
			press(table, c.keys)
			lines := table.lines()
			selected := ""
			for _, line := range lines {
				if strings.HasPrefix(line, ">") {
					selected = strings.Join(strings.Fields(line)[:3], " ")
				}
			}
			if diff := cmp.Diff(c.want, selected+"|"+lines[len(lines)-1]); diff != "" {
				t.Errorf("(-want +got)\n%s\n%s", diff, strings.Join(lines, "\n"))
			}
			if len(lines) > 10 {
				t.Errorf("%d lines", len(lines))
			}
		})
	}
}

func TestTheTableKeepsItsJobsWhenAClusterIsSilent(t *testing.T) {
	t.Parallel()
	table := tableOf(3)
	table.Update(refreshed{err: errors.New("the cluster east does not answer")})
	lines := table.lines()
	if !strings.Contains(strings.Join(lines, "\n"), "sweep-3") || lines[len(lines)-2] != "the cluster east does not answer" {
		t.Errorf("got\n%s", strings.Join(lines, "\n"))
	}
}

func TestTheKeyQQuitsTheTable(t *testing.T) {
	t.Parallel()
	_, cmd := tableOf(1).Update(tea.KeyPressMsg{Code: 'q', Text: "q"})
	if _, ok := cmd().(tea.QuitMsg); !ok {
		t.Error("q does not quit")
	}
}
