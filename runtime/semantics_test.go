// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// ran is the expected result of a test case: the words that callbacks and commands
// append to the file "trace", in order.
type ran struct {
	trace string
	code  int // UserCode
	stage string
	step  string
}

// In OpenPAI's original runtime, a failed plugin ends the job, and no callback runs
// after a failure.
func TestCallbacksAndCommandsRunInTheDefinedOrder(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		build func(r *rig)
		want  ran
	}{
		"success runs all taskSucceeds in reverse, then all taskExits in reverse": {
			func(r *rig) { r.traced("a", "", ""); r.traced("b", "", "") },
			ran{"a+ b+ user b-ok a-ok b-exit a-exit", 0, "commands", ""},
		},
		"failure runs all taskFails in reverse, then all taskExits in reverse": {
			func(r *rig) {
				r.traced("a", "", "")
				r.traced("b", "", "")
				r.spec.Commands = []string{"echo user >>trace; exit 7"}
			},
			ran{"a+ b+ user b-fail a-fail b-exit a-exit", 7, "commands", ""},
		},
		"a failed start callback counts as started, later callbacks do not": {
			func(r *rig) { r.traced("a", "", ""); r.traced("b", "taskStarts", "exit 3"); r.traced("c", "", "") },
			ran{"a+ b+ b-fail a-fail b-exit a-exit", 3, "prerequisites", "prerequisite.script.b"},
		},
		"a prerequisite without start callbacks counts as started from the beginning": {
			func(r *rig) {
				r.traced("a", "taskStarts", "exit 3")
				r.step("hook", on("taskFails", "echo hook >>trace"))
			},
			ran{"a+ hook a-fail a-exit", 3, "prerequisites", "prerequisite.script.a"},
		},
		"a failing taskSucceeds fails the task with its code; taskFails does not follow, taskExits does": {
			func(r *rig) { r.traced("a", "taskSucceeds", "exit 9"); r.traced("b", "", "") },
			ran{"a+ b+ user b-ok a-ok b-exit a-exit", 9, "end callbacks", "prerequisite.script.a"},
		},
		"the first failed taskSucceeds determines the result, later callbacks still run": {
			func(r *rig) { r.traced("a", "taskSucceeds", "exit 9"); r.traced("b", "taskSucceeds", "exit 8") },
			ran{"a+ b+ user b-ok a-ok b-exit a-exit", 8, "end callbacks", "prerequisite.script.b"},
		},
		"a failed taskFails does not change the result": {
			func(r *rig) { r.traced("a", "taskFails", "exit 9"); r.spec.Commands = []string{"exit 7"} },
			ran{"a+ a-fail a-exit", 7, "commands", ""},
		},
		"a failed taskExits does not change the result": {
			func(r *rig) { r.traced("a", "taskExits", "exit 9") },
			ran{"a+ user a-ok a-exit", 0, "commands", ""},
		},
		"failure policy ignore of a prerequisite lets everything continue": {
			func(r *rig) { r.traced("a", "taskStarts", "exit 3").FailurePolicy = "ignore"; r.traced("b", "", "") },
			ran{"a+ b+ user b-ok a-ok b-exit a-exit", 0, "commands", ""},
		},
		"failure policy ignore of a callback applies to that callback": {
			func(r *rig) {
				s := r.traced("a", "taskSucceeds", "exit 9")
				s.Callbacks[1].FailurePolicy = "ignore"
			},
			ran{"a+ user a-ok a-exit", 0, "commands", ""},
		},
		"the policy of a callback takes precedence over the policy of its prerequisite": {
			func(r *rig) {
				s := r.traced("a", "taskStarts", "exit 3")
				s.FailurePolicy, s.Callbacks[0].FailurePolicy = "ignore", "fail"
			},
			ran{"a+ a-fail a-exit", 3, "prerequisites", "prerequisite.script.a"},
		},
		"errexit applies from the first to the last line of a callback": {
			func(r *rig) { r.step("a", on("taskStarts", "echo one >>trace", "false", "echo two >>trace")) },
			ran{"one", 1, "prerequisites", "prerequisite.script.a"},
		},
		"a failure inside a pipeline counts": {
			func(r *rig) { r.spec.Commands = []string{"(exit 5) | cat", "echo after >>trace"} },
			ran{"", 5, "commands", ""},
		},
		"a variable that is not set is an error": {
			func(r *rig) { r.spec.Commands = []string{"echo $NOT_SET", "echo after >>trace"} },
			ran{"", 1, "commands", ""},
		},
		"commands of a list are one script: cd, variables and an if spread over entries": {
			func(r *rig) {
				r.spec.Commands = []string{"mkdir d && cd d", "x=1", "if [ $x = 1 ]; then", "echo yes >>../trace", "fi"}
			},
			ran{"yes", 0, "commands", ""},
		},
		"the working directory is not passed on": {
			func(r *rig) {
				r.step("a", on("taskStarts", "mkdir d", "cd d"))
				r.spec.Commands = []string{"echo user >>trace"}
			},
			ran{"user", 0, "commands", ""},
		},
		"several callbacks of one event run in the order written": {
			func(r *rig) {
				r.step("a", on("taskStarts", "echo 1 >>trace"), on("taskExits", "echo 3 >>trace"), on("taskStarts", "echo 2 >>trace"), on("taskExits", "echo 4 >>trace"))
			},
			ran{"1 2 user 3 4", 0, "commands", ""},
		},
		"a job without commands succeeds": {
			func(r *rig) { r.traced("a", "", ""); r.spec.Commands = nil },
			ran{"a+ a-ok a-exit", 0, "commands", ""},
		},
		"a syntax error is the user's failure": {
			func(r *rig) { r.traced("a", "", ""); r.spec.Commands = []string{"if"} },
			ran{"a+ a-fail a-exit", 2, "commands", ""},
		},
		"a callback that exceeds its timeout is ended": {
			func(r *rig) {
				c := on("taskStarts", "echo slow >>trace", "sleep 60")
				c.TimeoutSeconds = 1
				r.step("a", c)
			},
			ran{"slow", 124, "prerequisites", "prerequisite.script.a"},
		},
		"a task that exceeds its time limit is a failure": {
			func(r *rig) { r.traced("a", "", ""); r.spec.MaxRunSeconds = 1; r.spec.Commands = []string{"sleep 60"} },
			ran{"a+ a-fail a-exit", 124, "commands", ""},
		},
		"a retry repeats a callback until it succeeds": {
			func(r *rig) {
				c := on("taskStarts", "echo try >>trace", "[ $(wc -l <trace) -ge 3 ]")
				c.Retry = &runspec.Retry{Attempts: 5}
				r.step("a", c)
			},
			ran{"try try try user", 0, "commands", ""},
		},
		"a retry ends after its attempts": {
			func(r *rig) {
				r.step("a", on("taskStarts", "echo try >>trace", "exit 4")).Retry = &runspec.Retry{Attempts: 2}
			},
			ran{"try try", 4, "prerequisites", "prerequisite.script.a"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, "echo user >>trace")
			c.build(r)
			record := r.run()
			got := ran{r.trace(), record.UserCode, record.Stage, record.Step}
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(ran{})); diff != "" {
				t.Errorf("(-want +got)\n%s\nlog\n%s", diff, r.log())
			}
			if (record.Code == 0) != (c.want.code == 0) {
				t.Errorf("exit code %d", record.Code)
			}
		})
	}
}

