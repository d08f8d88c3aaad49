//go:build unix

package runtime

import (
	"context"
	"strconv"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
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
