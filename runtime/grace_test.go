// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// stopAt stops the task as soon as the trace contains the word.
func (r *rig) stopAt(word string) exitspec.Record {
	r.t.Helper()
	ended := make(chan exitspec.Record, 1)
	go func() { ended <- r.run() }()
	r.waitFor(word)
	r.signals <- syscall.SIGTERM
	return <-ended
}

func TestEveryTaskExitsCallbackHasItsPartOfTheGracePeriod(t *testing.T) {
	t.Parallel()
	const forever = "while :; do sleep 0.02; done"
	for name, c := range map[string]struct {
		build func(r *rig)
		when  string
		want  string
	}{
		"a callback that does not end leaves time for later callbacks": {
			func(r *rig) {
				r.traced("a", "", "")
				r.traced("b", "taskExits", forever)
				r.traced("c", "taskExits", forever)
				r.spec.Commands = []string{"echo user >>trace", forever}
			},
			"user", "a+ b+ c+ user c-exit b-exit a-exit",
		},
		"a callback that is already running at the stop": {
			func(r *rig) {
				r.traced("a", "", "")
				r.traced("b", "taskExits", forever)
				r.spec.Commands = []string{"exit 7"}
			},
			"b-exit", "a+ b+ b-fail a-fail b-exit a-exit",
		},
		"a failed callback is retried, and later callbacks still run": {
			func(r *rig) {
				r.traced("a", "", "")
				r.step("b", runspec.Callback{
					Event: "taskExits", Commands: []string{"echo try >>trace", "exit 4"}, Retry: &runspec.Retry{Attempts: 2},
				})
				r.spec.Commands = []string{"echo user >>trace", forever}
			},
			"user", "a+ user try try a-exit",
		},
		"a callback is not retried if the pause is longer than its part": {
			func(r *rig) {
				r.traced("a", "", "")
				r.step("b", runspec.Callback{
					Event: "taskExits", Commands: []string{"echo try >>trace", "exit 4"}, Retry: &runspec.Retry{Attempts: 2, BackoffSeconds: 600},
				})
				r.spec.Commands = []string{"echo user >>trace", forever}
			},
			"user", "a+ user try a-exit",
		},
		"a start callback that ignores the stop leaves time for taskExits of its own prerequisite": {
			func(r *rig) { r.traced("a", "taskStarts", "trap '' TERM; "+forever) },
			"a+", "a+ a-exit",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.spec.StopGraceSeconds = 9 // on a busy machine, a shell can take several seconds to start
			c.build(r)
			r.stopAt(c.when)
			if got := r.trace(); got != c.want {
				t.Errorf("ran %q, want %q\nlog\n%s", got, c.want, r.log())
			}
		})
	}
}

func TestACallbackThatUsesUpItsShareIsReported(t *testing.T) {
	t.Parallel()
	r := newRig(t, "echo user >>trace", "sleep 60")
	r.spec.StopGraceSeconds = 2
	r.step("a", on("taskExits", "sleep 60"))
	r.stopAt("user")
	if want := "taskExits of prerequisite.script.a did not end within its part of the grace period"; !strings.Contains(r.log(), want) {
		t.Errorf("%q is not in\n%s", want, r.log())
	}
}

func TestEndCallbacksShareTheGracePeriod(t *testing.T) {
	t.Parallel()
	later := func(c runspec.Callback) endCallback { return endCallback{0, &runspec.Step{}, &c} }
	for name, c := range map[string]struct {
		later []endCallback
		want  time.Duration
	}{
		"the last callback gets all remaining time": {nil, 12 * time.Second},
		"equal parts": {[]endCallback{later(runspec.Callback{}), later(runspec.Callback{})}, 4 * time.Second},
		"a later callback reserves at most its timeout": {
			[]endCallback{later(runspec.Callback{TimeoutSeconds: 1}), later(runspec.Callback{})}, 7 * time.Second,
		},
		"a later callback with a long timeout reserves only an equal part": {
			[]endCallback{later(runspec.Callback{TimeoutSeconds: 100})}, 6 * time.Second,
		},
		"a later callback may need its timeout for each attempt": {
			[]endCallback{later(runspec.Callback{TimeoutSeconds: 1, Retry: &runspec.Retry{Attempts: 3}})}, 9 * time.Second,
		},
	} {
		if got := graceShare(12*time.Second, c.later); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestTheEndOfTheTasksTimeInThePauseBeforeARetryIsNoStop(t *testing.T) {
	t.Parallel()
	r := newRig(t, "echo user >>trace")
	r.spec.MaxRunSeconds = 4 // on a busy machine, a shell can take several seconds to start
	s := r.traced("a", "taskStarts", "exit 3")
	s.Callbacks[0].Retry = &runspec.Retry{Attempts: 2, BackoffSeconds: 600}
	record := r.run()
	if got, want := r.trace(), "a+ a-fail a-exit"; got != want || record.Stopped || record.UserCode != 124 {
		t.Errorf("ran %q, want %q; record %+v", got, want, record)
	}
}
