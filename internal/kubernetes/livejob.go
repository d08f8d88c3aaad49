// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func (in *inventory) job(name string) (*planner.LiveJob, error) {
	live, r := in.frameworks[name], in.records[name]
	job := &planner.LiveJob{Framework: name}
	if r != nil {
		job.Address, job.Workspace, job.User, job.State = r.Address, r.Workspace, r.User, r.State
		job.Hash, job.Fields, job.SecretVersions, job.ExitCode = r.Hash, r.Fields, r.SecretVersions, r.ExitCode
		job.Applied, job.Declaration, job.Creating = in.applied(name), r.declaration, r.Creating
		job.DeclaredBy, job.Run, job.RepeatOf = r.Declarer(r.declaration), r.Run, r.RepeatOf
	}
	if live == nil {
		job.State = r.lastState(in.now)
		return job, nil
	}
	if r == nil {
		identify(job, live.Metadata.ObjectMeta)
	}
	fw, err := live.typed()
	if err != nil {
		return nil, err
	}
	job.Present, job.UID = true, fw.Metadata.UID
	job.Unstarted = cluster.Unstarted(fw)
	job.State, job.ExitCode = cluster.FrameworkState(fw), exitCode(fw)
	job.RunningTasks = runningTasks(fw)
	if !in.withoutDrift && !job.Unstarted && !job.State.Finished() && r != nil {
		job.Drift = in.drift(live, r)
	}
	return job, nil
}

// identify sets the address, workspace and user of a job from the metadata of
// its Framework or record.
func identify(job *planner.LiveJob, meta framework.ObjectMeta) {
	job.Address = hclspec.Address(meta.Annotations[contract.KeyAddress])
	job.Workspace = meta.Annotations[contract.KeyWorkspace]
	job.User = meta.Labels[contract.LabelUser]
}

// applied reads the resolved job from the run ConfigMap. It returns nil if the
// ConfigMap no longer exists or the job was too large. The result is only for
// display; plans use the record.
func (in *inventory) applied(name string) *resolve.Job {
	text := in.runs[contract.RunConfigMap(name)].Data[render.ResolvedJobKey]
	if text == "" {
		return nil
	}
	job, err := planner.DecodeApplied([]byte(text))
	if err != nil {
		return nil
	}
	return job
}

// retention is the default time after which FrameworkController deletes completed
// Frameworks. Source: microsoft/frameworkcontroller:
// pkg/apis/frameworkcontroller/v1/config.go.
const retention = 30 * 24 * time.Hour

// lastState returns the recorded state of a job whose Framework no longer exists.
// It returns StateUnknown if the recorded state is not final and the last
// observation is older than the retention time: the engine may have removed a
// finished Framework.
func (r *stored) lastState(now time.Time) planner.JobState {
	switch {
	case r.State == "":
		return planner.StateAbsent
	case !r.State.Finished() && r.Seen != nil && now.Sub(*r.Seen) > retention:
		return planner.StateUnknown
	}
	return r.State
}

func runningTasks(fw *framework.Framework) int {
	if fw.Status == nil {
		return 0
	}
	running := 0
	taskRoles, err := fw.Status.AttemptStatus.Roles()
	if err != nil {
		return 0 // Status reports the reason
	}
	for _, role := range taskRoles {
		for _, t := range role.TaskStatuses {
			if t.State == framework.StateAttemptRunning {
				running++
			}
		}
	}
	return running
}
