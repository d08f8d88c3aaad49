// SPDX-License-Identifier: MPL-2.0

package cluster

import (
	"fmt"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

// RetryStage returns the stage of a job or task in a retry delay, or nil without
// a delay. since is the time at which the job or task entered the state. done is
// the result of the last attempt, or nil.
func RetryStage(s framework.State, since time.Time, retry framework.RetryPolicyStatus, done *framework.CompletionStatus) *stage.Record {
	if s != framework.StateAttemptCompleted || retry.RetryDelaySec == nil || *retry.RetryDelaySec <= 0 {
		return nil
	}
	delay := time.Duration(*retry.RetryDelaySec) * time.Second
	reason := fmt.Sprintf("waits %s before attempt %d", inUnits(delay), retry.TotalRetriedCount+2)
	if done != nil && done.Phrase != "" {
		reason += " after " + done.Phrase
	}
	return &stage.Record{Version: stage.Version, Stage: stage.Scheduling, Since: since, Until: since.Add(delay), Reason: reason}
}

// inUnits formats a duration without trailing zero units, such as "5m" (not
// "5m0s").
func inUnits(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// AddReady adds the number of ready tasks to the stage of each preparing task. The
// function ready reports whether a task is ready. AddReady ignores jobs with one task,
// which has no other tasks to wait for.
func AddReady(st *Status, ready func(role string, t *Task) bool) {
	var preparing []*stage.Record
	tasks, count := 0, 0
	for _, role := range st.TaskRoles {
		for i := range role.Tasks {
			tasks++
			if ready(role.Name, &role.Tasks[i]) {
				count++
			}
			if a := role.Tasks[i].Latest(); a != nil && a.Exit == nil && a.Stage != nil && a.Stage.Stage == stage.Preparing {
				preparing = append(preparing, a.Stage)
			}
		}
	}
	for _, r := range preparing {
		if tasks > 1 {
			r.Ready, r.Tasks = count, tasks
		}
	}
}
