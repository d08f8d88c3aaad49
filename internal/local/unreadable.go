// SPDX-License-Identifier: MPL-2.0

package local

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/local/task"
	"github.com/openpai/terraform-provider-openpai/planner"
)

func unreadableStatus(job *planner.LiveJob) *cluster.Status {
	st := &cluster.Status{
		Address: string(job.Address), Framework: job.Framework, State: planner.StateUnreadable, TaskRoles: []cluster.TaskRole{},
		Stalled: cluster.Unreadable, UnreadableFile: job.Unreadable.File,
	}
	if job.Applied != nil {
		st.Name = job.Applied.Name
	}
	return st
}

func (c *Cluster) unreadable(o store.Object) (bool, error) {
	job, err := c.readJob(o.Name)
	return job != nil && job.Unreadable != nil, err
}

// unreadableGrace is the grace period for tasks of an unreadable job.
const unreadableGrace = 30 * time.Second

// endUnreadable ends the processes of a job with unreadable state. A running
// supervisor ends the processes, because it still has the state in memory.
// endUnreadable then ends the remaining processes that the task directories
// identify.
func (c *Cluster) endUnreadable(ctx context.Context, o store.Object) error {
	if err := errors.Join(c.layout.Check(o.Name), c.layout.CheckAttempts(o.Name)); err != nil {
		return err
	}
	if err := o.AddRequest(store.RequestStop, c.options.Now()); err != nil && !errors.Is(err, cluster.ErrNotFound) {
		return err
	}
	for {
		held, err := store.IsLocked(o.SupervisorLock())
		if err != nil {
			return err
		}
		if !held {
			break
		}
		if err := pause(ctx, pollEnd); err != nil {
			return err
		}
	}
	pods := c.identifiedPods(o)
	for _, p := range pods {
		p.terminate(func(string, ...any) {})
	}
	for deadline := time.Now().Add(unreadableGrace); anyRuns(pods) && time.Now().Before(deadline); {
		if err := pause(ctx, pollEnd); err != nil {
			return err
		}
	}
	for _, p := range pods {
		p.sweep(func(int) bool { return true }, func(string, ...any) {})
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// identifiedPods returns the task attempts of a job. It omits attempts whose
// files identify neither a process nor a cgroup.
func (c *Cluster) identifiedPods(o store.Object) []*pod {
	var all []*pod
	for _, dir := range store.Glob(c.layout.Attempts(o.Name), "*/*/*") {
		p := &pod{dir: store.TaskDir(dir)}
		var l task.Launch
		if store.ReadJSON(p.dir.Launch(), &l) != nil {
			continue
		}
		p.uid = l.PodUID
		p.findCgroup()
		if store.ReadJSON(p.dir.Process(), &p.process) != nil && p.cgroup == "" {
			continue
		}
		if p.identify(); p.gone {
			continue // a task of the workspace from which this workspace was copied
		}
		all = append(all, p)
	}
	return all
}

func anyRuns(pods []*pod) bool {
	for _, p := range pods {
		if p.verified && p.process.Alive() {
			return true
		}
	}
	return false
}

// Repair implements cluster.Repairer.
func (c *Cluster) Repair(ctx context.Context, workspace string) ([]cluster.Repaired, error) {
	release, err := c.acquire()
	if err != nil {
		return nil, err
	}
	defer release()
	names, err := c.layout.Names()
	if err != nil {
		return nil, err
	}
	var all []cluster.Repaired
	for _, name := range names {
		job, err := c.readJob(name)
		if err != nil {
			return all, err
		}
		if job == nil || job.Unreadable == nil || job.Workspace != workspace && !job.Unreadable.Unknown {
			continue
		}
		if err := c.endUnreadable(ctx, c.layout.Object(name)); err != nil {
			return all, fmt.Errorf("end the tasks of %s: %w", job.Address, err)
		}
		dir, err := c.layout.Quarantine(name, c.options.Now())
		if err != nil {
			return all, err
		}
		all = append(all, cluster.Repaired{What: job.Address.String(), Unreadable: job.Unreadable.File, Aside: dir})
	}
	dir, err := c.layout.ReplaceSecretKey(workspace, c.options.Now())
	if dir != "" {
		all = append(all, cluster.Repaired{What: "the key for secret versions", Aside: dir})
	}
	return all, err
}
