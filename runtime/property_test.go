// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// Each task has a random list of steps, with failures, timeouts and stops at random
// points. The started steps must be a prefix of the list. The end callbacks must
// run in the exact reverse order. No script may run twice.
func TestStepsOfRandomTasksEndInReverseOrder(t *testing.T) {
	t.Parallel()
	for seed := range uint64(24) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			randomTask(t, rand.New(rand.NewPCG(seed, 7)), 25, 150*time.Millisecond)
		})
	}
}

// randomTask runs a task with at most the given number of steps. It may stop
// the task at a random time.
func randomTask(t *testing.T, random *rand.Rand, steps int, longest time.Duration) {
	t.Helper()
	r := newRig(t, "echo user >>trace", "sleep 0.02")
	for i := range 1 + random.IntN(steps) {
		addRandomStep(r, random, i)
	}
	switch random.IntN(3) {
	case 0:
		r.spec.Commands = append(r.spec.Commands, "exit 5")
	case 1:
		breakStart(r, random.IntN(len(r.spec.Steps)), random.IntN(2) == 0)
	}
	ended := make(chan exitspec.Record, 1)
	go func() { ended <- r.run() }()
	if random.IntN(2) == 0 {
		time.Sleep(time.Duration(random.Int64N(int64(longest))))
		r.stopSent = true
		r.signals <- syscall.SIGTERM
	}
	checkOrder(t, r, <-ended)
}

func addRandomStep(r *rig, random *rand.Rand, i int) {
	s := r.step(fmt.Sprint("s", i))
	for _, event := range []string{"taskStarts", "taskSucceeds", "taskFails", "taskExits"} {
		if random.IntN(3) > 0 {
			s.Callbacks = append(s.Callbacks, on(event, fmt.Sprintf("echo %s:%d >>trace", event, i)))
		}
	}
}

// breakStart makes the taskStarts callback of a step fail with a nonzero exit
// code or a timeout.
func breakStart(r *rig, i int, timeout bool) {
	c := on("taskStarts", fmt.Sprintf("echo taskStarts:%d >>trace", i), "exit 3")
	if timeout {
		c.Commands[1], c.TimeoutSeconds = "sleep 100", 1
	}
	s := &r.spec.Steps[i]
	s.Callbacks = slices.DeleteFunc(s.Callbacks, func(c runspec.Callback) bool { return c.Event == "taskStarts" })
	s.Callbacks = append(s.Callbacks, c)
}

func checkOrder(t *testing.T, r *rig, record exitspec.Record) {
	t.Helper()
	words := strings.Fields(r.trace())
	seen := map[string]bool{}
	at := map[string][]int{}
	var events []string // in the order of first appearance
	for _, w := range words {
		if seen[w] {
			t.Fatalf("%s ran twice: %v", w, words)
		}
		seen[w] = true
		event, number, _ := strings.Cut(w, ":")
		var i int
		if number != "" {
			if _, err := fmt.Sscan(number, &i); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Contains(events, event) {
			events = append(events, event)
		} else if events[len(events)-1] != event {
			t.Fatalf("%s after %s: %v", w, events[len(events)-1], words)
		}
		at[event] = append(at[event], i)
	}
	started := expectedStarts(r, record, at["taskStarts"])
	for _, event := range []string{"taskSucceeds", "taskFails", "taskExits"} {
		checkEnd(t, r, record, event, at[event], started)
	}
}

// expectedStarts checks that the started steps are a prefix of the list. The
// returned function reports whether a step was started. A failed step is
// treated as started even if it timed out before its first command.
func expectedStarts(r *rig, record exitspec.Record, got []int) func(i int) bool {
	r.t.Helper()
	var all []int
	for i := range r.spec.Steps {
		if has(r, i, "taskStarts") {
			all = append(all, i)
		}
	}
	if len(got) > len(all) || !slices.Equal(all[:len(got)], got) {
		r.t.Fatalf("started %v of %v", got, all)
	}
	return func(i int) bool {
		return !has(r, i, "taskStarts") || slices.Contains(got, i) || r.spec.Steps[i].Address == record.Step
	}
}

func has(r *rig, i int, event string) bool {
	return slices.ContainsFunc(r.spec.Steps[i].Callbacks, func(c runspec.Callback) bool { return c.Event == event })
}

func checkEnd(t *testing.T, r *rig, record exitspec.Record, event string, got []int, started func(int) bool) {
	t.Helper()
	var want []int
	for i := len(r.spec.Steps) - 1; i >= 0; i-- {
		if started(i) && has(r, i, event) {
			want = append(want, i)
		}
	}
	if record.Stopped {
		// The stop may have preceded the first command of the current step.
		cut := func(i int) bool { return r.spec.Steps[i].Address == record.Step }
		got, want = slices.DeleteFunc(slices.Clone(got), cut), slices.DeleteFunc(want, cut)
	}
	due := event == "taskExits" || !record.Stopped && (event == "taskSucceeds") == (record.UserCode == 0)
	switch {
	case due && !slices.Equal(got, want) && !(event == "taskFails" && r.stopSent):
		t.Errorf("%s ran for %v, want %v; record %+v\n%v", event, got, want, record, r.trace())
	case !slices.Equal(got, want[:min(len(got), len(want))]):
		t.Errorf("%s ran for %v, which is not a prefix of %v", event, got, want)
	case !due && event == "taskFails" && len(got) > 0 && record.UserCode == 0:
		t.Errorf("%s ran for %v after success", event, got)
	}
}
