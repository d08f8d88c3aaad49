// SPDX-License-Identifier: MPL-2.0

package local

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/process"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/local/task"
)

// pod is the supervisor's state for the processes of one task attempt. These
// processes correspond to a Pod.
type pod struct {
	key store.TaskKey
	uid string
	dir store.TaskDir

	process    process.ID // task process and session leader; zero if never started
	cgroup     string     // cgroup of the task, or "" if it does not have one
	verified   bool       // whether the process and its session belong to the task
	err        error      // why the process could not be started
	ready      bool       // whether the task is waiting, or has waited, for its gang
	ended      bool       // whether the task process has ended
	end        *task.End  // how the process ended; nil if an earlier supervisor started it
	gone       bool       // whether all processes of the task have ended
	sweepAfter time.Time
}

// podEnd is the event that reports the end of a task process.
type podEnd struct {
	key store.TaskKey
	uid string
	end *task.End
}

// completion returns the completion status of a task attempt. The observed end
// of the process takes precedence over the runtime's exit record, because the
// task can overwrite the record. For an adopted task, only the record is
// available. Without a record, an adopted task counts as deleted by another
// program.
func (p *pod) completion(codes []framework.Code) *framework.CompletionStatus {
	record, err := store.ReadExit(p.dir)
	believed := err == nil && record != nil && (p.end == nil || p.end.Signal == 0 && p.end.Code == record.Code&0xff)
	switch {
	case believed:
		return framework.FromExit(record.Code, record.Reason, codes)
	case p.end != nil:
		p.refuseRecord()
		return framework.FromExit(p.end.Code, p.endMessage(record != nil || err != nil), codes)
	case err != nil:
		return framework.FromCode(framework.CodePodDeleted, "the exit record cannot be read: "+err.Error())
	default:
		return framework.FromCode(framework.CodePodDeleted, "the task's processes had ended when a new supervisor took over")
	}
}

// endMessage describes how the task's process ended. It also reports that the
// exit record is missing or does not match.
func (p *pod) endMessage(hasRecord bool) string {
	how := fmt.Sprintf("exited with code %d", p.end.Code)
	if p.end.Signal != 0 {
		how = fmt.Sprintf("was terminated by signal %d (%s)", int(p.end.Signal), p.end.Signal)
	}
	if hasRecord {
		return "the task's process " + how + ", which does not match its exit record; see " + p.dir.Output()
	}
	return "the task's process " + how + " without an exit record; see " + p.dir.Output()
}

// refuseRecord renames an exit record that does not match, so that no command
// reads it.
func (p *pod) refuseRecord() { _ = os.Rename(p.dir.Exit(), p.dir.RefusedExit()) }

// terminate sends SIGTERM only to the task process, because Kubernetes signals
// only the first process of a container. The task process forwards the signal
// and runs the end callbacks.
func (p *pod) terminate(log func(string, ...any)) {
	if !p.verified || !p.process.Alive() {
		return
	}
	if err := process.Terminate(p.process.PID); err != nil {
		log("end task %s: %v", p.key, err)
	}
}

// sweep repeatedly kills the processes of the task until all have ended, for at
// most half a second. started reports whether the supervisor itself started a
// process. Every other child of the supervisor is an orphan whose task process has
// ended. sweep kills orphans regardless of session and environment.
func (p *pod) sweep(started func(pid int) bool, log func(string, ...any)) {
	for range 50 {
		members, err := process.Members(p.session(), p.uid)
		orphans, orphansErr := process.Orphans(started)
		members = append(members, orphans...)
		grouped, groupErr := p.killCgroup()
		if err := errors.Join(err, orphansErr, groupErr); err != nil {
			log("list the processes of task %s: %v", p.key, err)
			return
		}
		if len(members) == 0 && !grouped {
			p.gone = true
			p.removeScratch()
			return
		}
		for _, pid := range members {
			if err := process.Kill(pid); err != nil {
				log("kill process %d of task %s: %v", pid, p.key, err)
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// killCgroup kills all processes in the task's cgroup and removes the cgroup.
func (p *pod) killCgroup() (members bool, err error) {
	if p.cgroup == "" {
		return false, nil
	}
	return process.KillCgroup(p.cgroup)
}

// findCgroup sets the cgroup of an adopted task from the launch record.
func (p *pod) findCgroup() {
	var l task.Launch
	if store.ReadJSON(p.dir.Launch(), &l) == nil && process.IsTaskCgroup(l.Cgroup, string(p.dir), p.uid) {
		p.cgroup = l.Cgroup
	}
}

// removeScratch removes only empty directories. The mount directories are empty,
// because the mounts are visible only in the task.
func (p *pod) removeScratch() {
	if info, err := os.Lstat(p.dir.Scratch()); err != nil || !info.IsDir() {
		return
	}
	places, err := os.ReadDir(p.dir.Scratch())
	if err != nil {
		return
	}
	for _, place := range places {
		_ = os.Remove(filepath.Join(p.dir.Scratch(), place.Name()))
	}
	_ = os.Remove(p.dir.Scratch())
}

// session returns the ID of the session, or 0 if the system may have reused
// the ID.
func (p *pod) session() int {
	if !p.verified {
		return 0
	}
	boot, err := process.BootID()
	if err != nil || p.process.Boot != boot {
		return 0
	}
	if now, err := process.Identify(p.process.PID); err == nil && now != p.process {
		return 0
	}
	return p.process.PID
}

func (p *pod) makeDirs() error {
	if err := os.RemoveAll(string(p.dir)); err != nil {
		return fmt.Errorf("clear the task's directory: %w", err)
	}
	for _, dir := range []string{p.dir.Root(), p.dir.Logs(), p.dir.Work()} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("create the task's directory: %w", err)
		}
	}
	return nil
}
