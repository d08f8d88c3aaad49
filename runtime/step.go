// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"context"
	"slices"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/runtime/plugin"
)

// startSteps returns the index of the step that failed or was not started, or -1 if
// all steps succeeded.
func (t *task) startSteps(ctx context.Context) (int, outcome) {
	t.started = make([]bool, len(t.Spec.Steps))
	for i := range t.Spec.Steps {
		t.started[i] = !hasStartAction(&t.Spec.Steps[i])
	}
	for i := range t.Spec.Steps {
		step := &t.Spec.Steps[i]
		if _, stopped := t.stop.stopped(); stopped {
			return i, notStarted
		}
		t.journal.enter(stagePrerequisites, step.Address)
		if hasStartAction(step) {
			t.log.Info(contract.LogRunning + title(step))
		}
		t.starting = &t.started[i]
		out := t.startStep(ctx, i)
		t.starting = nil
		if !out.stopped {
			t.started[i] = true
		}
		if !out.ok() {
			return i, out
		}
	}
	return -1, outcome{}
}

// markStarted marks the current step as started. Scripts, downloads and
// plugins call markStarted when they begin.
func (t *task) markStarted() {
	if t.starting != nil {
		*t.starting = true
	}
}

// warnUnknownEvents warns about callbacks that never run: a newer planner can use
// events that this runtime does not support.
func (t *task) warnUnknownEvents() {
	for i := range t.Spec.Steps {
		for _, c := range t.Spec.Steps[i].Callbacks {
			if !slices.Contains(contract.Events, c.Event) {
				t.log.Warning("the callback of " + title(&t.Spec.Steps[i]) + " on the event " + c.Event + " never runs: this runtime does not support the event")
			}
		}
	}
}

func hasStartAction(step *runspec.Step) bool {
	return len(step.Fetch) > 0 || runsAtStart(step)
}

// runsAtStart reports whether the step has a plugin or start callbacks. They run
// after the step's downloads.
func runsAtStart(step *runspec.Step) bool {
	return plugin.HasAction(step.Plugin) ||
		slices.ContainsFunc(step.Callbacks, func(c runspec.Callback) bool { return c.Event == contract.EventTaskStarts })
}

func (t *task) startStep(ctx context.Context, i int) outcome {
	step := &t.Spec.Steps[i]
	if out := t.fetchAll(ctx, step); !out.ok() {
		return out
	}
	if runsAtStart(step) {
		t.enterStep(i)
	}
	if out := t.applyFailurePolicy(step, "", "plugin "+step.Plugin, t.startPlugin(ctx, step)); !out.ok() {
		return out
	}
	return t.startCallbacks(ctx, step)
}

// fetchAll performs the step's downloads, which precede the step's callbacks.
func (t *task) fetchAll(ctx context.Context, step *runspec.Step) outcome {
	for i := range step.Fetch {
		f := &step.Fetch[i]
		out := t.fetchOne(ctx, step, f)
		if out = t.applyFailurePolicy(step, "", "fetch", out); !out.ok() {
			return out
		}
	}
	return outcome{}
}
