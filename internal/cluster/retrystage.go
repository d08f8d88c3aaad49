package cluster

import (
	"fmt"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

// RetryStage returns the stage of a job or task whose attempt has ended and whose
// next one begins after a delay; nil when it does not wait for that. since is when
// it entered the state.
func RetryStage(s framework.State, since time.Time, retry framework.RetryPolicyStatus) *stage.Record {
	if s != framework.StateAttemptCompleted || retry.RetryDelaySec == nil || *retry.RetryDelaySec <= 0 {
		return nil
	}
	delay := time.Duration(*retry.RetryDelaySec) * time.Second
	return &stage.Record{
		Version: stage.Version, Stage: stage.Scheduling, Since: since, Until: since.Add(delay),
		Reason: fmt.Sprintf("waits %s before attempt %d", inUnits(delay), retry.TotalRetriedCount+2),
	}
}

// inUnits writes a time without the units that are zero: "30s", "5m".
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

// AddReady adds to the tasks that prepare how many tasks of the job are ready.
// ready says for each task whether it is; a single task waits for nobody.
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
