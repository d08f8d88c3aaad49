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
)

// supervisorInfo tells which process supervises a Framework, or did so last.
type supervisorInfo struct {
	Process process   `json:"process"`
	Program string    `json:"program"`
	Since   time.Time `json:"since"`
}

// The words with which a new supervisor reports to the command that started
// it.
const (
	reportReady = "ready"
	reportTaken = "taken" // another one is there
)

// supervisorPatience is how long a command waits for a supervisor to come up.
// Taking over the tasks of a predecessor is part of that.
const supervisorPatience = 30 * time.Second

// needsSupervisor reports whether a Framework is unfinished and nobody
// supervises it.
func (o object) needsSupervisor(fw *framework.Framework) (bool, error) {
	if fw.Spec.ExecutionType == framework.ExecutionCreate {
		return false, nil
	}
	if fw.Status != nil && fw.Status.State == framework.StateCompleted {
		return false, nil
	}
	held, err := locked(o.supervisorLock())
	return !held && err == nil, err
}

// finished reports whether nothing of the Framework will run any more.
func (o object) finished() bool {
	fw, _, err := o.load()
	return err == nil && fw.Status != nil && fw.Status.State == framework.StateCompleted
}

// supervise makes sure that an unfinished Framework has a supervisor. When one
// was killed, its successor takes the tasks over before supervise returns.
func (c *Cluster) supervise(ctx context.Context, o object) error {
	fw, _, err := o.load()
	if err != nil {
		return err
	}
	needed, err := o.needsSupervisor(fw)
	if err != nil || !needed {
		return err
	}
	program, err := c.layout.keepProgram(c.options.Now())
	if err != nil {
		return err
	}
	if err := c.startSupervisor(ctx, o, program); err != nil {
		return fmt.Errorf("start the supervisor of Framework %s: %w", o.name, err)
	}
	return nil
}

func (c *Cluster) startSupervisor(ctx context.Context, o object, program string) error {
	if err := mayStart(); err != nil {
		return err
	}
	log, err := os.OpenFile(o.supervisorLog(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	reports, theirs, err := os.Pipe()
	if err != nil {
		return err
	}
	defer func() { _ = reports.Close() }()
	cmd := exec.Command(program, argSupervisor, c.dir, o.name) //nolint:noctx // it outlives the command
	cmd.Dir = string(filepath.Separator)
	cmd.Env = append(allowedEnvironment(c.options.Environ), envInternal+"="+argSupervisor)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.ExtraFiles = []*os.File{theirs}
	cmd.SysProcAttr = ownSession()
	err = cmd.Start()
	_ = theirs.Close()
	if err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // reaps it, should it end before us
	return awaitReport(ctx, reports, o)
}

// awaitReport waits until a supervisor took charge, or tells why it did not.
func awaitReport(ctx context.Context, reports *os.File, o object) error {
	ctx, cancel := context.WithTimeout(ctx, supervisorPatience)
	defer cancel()
	defer context.AfterFunc(ctx, func() { _ = reports.SetReadDeadline(time.Now()) })()
	text, err := io.ReadAll(reports)
	switch report := strings.TrimSpace(string(text)); {
	case report == reportReady, report == reportTaken:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("wait for it: %w", ctx.Err())
	case err != nil:
		return fmt.Errorf("wait for it: %w", err)
	case report != "":
		return errors.New(report)
	default:
		return fmt.Errorf("it ended at once; %s may tell more", o.supervisorLog())
	}
}
