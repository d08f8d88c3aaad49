// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

const (
	// stageInterval is the polling interval for the stages of a job.
	stageInterval = 2 * time.Second
	// manyTasks is the minimum number of tasks for one message per role
	// instead of one per task.
	manyTasks = 9
)

// jobProgress sends the progress of a job to Terraform. It sends each job
// state and task stage once, in the wording of the openpai CLI.
type jobProgress struct {
	send func(format string, args ...any)
	name string
	now  func() time.Time

	mu    sync.Mutex
	state planner.JobState
	sent  map[string]sentStage // by task or role
}

// sentStage is the stage that was last sent for a task or role. The field causes
// contains the causes that were sent for the stage.
type sentStage struct {
	stage  string
	causes map[string]bool
}

// maxCauses is the maximum number of causes sent for a stage. The limit is
// necessary because a server can use any number of texts for one cause.
const maxCauses = 8

func newJobProgress(name string, send func(format string, args ...any)) *jobProgress {
	return &jobProgress{send: send, name: name, now: time.Now, sent: map[string]sentStage{}}
}

// loggedProgress sends progress to the provider log, which TF_LOG=INFO shows.
// Terraform shows no messages while a resource waits.
func loggedProgress(ctx context.Context, name string) *jobProgress {
	return newJobProgress(name, func(format string, args ...any) { tflog.Info(ctx, fmt.Sprintf(format, args...)) })
}

// wait sends progress until a job meets a condition. It polls the stages of
// running tasks, because some clusters do not include stages in the status.
func (p *jobProgress) wait(ctx context.Context, j operation.Job, until cluster.Condition) (*cluster.Status, error) {
	looking, stop := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() {
		for looking.Err() == nil {
			select {
			case <-looking.Done():
				return
			case <-time.After(stageInterval):
			}
			if st, err := j.StatusWithStages(looking); err == nil && !st.State.Finished() {
				p.changed(st)
			}
		}
	})
	defer done.Wait()
	defer stop()
	return j.Wait(ctx, until, p.changed)
}

// changed sends a message for each new state and stage.
func (p *jobProgress) changed(s *cluster.Status) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s.State != p.state {
		p.state = s.State
		p.send("job.%s: %s", p.name, s.State)
	}
	if s.State.Finished() {
		return
	}
	if s.Stage != nil {
		p.once("job", s.Stage.Reason, "", view.StageReason(s.Stage, p.now()))
	}
	tasks := 0
	for _, role := range s.TaskRoles {
		tasks += len(role.Tasks)
	}
	for _, role := range s.TaskRoles {
		if tasks >= manyTasks {
			p.role(role)
			continue
		}
		for i := range role.Tasks {
			if r := role.Tasks[i].WaitingStage(); r != nil {
				p.once(fmt.Sprintf("%s[%d]", role.Name, role.Tasks[i].Index), fmt.Sprint(r.Stage, r.Step, r.Number, r.Event), r.Cause(), view.StageReason(r, p.now()))
			}
		}
	}
}

// role sends the most common stage of the waiting tasks.
func (p *jobProgress) role(role cluster.TaskRole) {
	if most := role.CommonStage(""); len(most) > 0 {
		example := stage.Example(most)
		p.once(role.Name+":", string(example.Stage), "", view.RoleStage(example, len(most), len(role.Tasks)))
	}
}

// once sends one message for each cause of a wait in a stage. It does not send a
// cause again if the cause returns within the stage.
func (p *jobProgress) once(who, stage, cause, words string) {
	last, known := p.sent[who]
	if !known || last.stage != stage {
		last = sentStage{stage: stage, causes: map[string]bool{}}
		p.sent[who] = last
	}
	if last.causes[cause] || len(last.causes) >= maxCauses {
		return
	}
	last.causes[cause] = true
	p.send("job.%s: %s %s", p.name, who, words)
}
