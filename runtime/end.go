//go:build unix

package runtime

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// end runs the callbacks that follow the user's commands: taskSucceeds or
// taskFails of all steps, then taskExits of all. After a stop only taskExits
// run. There is no limit of time but that of a stop and the callbacks' own.
func (t *task) end() {
	ctx := context.Background()
	switch {
	case t.record.Stopped:
	case t.record.UserCode == 0:
		t.tellEnd()
		t.afterSuccess(ctx)
	default:
		t.tellEnd()
		t.endSteps(ctx, contract.EventTaskFails)
	}
	t.tellEnd()
	t.endSteps(ctx, contract.EventTaskExits)
}

// afterSuccess runs taskSucceeds: a failure fails the task, without taskFails.
func (t *task) afterSuccess(ctx context.Context) {
	i, out := t.endSteps(ctx, contract.EventTaskSucceeds)
	if i < 0 {
		return
	}
	step := &t.Spec.Steps[i]
	out.reason = label(step, contract.EventTaskSucceeds) + " " + out.reason
	t.fail(stageEnd, step.Address, out)
	t.record.LastLines = out.lines
}

// tellEnd sets the variables that tell end callbacks what happened.
func (t *task) tellEnd() {
	reason := t.record.Reason
	if reason == "" {
		reason = reasonSucceeded
	}
	t.env.set("PAI_EXIT_CODE", strconv.Itoa(t.record.UserCode))
	t.env.set("PAI_EXIT_REASON", t.hide.String(reason))
}

// endSteps runs the callbacks of one event. A failure does not keep the others
// from running; the first one that no policy ignores is returned with the index
// of its step, else -1.
func (t *task) endSteps(ctx context.Context, event string) (int, outcome) {
	failedStep, first := -1, outcome{}
	for rest := t.endings(event); len(rest) > 0; rest = rest[1:] {
		e := rest[0]
		t.later, t.partEnds = rest[1:], time.Time{}
		t.journal.enter(stageEnd, e.step.Address)
		out := t.tolerate(e.step, e.callback.FailurePolicy, event, t.endCallback(ctx, e))
		if out.stopped {
			return e.index, out
		}
		if !out.ok() && failedStep < 0 {
			failedStep, first = e.index, out
		}
	}
	return failedStep, first
}

// ending is a callback that runs after the user's commands.
type ending struct {
	index    int // of the step
	step     *runspec.Step
	callback *runspec.Callback
}

// endings lists the callbacks of one event in the order in which they run, the
// reverse of that in which their steps started.
func (t *task) endings(event string) []ending {
	var all []ending
	for i, begun := range slices.Backward(t.begun) {
		step := &t.Spec.Steps[i]
		for k := range step.Callbacks {
			if begun && step.Callbacks[k].Event == event {
				all = append(all, ending{i, step, &step.Callbacks[k]})
			}
		}
	}
	return all
}

// longest is how long the callback may run in all its attempts, 0 when it has
// no timeout.
func (e ending) longest() time.Duration {
	attempts := 1
	if rule := retryOf(e.step, e.callback); rule != nil {
		attempts = max(1, rule.Attempts)
	}
	return time.Duration(attempts) * seconds(e.callback.TimeoutSeconds)
}
