//go:build unix

package runtime

import (
	"context"
	"slices"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/runtime/plugin"
)

// startSteps starts every prerequisite and plugin in order. It returns the
// index of the step that failed, or -1.
func (t *task) startSteps(ctx context.Context) (int, outcome) {
	t.begun = make([]bool, len(t.Spec.Steps))
	for i := range t.Spec.Steps {
		t.begun[i] = !startsSomething(&t.Spec.Steps[i])
	}
	for i := range t.Spec.Steps {
		step := &t.Spec.Steps[i]
		if _, stopped := t.stop.stopped(); stopped {
			return i, outcome{stopped: true, reason: "was not started, because the task was asked to stop"}
		}
		t.journal.enter(stagePrerequisites, step.Address)
		t.launched = false
		out := t.startStep(ctx, step)
		if t.launched || !out.stopped {
			t.begun[i] = true
		}
		if !out.ok() {
			return i, out
		}
	}
	return -1, outcome{}
}

// warnOfEvents names callbacks that nothing will ever run: a newer planner may
// know events that this runtime does not.
func (t *task) warnOfEvents() {
	for i := range t.Spec.Steps {
		for _, c := range t.Spec.Steps[i].Callbacks {
			if !slices.Contains(contract.Events, c.Event) {
				t.log.warning("the callback of " + title(&t.Spec.Steps[i]) + " on the event " + c.Event + " never runs: this runtime does not know the event")
			}
		}
	}
}

func startsSomething(step *runspec.Step) bool {
	return len(step.Fetch) > 0 || plugin.Acts(step.Plugin) ||
		slices.ContainsFunc(step.Callbacks, func(c runspec.Callback) bool { return c.Event == contract.EventTaskStarts })
}

func (t *task) startStep(ctx context.Context, step *runspec.Step) outcome {
	if out := t.fetchAll(ctx, step); !out.ok() {
		return out
	}
	if out := t.tolerate(step, "", "plugin "+step.Plugin, t.startPlugin(ctx, step)); !out.ok() {
		return out
	}
	return t.startCallbacks(ctx, step)
}

// fetchAll downloads what the step asks for, before its callbacks need it.
func (t *task) fetchAll(ctx context.Context, step *runspec.Step) outcome {
	for i := range step.Fetch {
		f := &step.Fetch[i]
		out := t.fetchOne(ctx, f)
		if out = t.tolerate(step, "", "fetch", out); !out.ok() {
			return out
		}
	}
	return outcome{}
}

// endSteps runs the callbacks of one event, in the reverse order of the steps
// that started. A failure does not keep the others from running; the first one
// that no policy ignores is returned with the index of its step, else -1.
func (t *task) endSteps(ctx context.Context, event string) (int, outcome) {
	failedStep, first := -1, outcome{}
	for i := len(t.Spec.Steps) - 1; i >= 0; i-- {
		step := &t.Spec.Steps[i]
		if !t.begun[i] {
			continue
		}
		for k := range step.Callbacks {
			c := &step.Callbacks[k]
			if c.Event != event {
				continue
			}
			t.journal.enter(stageEnd, step.Address)
			out := t.tolerate(step, c.FailurePolicy, event, t.endCallback(ctx, step, c))
			if out.stopped {
				return i, out
			}
			if !out.ok() && failedStep < 0 {
				failedStep, first = i, out
			}
		}
	}
	return failedStep, first
}

// hasEnd reports whether a step that started has a callback on the event.
func (t *task) hasEnd(event string) bool {
	for i, begun := range t.begun {
		if begun && slices.ContainsFunc(t.Spec.Steps[i].Callbacks, func(c runspec.Callback) bool { return c.Event == event }) {
			return true
		}
	}
	return false
}
