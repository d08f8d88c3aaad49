// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
)

// refreshInterval is the time between two updates of status --watch.
const refreshInterval = 2 * time.Second

// watchJobs shows the jobs until the user quits. It reads the files once and opens
// each cluster once.
func (o *statusOptions) watchJobs(ctx context.Context, source *jobSource) error {
	if !o.streams.interactive || o.streams.width == 0 || !o.streams.screen.Live() {
		return errors.New(`--watch requires a terminal for input and output; without a terminal, use "openpai wait"`)
	}
	first, err := o.read(ctx, source)
	if err != nil {
		return err
	}
	ctx, target := newInterruptTarget(ctx)
	defer target.stop()
	t := &jobTable{
		title: first.known.loaded.Workspace.Name, wide: o.wide, colored: o.streams.color, now: time.Now,
		read: func() (*jobsRead, error) { return o.read(ctx, source) },
		logs: func(j operation.Job) tea.ExecCommand {
			return &logsSession{ctx: ctx, interrupt: target, streams: o.streams, job: j}
		},
	}
	t.take(first, nil)
	_, err = tea.NewProgram(t, tea.WithContext(ctx), tea.WithoutSignalHandler()).Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// refreshed is the message with the jobs read from the clusters.
type refreshed struct {
	read *jobsRead
	err  error
}

// Init implements tea.Model.
func (t *jobTable) Init() tea.Cmd { return t.refresh() }

// refresh reads the jobs again after refreshInterval.
func (t *jobTable) refresh() tea.Cmd {
	return tea.Tick(refreshInterval, func(time.Time) tea.Msg {
		read, err := t.read()
		return refreshed{read, err}
	})
}

// Update implements tea.Model.
func (t *jobTable) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		t.columns, t.rows = msg.Width, msg.Height
	case refreshed:
		t.take(msg.read, msg.err)
		return t, t.refresh()
	case logsClosed:
		t.problem = msg.err
	case tea.KeyPressMsg:
		if t.typing {
			t.typeFilter(msg)
			return t, nil
		}
		return t, t.press(msg.String())
	}
	return t, nil
}

// press handles a key.
func (t *jobTable) press(key string) tea.Cmd {
	shown := t.shown()
	switch key {
	case "q", "ctrl+c":
		return tea.Quit
	case "up", "k":
		t.selected--
	case "down", "j":
		t.selected++
	case "pgup":
		t.selected -= t.room()
	case "pgdown":
		t.selected += t.room()
	case "/":
		t.typing = true
	case "esc":
		t.filter, t.state = "", ""
	case "s":
		t.state = t.nextState()
	case "l", "enter":
		if len(shown) > 0 {
			return t.openLogs(shown[t.selected])
		}
	}
	t.selected = max(min(t.selected, len(t.shown())-1), 0)
	return nil
}

func (t *jobTable) typeFilter(key tea.KeyPressMsg) {
	switch runes := []rune(t.filter); key.String() {
	case "enter":
		t.typing = false
	case "esc", "ctrl+c":
		t.typing, t.filter = false, ""
	case "backspace":
		t.filter = string(runes[:max(len(runes)-1, 0)])
	default:
		t.filter += key.Text
	}
	t.selected = 0
}

// logsClosed is the message that the logs were closed.
type logsClosed struct{ err error }

func (t *jobTable) openLogs(s output.Summary) tea.Cmd {
	n := slices.IndexFunc(t.jobs, func(j operation.Job) bool { return j.Framework == s.Framework && j.Cluster != nil })
	if n < 0 {
		t.problem = fmt.Errorf("%s has not been applied and has no logs", s.Address)
		return nil
	}
	return tea.Exec(t.logs(t.jobs[n]), func(err error) tea.Msg { return logsClosed{err} })
}
