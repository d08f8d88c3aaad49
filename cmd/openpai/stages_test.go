//go:build unix

package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdHeld: held DIR waits until openpai status shows a held task.
func cmdHeld(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: held DIR")
	}
	for deadline := time.Now().Add(2 * patience); ; time.Sleep(200 * time.Millisecond) {
		ts.Check(ts.Exec("openpai", "status", args[0]))
		if strings.Contains(ts.ReadFile("stdout"), "HELD after exit 7, ") {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("no task is held")
		}
	}
}

// cmdStages: stages DIR FILE asks openpai status --json for the stages of the
// only job of the directory until it is finished, and writes each stage with its
// step to the file, once. A task that starts at once may be seen before its
// first stage, or not: scheduling and preparing are omitted.
func cmdStages(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: stages DIR FILE")
	}
	var seen []string
	for deadline := time.Now().Add(2 * patience); ; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			ts.Fatalf("the job is not finished; its stages were %q", seen)
		}
		ts.Check(ts.Exec("openpai", "status", "--json", args[0]))
		var status struct {
			Jobs []struct {
				State     string
				TaskRoles []struct {
					Tasks []struct {
						Attempts []struct {
							Stage *struct{ Stage, Step, Event string }
						}
					}
				} `json:"task_roles"`
			}
		}
		ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &status))
		if len(status.Jobs) != 1 {
			ts.Fatalf("%d jobs", len(status.Jobs))
		}
		job := status.Jobs[0]
		for _, role := range job.TaskRoles {
			for _, task := range role.Tasks {
				for _, a := range task.Attempts {
					if a.Stage == nil || a.Stage.Stage == "scheduling" || a.Stage.Stage == "preparing" {
						continue
					}
					line := strings.TrimSpace(strings.Join([]string{a.Stage.Stage, a.Stage.Step, a.Stage.Event}, " "))
					if !slices.Contains(seen, line) {
						seen = append(seen, line)
					}
				}
			}
		}
		if job.State == "SUCCEEDED" || job.State == "FAILED" || job.State == "STOPPED" {
			break
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(strings.Join(seen, "\n")+"\n"), 0o644))
}
