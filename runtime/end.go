// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

// end runs the callbacks that follow the user's commands. After a stop, only
// taskExits callbacks run. The task's time limit does not apply to these
// callbacks. The only limits are the timeout of each callback and, after a stop,
// the grace period.
func (t *task) end() {
	ctx := context.Background()
	switch {
	case t.record.Stopped:
	case t.record.UserCode == 0:
		t.exportResult()
		t.afterSuccess(ctx)
	default:
		t.exportResult()
		t.endSteps(ctx, contract.EventTaskFails)
	}
	t.exportResult()
	t.endSteps(ctx, contract.EventTaskExits)
}

// afterSuccess runs the taskSucceeds callbacks. If a callback fails, the task
// fails, but taskFails callbacks do not run.
func (t *task) afterSuccess(ctx context.Context) {
	i, out := t.endSteps(ctx, contract.EventTaskSucceeds)
	if i < 0 {
		return
	}
	step := &t.Spec.Steps[i]
	t.fail(stageEnd, step.Address, label(step, contract.EventTaskSucceeds)+" "+out.reason.String(), out)
	t.record.LastLines = out.lines
}

// exportResult sets the variables from which end callbacks read the task's
// result.
func (t *task) exportResult() {
	reason := t.record.Reason
	reason = cmp.Or(reason, reasonSucceeded)
	t.env.set("PAI_EXIT_CODE", strconv.Itoa(t.record.UserCode))
	t.env.set("PAI_EXIT_REASON", t.redactor.String(reason))
}

// endSteps runs all callbacks for an event, even if a callback fails. It
// returns the index of the first failed step, or -1, and the outcome of the
// failed callback. It does not return failures that the failure policy
// ignores. If a stop ends or prevents a callback, endSteps returns that
// callback's outcome and runs no other callback.
func (t *task) endSteps(ctx context.Context, event string) (int, outcome) {
	failedStep, firstFailure := -1, outcome{}
	for rest := t.endCallbacks(event); len(rest) > 0; rest = rest[1:] {
		e := rest[0]
		t.pending, t.callbackEnd = rest[1:], time.Time{}
		t.journal.enter(stageEnd, e.step.Address)
		t.stages.enter(stage.Record{Stage: stage.Ending, Step: title(e.step), Event: event})
		t.log.Info(contract.LogRunning + label(e.step, event))
		out := t.applyFailurePolicy(e.step, e.callback.FailurePolicy, event, t.runEndCallback(ctx, e))
		if out.stopped {
			return e.index, out
		}
		if !out.ok() && failedStep < 0 {
			failedStep, firstFailure = e.index, out
		}
	}
	return failedStep, firstFailure
}

// endCallback is a callback that runs after the user's commands.
type endCallback struct {
	index    int // of the step
	step     *runspec.Step
	callback *runspec.Callback
}

// endCallbacks returns the callbacks for an event in reverse start order of
// the steps.
func (t *task) endCallbacks(event string) []endCallback {
	var callbacks []endCallback
	for i, started := range slices.Backward(t.started) {
		step := &t.Spec.Steps[i]
		for k := range step.Callbacks {
			if started && step.Callbacks[k].Event == event {
				callbacks = append(callbacks, endCallback{i, step, &step.Callbacks[k]})
			}
		}
	}
	return callbacks
}

// maxDuration returns the maximum duration of a callback, including all
// attempts. It returns 0 if the callback has no timeout.
func (e endCallback) maxDuration() time.Duration {
	attempts := 1
	if rule := retryOf(e.step, e.callback); rule != nil {
		attempts = max(1, rule.Attempts)
	}
	return time.Duration(attempts) * seconds(e.callback.TimeoutSeconds)
}
