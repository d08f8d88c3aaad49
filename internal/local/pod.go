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

// pod is what the supervisor knows of the processes of one task attempt. On
// this machine they stand for the Pod.
type pod struct {
	key store.TaskKey
	uid string
	dir store.TaskDir

	process    process.ID // the task process, which leads a session; zero: never started
	cgroup     string     // of the task; empty where it has none
	verified   bool       // the process is the task's, and so is its session
	err        error      // why it could not be started
	ready      bool       // it waits for its gang, or passed
	ended      bool       // the task process is over
	end        *task.End  // how it ended; nil when it was adopted, so nobody waited for it
	gone       bool       // nothing of it is left
	sweepAfter time.Time
}

// podEnd says that a task process ended.
type podEnd struct {
	key store.TaskKey
	uid string
	end *task.End
}

// completion returns how the task attempt ended. How the supervisor saw its
// process end comes first, since the task can write the record that the runtime
// leaves; of an adopted task there is only the record. A task that vanished
// without a record while nobody watched counts as deleted by someone else.
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
		return framework.FromCode(framework.CodePodDeleted, "the task's processes were gone when a new supervisor took over")
	}
}

// endMessage describes the end of a process whose record is missing or wrong.
func (p *pod) endMessage(hasRecord bool) string {
	how := fmt.Sprintf("exited with code %d", p.end.Code)
	if p.end.Signal != 0 {
		how = fmt.Sprintf("was ended by signal %d (%s)", int(p.end.Signal), p.end.Signal)
	}
	if hasRecord {
		return "the task's process " + how + ", which its exit record does not say; see " + p.dir.Output()
	}
	return "the task's process " + how + " without an exit record; see " + p.dir.Output()
}

// refuseRecord puts a record aside that is not true, so that nobody shows it.
func (p *pod) refuseRecord() { _ = os.Rename(p.dir.Exit(), p.dir.RefusedExit()) }

// terminate asks the task process to end. As in a container, it alone gets the
// signal: it forwards it and runs the end callbacks.
func (p *pod) terminate(log func(string, ...any)) {
	if !p.verified || !p.process.Alive() {
		return
	}
	if err := process.Terminate(p.process.PID); err != nil {
		log("end task %s: %v", p.key, err)
	}
}

// sweep kills every process of the task and looks whether all are gone. It
// returns after half a second at the latest. started reports whether the
// supervisor started a process itself: every other child of it is an orphan of
// a task whose process has ended, whatever its session and environment.
func (p *pod) sweep(started func(pid int) bool, log func(string, ...any)) {
	for range 50 {
		members, err := process.Members(p.session(), p.uid)
		orphans, orphansErr := process.Orphans(started)
		members = append(members, orphans...)
		grouped, groupErr := p.killCgroup()
		if err := errors.Join(err, orphansErr, groupErr); err != nil {
			log("look for processes of task %s: %v", p.key, err)
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

// killCgroup kills what is in the cgroup of the task, and removes it.
func (p *pod) killCgroup() (members bool, err error) {
	if p.cgroup == "" {
		return false, nil
	}
	return process.KillCgroup(p.cgroup)
}

// findCgroup finds the recorded cgroup of a task that another supervisor started.
func (p *pod) findCgroup() {
	var l task.Launch
	if store.ReadJSON(p.dir.Launch(), &l) == nil && process.IsTaskCgroup(l.Cgroup, string(p.dir), p.uid) {
		p.cgroup = l.Cgroup
	}
}

// removeScratch removes the places of the task's mounts. They are empty here:
// the mounts were only in the task's view. Nothing else may be removed.
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

// session returns the task's session, or 0 when its number may mean another
// one by now, or meant another one when it was recorded.
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

// makeDirs makes the empty directories of a task attempt.
func (p *pod) makeDirs() error {
	if err := os.RemoveAll(string(p.dir)); err != nil {
		return fmt.Errorf("clear the task's directory: %w", err)
	}
	for _, dir := range []string{p.dir.Root(), p.dir.Logs(), p.dir.Work()} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("make the task's directory: %w", err)
		}
	}
	return nil
}
