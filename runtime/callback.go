// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/runtime/logs"
)

// policyIgnore is the failure policy that lets the task continue.
const policyIgnore = "ignore"

// startCallbacks passes exported variables to later callbacks and to the user's
// commands.
func (t *task) startCallbacks(ctx context.Context, step *runspec.Step) outcome {
	for i := range step.Callbacks {
		c := &step.Callbacks[i]
		if c.Event != contract.EventTaskStarts {
			continue
		}
		extra, err := t.stepEnvironment(step)
		if err != nil {
			return failed(exitSecret, "%v", err)
		}
		name := label(step, c.Event)
		out := t.withRetry(retryOf(step, c), name, t.pauseUntilStop(ctx, nil), func() outcome {
			return t.startScript(ctx, c, name, extra)
		})
		if out = t.applyFailurePolicy(step, c.FailurePolicy, c.Event, out); !out.ok() {
			return out
		}
	}
	return outcome{}
}

// exitSecret is the exit code for a script that cannot be rendered because a
// secret is missing.
const exitSecret = 126

func (t *task) startScript(ctx context.Context, c *runspec.Callback, name string, extra map[string]string) outcome {
	commands, err := t.renderCommands(c.Commands)
	if err != nil {
		return failed(exitSecret, "%v", err)
	}
	last := &logs.Tail{}
	out, vars := t.run(ctx, script{
		commands: commands, environ: t.env.list(extra), timeout: seconds(c.TimeoutSeconds),
		service: true, exports: true, stdout: t.log.Callback(last),
	})
	out.lines = last.Lines()
	switch {
	case vars != nil:
		t.env.merge(vars, extra)
	case out.ok():
		t.log.Warning(name + " replaced its shell or its EXIT trap, so later scripts do not receive its exported variables")
	}
	return out
}

// runEndCallback ends all processes of the callback before it returns.
func (t *task) runEndCallback(ctx context.Context, e endCallback) outcome {
	step, c := e.step, e.callback
	extra, err := t.stepEnvironment(step)
	if err != nil {
		return failed(exitSecret, "%v", err)
	}
	commands, err := t.renderCommands(c.Commands)
	if err != nil {
		return failed(exitSecret, "%v", err)
	}
	held, shielded := t.startHold(e), c.Event == contract.EventTaskExits
	defer held.end()
	pause := t.pauseUntilStop(ctx, held.interrupt())
	if shielded {
		pause = t.pauseWithinGrace(held.interrupt())
	}
	return t.withRetry(retryOf(step, c), label(step, c.Event), pause, func() outcome {
		last := &logs.Tail{}
		var out outcome
		if held.attempt() {
			out, _ = t.run(ctx, script{
				commands: commands, environ: t.env.list(extra), timeout: seconds(c.TimeoutSeconds),
				shielded: shielded, stdout: t.log.Callback(last),
			})
		}
		if held.isReleased() {
			t.log.Info(label(step, c.Event) + " was released")
			return outcome{}
		}
		out.lines, out.lastTry = last.Lines(), out.timeout && held.holds()
		return out
	})
}

// stepEnvironment renders variables that only this step's scripts receive.
func (t *task) stepEnvironment(step *runspec.Step) (map[string]string, error) {
	extra := map[string]string{}
	for name, text := range step.Environment {
		value, err := t.secrets.render(text, t.env.lookup)
		if err != nil {
			return nil, err
		}
		extra[name] = value
	}
	return extra, nil
}

// pauseFunc waits before another attempt. If another attempt is not allowed, it
// returns false and records the reason in the outcome of the last attempt.
type pauseFunc func(last *outcome, d time.Duration) bool

// withRetry repeats the action until its outcome is final or the rule allows
// no further attempt. It doubles the pause after each attempt.
func (t *task) withRetry(rule *runspec.Retry, name string, wait pauseFunc, action func() outcome) outcome {
	if rule == nil {
		rule = &runspec.Retry{Attempts: 1}
	}
	pause := seconds(rule.BackoffSeconds)
	for attempt := 1; ; attempt++ {
		out := action()
		if out.final() || attempt >= rule.Attempts {
			return out
		}
		t.log.Warning(fmt.Sprintf("%s %s; attempt %d of %d follows in %s", name, out.reason, attempt+1, rule.Attempts, pause))
		t.stages.wait(out.reason.String(), t.Now().Add(pause))
		again := wait(&out, pause)
		t.stages.wait("", time.Time{})
		if !again {
			return out
		}
		pause *= 2
	}
}

// pauseUntilStop returns a pause that ends early after a stop, at the task's time
// limit, or when release is closed.
func (t *task) pauseUntilStop(ctx context.Context, release <-chan struct{}) pauseFunc {
	return func(last *outcome, d time.Duration) bool {
		switch {
		case t.sleep(ctx, d, release):
			return true
		case ctx.Err() != nil:
			last.expired = true
			last.timedOut(expiredAfter(t.maxRun()))
		default:
			last.stopped = true
		}
		return false
	}
}

// sleep waits for d, or until the wake channel is closed. It returns false after
// a stop or at the task's time limit.
func (t *task) sleep(ctx context.Context, d time.Duration, wake <-chan struct{}) bool {
	select {
	case <-t.after(d):
		return true
	case <-wake:
		return true
	case <-t.stop.requested:
		return false
	case <-ctx.Done():
		return false
	}
}

// applyFailurePolicy logs a failure. If the policy ignores failures,
// applyFailurePolicy returns a success, except after the task's time limit.
func (t *task) applyFailurePolicy(step *runspec.Step, policy, what string, out outcome) outcome {
	if out.ok() || out.stopped {
		return out
	}
	policy = cmp.Or(policy, step.FailurePolicy)
	if policy == policyIgnore && !out.expired {
		t.log.Warning(label(step, what) + " " + out.reason.String() + "; ignored because of its failure policy")
		return outcome{}
	}
	t.log.Error(label(step, what) + " " + out.reason.String())
	return out
}

func retryOf(step *runspec.Step, c *runspec.Callback) *runspec.Retry {
	if c.Retry != nil {
		return c.Retry
	}
	return step.Retry
}

// label returns the label that messages use for a part of a step.
func label(step *runspec.Step, what string) string { return what + " of " + title(step) }

// title returns the step name that messages use.
func title(step *runspec.Step) string {
	if step.Address == "" {
		return step.Name
	}
	return step.Address
}

func seconds(n int) time.Duration { return time.Duration(n) * time.Second }
