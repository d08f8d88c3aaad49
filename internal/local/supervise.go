// SPDX-License-Identifier: MPL-2.0

package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/process"
	"github.com/openpai/terraform-provider-openpai/internal/local/reexec"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/local/task"
)

// Messages that a new supervisor sends to the command that started it.
const (
	reportReady   = "ready"
	reportRunning = "taken" // another supervisor exists
)

// supervisorPatience is the maximum time to wait for a supervisor to start and
// take over tasks.
const supervisorPatience = 30 * time.Second

// supervise ensures that an unfinished Framework has a supervisor. If the
// supervisor was killed, its successor takes over the tasks before supervise
// returns. The caller holds the lock of the workspace.
func (c *Cluster) supervise(ctx context.Context, o store.Object) error {
	fw, _, err := o.Load()
	if err != nil {
		return err
	}
	needed, err := o.LacksSupervisor(ctx, fw)
	if err != nil || !needed {
		return err
	}
	if err := c.layout.CheckAttempts(o.Name); err != nil {
		return err
	}
	install := c.layout.InstallProgram
	if fw.Spec.ExecutionType == framework.ExecutionStop {
		install = c.layout.ProgramAtHand
	}
	program, err := install(c.options.Now())
	if err != nil {
		return err
	}
	if err := c.startSupervisor(ctx, o, program); err != nil {
		return fmt.Errorf("start the supervisor of Framework %s: %w", o.Name, err)
	}
	return nil
}

func (c *Cluster) startSupervisor(ctx context.Context, o store.Object, program string) error {
	if err := reexec.MayStart(); err != nil {
		return err
	}
	log, err := store.OpenLog(o.SupervisorLog())
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	reports, theirs, err := os.Pipe()
	if err != nil {
		return err
	}
	defer func() { _ = reports.Close() }()
	cmd := exec.Command(program, reexec.Supervisor, c.dir, o.Name) //nolint:noctx // it outlives the command
	cmd.Dir = string(filepath.Separator)
	cmd.Env = append(task.AllowedEnvironment(c.options.Environ), reexec.Variable+"="+reexec.Supervisor)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.ExtraFiles = []*os.File{theirs}
	cmd.SysProcAttr = process.NewSession()
	err = cmd.Start()
	_ = theirs.Close()
	if err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // reaps the supervisor if it exits before this process
	return awaitReport(ctx, reports, o)
}

// awaitReport waits until the supervisor has started. It returns the reason
// if the supervisor does not start.
func awaitReport(ctx context.Context, reports *os.File, o store.Object) error {
	ctx, cancel := context.WithTimeout(ctx, supervisorPatience)
	defer cancel()
	defer context.AfterFunc(ctx, func() { _ = reports.SetReadDeadline(time.Now()) })()
	text, err := io.ReadAll(reports)
	switch report := strings.TrimSpace(string(text)); {
	case report == reportReady, report == reportRunning:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("wait for it: %w", ctx.Err())
	case err != nil:
		return fmt.Errorf("wait for it: %w", err)
	case report != "":
		return errors.New(report)
	default:
		return fmt.Errorf("the supervisor exited immediately; see %s", o.SupervisorLog())
	}
}