// traced adds a prerequisite that appends a word to the trace on every event.
// On the given event, the prerequisite also runs then, a shell command.
func (r *rig) traced(name, event, then string) *runspec.Step {
	marks := []struct{ event, mark string }{
		{"taskStarts", name + "+"}, {"taskSucceeds", name + "-ok"}, {"taskFails", name + "-fail"}, {"taskExits", name + "-exit"},
	}
	var callbacks []runspec.Callback
	for _, m := range marks {
		c := on(m.event, "echo "+m.mark+" >>trace")
		if m.event == event {
			c.Commands = append(c.Commands, then)
		}
		callbacks = append(callbacks, c)
	}
	return r.step(name, callbacks...)
}

func (r *rig) trace() string {
	text, err := os.ReadFile(filepath.Join(r.config.WorkDir, "trace"))
	if err != nil && !os.IsNotExist(err) {
		r.t.Fatal(err)
	}
	return strings.Join(strings.Fields(string(text)), " ")
}

// waitFor waits until the trace contains the word.
func (r *rig) waitFor(word string) {
	r.t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		if strings.Contains(" "+r.trace()+" ", " "+word+" ") {
			return
		}
	}
	r.t.Fatalf("%q did not appear in the trace %q", word, r.trace())
}

// In OpenPAI's original runtime, the user's program does not receive the stop
// signal.
func TestAStopReachesTheProgramOfTheUser(t *testing.T) {
	t.Parallel()
	const wait = "while :; do sleep 0.02; done"
	// A shell that waits for a foreground program assumes that SIGINT is intended
	// for that program. If the program then exits normally, the shell's trap does
	// not run.
	const waitInBackground = "while :; do sleep 0.02 & wait $!; done"
	for name, c := range map[string]struct {
		build  func(r *rig)
		when   string // the test stops the task when the trace contains this word
		signal os.Signal
		want   string
		code   int
		exit   bool // the record does not mark the task as stopped
	}{
		"in the user's commands: only taskExits run": {
			func(r *rig) {
				r.traced("a", "", "")
				r.traced("b", "", "")
				r.spec.Commands = []string{"echo user >>trace", wait}
			},
			"user", syscall.SIGTERM, "a+ b+ user b-exit a-exit", 143, false,
		},
		"by SIGINT": {
			func(r *rig) {
				r.traced("a", "", "")
				r.spec.Commands = []string{"trap 'echo int >>trace; exit 130' INT", "echo user >>trace", waitInBackground}
			},
			"user", syscall.SIGINT, "a+ user int a-exit", 130, false,
		},
		"commands that exit with 0 after a stop are not a success": {
			func(r *rig) {
				r.traced("a", "", "")
				r.spec.Commands = []string{"trap 'echo saved >>trace; exit 0' TERM", "echo user >>trace", wait}
			},
			"user", syscall.SIGTERM, "a+ user saved a-exit", 143, false,
		},
		"in a start callback: no further callback starts": {
			func(r *rig) { r.traced("a", "taskStarts", wait); r.traced("b", "", "") },
			"a+", syscall.SIGTERM, "a+ a-exit", 143, false,
		},
		"a process that ignores SIGTERM is killed in time for taskExits": {
			func(r *rig) {
				r.traced("a", "", "")
				r.spec.StopGraceSeconds = 8 // on a busy machine, a shell can take several seconds to start
				r.spec.Commands = []string{"trap '' TERM", "echo user >>trace", wait}
			},
			"user", syscall.SIGTERM, "a+ user a-exit", 137, false,
		},
		"in taskFails: the rest of taskFails is skipped, the result does not change": {
			func(r *rig) {
				r.traced("a", "", "")
				r.traced("b", "taskFails", wait)
				r.spec.Commands = []string{"exit 7"}
			},
			"b-fail", syscall.SIGTERM, "a+ b+ b-fail b-exit a-exit", 7, true,
		},
		"in taskSucceeds: the task has not succeeded": {
			func(r *rig) { r.traced("a", "", ""); r.traced("b", "taskSucceeds", wait) },
			"b-ok", syscall.SIGTERM, "a+ b+ b-ok b-exit a-exit", 143, false,
		},
		"in taskExits: they continue": {
			func(r *rig) { r.traced("a", "taskExits", "sleep 0.3; echo more >>trace") },
			"a-exit", syscall.SIGTERM, "a+ a-ok a-exit more", 0, true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			c.build(r)
			ended := make(chan exitspec.Record, 1)
			go func() { ended <- r.run() }()
			r.waitFor(c.when)
			r.signals <- c.signal
			record := <-ended
			if got := r.trace(); got != c.want {
				t.Errorf("ran %q, want %q\nlog\n%s", got, c.want, r.log())
			}
			if record.UserCode != c.code || record.Stopped == c.exit {
				t.Errorf("record %+v", record)
			}
		})
	}
}

func TestOtherSignalsArePassedOn(t *testing.T) {
	t.Parallel()
	r := newRig(t, "trap 'echo got >>trace; exit 0' USR1", "echo user >>trace", "while :; do sleep 0.02; done")
	ended := make(chan exitspec.Record, 1)
	go func() { ended <- r.run() }()
	r.waitFor("user")
	r.signals <- syscall.SIGUSR1
	if record := <-ended; record.Code != 0 || record.Stopped || r.trace() != "user got" {
		t.Errorf("trace %q, record %+v", r.trace(), record)
	}
}

func TestEndCallbacksKnowWhatHappened(t *testing.T) {
	t.Parallel()
	for commands, want := range map[string]string{
		"exit 7":     "7 the user's commands exited with code 7",
		"kill -9 $$": "137 the user's commands were ended by SIGKILL",
	} {
		t.Run(commands, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, commands)
			r.step("a", on("taskFails", `echo "$PAI_EXIT_CODE $PAI_EXIT_REASON"`))
			r.run()
			if !strings.Contains(r.log(), want) {
				t.Errorf("%q is not in\n%s", want, r.log())
			}
		})
	}
}
