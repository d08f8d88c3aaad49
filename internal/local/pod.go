package local

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// pod is what the supervisor knows of the processes of one task attempt. On
// this machine they stand for the Pod.
type pod struct {
	key taskKey
	uid string
	dir taskDir

	process    process // the task process, which leads a session; zero: never started
	err        error   // why it could not be started
	ready      bool    // it waits for its gang, or passed
	ended      bool    // the task process is over
	exitCode   int     // its exit code, or 128+n; unknown (-1) when it was adopted
	gone       bool    // nothing of it is left
	sweepAfter time.Time
}

// podEnd says that a task process ended.
type podEnd struct {
	key  taskKey
	uid  string
	code int
}

// exitUnknown is the exit code of a process that was not our child.
const exitUnknown = -1

// completion tells how the task attempt ended: by the record that the runtime
// left, else by what is known of the process. A task that vanished without a
// record while nobody watched counts as deleted by someone else.
func (p *pod) completion(codes []framework.Code) *framework.CompletionStatus {
	record, err := readRecord(p.dir)
	switch {
	case err == nil && record != nil:
		return framework.FromExit(record.Code, record.Reason, codes)
	case err == nil && p.exitCode != exitUnknown:
		return framework.FromExit(p.exitCode, "the task's process ended without an exit record; see "+p.dir.output(), codes)
	case err != nil:
		return framework.FromCode(framework.CodePodDeleted, "the exit record cannot be read: "+err.Error())
	default:
		return framework.FromCode(framework.CodePodDeleted, "the task's processes were gone when a new supervisor took over")
	}
}

// readRecord returns nil when the runtime left no exit record.
func readRecord(dir taskDir) (*exitspec.Record, error) {
	var r exitspec.Record
	err := readJSON(dir.exit(), &r)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &r, nil
}

// terminate asks the task process to end. As in a container, it alone gets the
// signal: it forwards it and runs the end callbacks.
func (p *pod) terminate(log func(string, ...any)) {
	if !p.process.alive() {
		return
	}
	if err := terminate(p.process.PID); err != nil {
		log("end task %s: %v", p.key, err)
	}
}

// sweep kills every process of the task and looks whether all are gone. It
// returns after half a second at the latest.
func (p *pod) sweep(log func(string, ...any)) {
	for range 50 {
		left, err := members(p.session(), p.uid)
		if err != nil {
			log("look for processes of task %s: %v", p.key, err)
			return
		}
		if len(left) == 0 {
			p.gone = true
			p.removeScratch()
			return
		}
		for _, pid := range left {
			if err := kill(pid); err != nil {
				log("kill process %d of task %s: %v", pid, p.key, err)
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// removeScratch removes the places of the task's mounts. They are empty here:
// the mounts were only in the task's view. Nothing else may be removed.
func (p *pod) removeScratch() {
	places, err := os.ReadDir(p.dir.scratch())
	if err != nil {
		return
	}
	for _, place := range places {
		_ = os.Remove(filepath.Join(p.dir.scratch(), place.Name()))
	}
	_ = os.Remove(p.dir.scratch())
}

// session returns the task's session, or 0 when its number may mean another
// one by now.
func (p *pod) session() int {
	boot, err := bootID()
	if err != nil || p.process.Boot != boot {
		return 0
	}
	if now, err := identify(p.process.PID); err == nil && now != p.process {
		return 0
	}
	return p.process.PID
}

// makeDirs makes the empty directories of a task attempt.
func (p *pod) makeDirs() error {
	if err := os.RemoveAll(string(p.dir)); err != nil {
		return fmt.Errorf("clear the task's directory: %w", err)
	}
	for _, dir := range []string{p.dir.root(), p.dir.logs(), p.dir.work()} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("make the task's directory: %w", err)
		}
	}
	return nil
}
