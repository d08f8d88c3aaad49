// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// initialize waits for the gang, and prepares the files and the environment for
// scripts.
func (t *task) initialize() bool {
	if ready, err := t.readPrepared(); err != nil || ready != nil {
		if err == nil {
			err = t.prepare(ready.Self, nil, ready.Variables)
		}
		if err != nil {
			t.failPreparation(err)
		}
		return err == nil
	}
	self := selfHost(&t.Config)
	hosts, err := t.waitForGang(self)
	var refused *BarrierError
	switch {
	case errors.As(err, &refused):
		reason := "not all tasks of the job became ready: " + refused.Reason
		t.log.Error(reason)
		t.fail(stageInit, "", reason, outcome{code: refused.Code})
		t.record.Code = refused.Code
		return false
	case err != nil:
		t.fail(stageInit, "", "the task received a stop request while it waited for the other tasks", outcome{stopped: true})
		return false
	}
	fixed := taskVariables(&t.Config, self, hosts.Tasks)
	err = writeTables(t.Root, hosts, fixed)
	if err == nil {
		err = t.prepare(self, hosts, fixed)
	}
	if err != nil {
		t.failPreparation(err)
	}
	return err == nil
}

// waitForGang returns the table of all tasks. Without a barrier, the table
// contains only this task.
func (t *task) waitForGang(self runspec.Host) (*runspec.Hosts, error) {
	if t.Barrier == nil {
		if t.Spec.Gang {
			return nil, &BarrierError{Code: exitspec.CodeBarrierPermanent, Reason: "the job has gang allocation, but this task does not know the addresses of the other tasks"}
		}
		return &runspec.Hosts{Tasks: []runspec.Host{self}}, nil
	}
	ctx, cancel := t.untilStop(context.Background())
	defer cancel()
	if t.Spec.Gang && t.Spec.MaxWaitSeconds > 0 {
		ctx, cancel = context.WithTimeout(ctx, seconds(t.Spec.MaxWaitSeconds))
		defer cancel()
	}
	hosts, err := t.Barrier.Wait(ctx, self)
	if err == nil && hosts == nil {
		hosts = &runspec.Hosts{Tasks: []runspec.Host{self}}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = waitError(ctx)
	}
	return hosts, err
}

// prepare sets the environment and the shell of the task, and begins the
// journal. hosts may be nil if the host table file already exists.
func (t *task) prepare(self runspec.Host, hosts *runspec.Hosts, fixed map[string]string) error {
	t.self, t.hosts = self, hosts
	if err := t.prepareEnvironment(fixed); err != nil {
		return err
	}
	if t.shell = t.Config.shell; t.shell.path == "" {
		path, _ := t.env.lookup("PATH")
		var err error
		if t.shell, err = findShell(shellDirs(path)); err != nil {
			return err
		}
	}
	return t.beginJournal()
}

// failPreparation records a failure before the task's first script.
func (t *task) failPreparation(err error) {
	if t.log != nil {
		t.log.Error(err.Error())
	}
	t.fail(stageInit, "", fmt.Sprintf("cannot prepare the task: %v", err), outcome{code: exitInit})
	switch {
	case errors.Is(err, errNoShell):
		t.record.Code = exitspec.CodeConfiguration
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		t.record.Code = exitspec.CodeNoSpace
	}
}

// peers returns the table of all tasks. It reads the init container's file only on
// first use, because decoding the table of a large gang takes longer than starting
// a shell.
func (t *task) peers() []runspec.Host {
	if t.hosts == nil {
		t.hosts = &runspec.Hosts{}
		text, err := os.ReadFile(filepath.Join(t.Root, hostsFile))
		if err == nil {
			err = json.Unmarshal(text, t.hosts)
		}
		if err != nil {
			t.log.Warning("cannot read the host table: " + err.Error())
		}
	}
	return t.hosts.Tasks
}
