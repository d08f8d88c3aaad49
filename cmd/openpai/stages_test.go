// SPDX-License-Identifier: MPL-2.0

//go:build unix

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/openpai/terraform-provider-openpai/internal/atomicfile"
	"github.com/openpai/terraform-provider-openpai/internal/local/reexec"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

// cmdHeld implements held DIR: it waits until openpai status shows a held task.
func cmdHeld(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: held DIR")
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(200 * time.Millisecond) {
		ts.Check(ts.Exec("openpai", "status", args[0]))
		if strings.Contains(ts.ReadFile("stdout"), "HELD after exit 7, ") {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("no task is held")
		}
	}
}

// pauseTask delays the start of a task while the workspace directory contains the
// task's pause file. The file worker-0.0.pause delays worker 0 in the job's first
// attempt. Meanwhile, the other tasks of a gang remain in preparation.
func pauseTask(args []string) {
	if len(args) < 3 || args[1] != reexec.Task {
		return
	}
	workspace, attempt, _ := strings.Cut(args[2], string(filepath.Separator)+".openpai"+string(filepath.Separator))
	task := filepath.Dir(attempt)
	file := filepath.Join(workspace, filepath.Base(task)+"."+filepath.Base(filepath.Dir(task))+".pause")
	for {
		if _, err := os.Stat(file); err != nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// cmdStages implements stages DIR ATTEMPT FILE. It polls openpai status --json until
// the only job in DIR is finished, and writes each distinct stage with its step to
// FILE. These are the stages of the first task in job attempt ATTEMPT, and of the job
// itself between attempts. cmdStages writes each stage immediately, so that a task
// can wait for the stage. When the task is in the "preparing" stage, cmdStages
// removes every *.pause file in the directory. In the "held" stage, it runs openpai
// release.
func cmdStages(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: stages DIR ATTEMPT FILE")
	}
	attempt, err := strconv.Atoi(args[1])
	ts.Check(err)
	var seen []string
	for deadline := time.Now().Add(2 * patience); ; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			ts.Fatalf("the job is not finished; its stages were %q", seen)
		}
		state, line := currentStage(ts, args[0], attempt)
		if line != "" && !slices.Contains(seen, line) {
			seen = append(seen, line)
			ts.Check(atomicfile.Write(ts.MkAbs(args[2]), []byte(strings.Join(seen, "\n")+"\n"), 0o644))
			switch name, _, _ := strings.Cut(line, " "); stage.Name(name) {
			case stage.Preparing:
				resumeTasks(ts, ts.MkAbs(args[0]))
			case stage.Held:
				ts.Check(ts.Exec("openpai", "release", args[0]))
			}
		}
		if state == "SUCCEEDED" || state == "FAILED" || state == "STOPPED" {
			return
		}
	}
}

func resumeTasks(ts *testscript.TestScript, dir string) {
	files, err := filepath.Glob(filepath.Join(dir, "*.pause"))
	ts.Check(err)
	for _, file := range files {
		ts.Check(os.Remove(file))
	}
}

// currentStage returns the state and stage of the only job. If the job has no
// stage, currentStage uses the first task in the given job attempt.
func currentStage(ts *testscript.TestScript, dir string, attempt int) (state, line string) {
	type record struct {
		Stage, Step, Event string
	}
	var status struct {
		Jobs []struct {
			State     string
			Stage     *record
			TaskRoles []struct {
				Tasks []struct {
					Attempts []struct {
						JobAttempt int `json:"job_attempt"`
						Stage      *record
					}
				}
			} `json:"task_roles"`
		}
	}
	ts.Check(ts.Exec("openpai", "status", "--json", dir))
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &status))
	if len(status.Jobs) != 1 {
		ts.Fatalf("%d jobs", len(status.Jobs))
	}
	job := status.Jobs[0]
	now := job.Stage
	if len(job.TaskRoles) > 0 && now == nil {
		for _, a := range job.TaskRoles[0].Tasks[0].Attempts {
			if a.JobAttempt == attempt {
				now = a.Stage
			}
		}
	}
	if now == nil {
		return job.State, ""
	}
	return job.State, strings.Join(strings.Fields(now.Stage+" "+now.Step+" "+now.Event), " ")
}
