package local

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// startTask starts the task process. It does nothing before it is told to go,
// which happens after its identity was recorded: a task of which no process is
// recorded never ran, whenever this process is killed.
func (s *supervisor) startTask(p *pod) error {
	var l launch
	if err := readJSON(p.dir.launch(), &l); err != nil {
		return err
	}
	output, err := os.OpenFile(p.dir.output(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = output.Close() }()
	theirs, gate, err := os.Pipe()
	if err != nil {
		return err
	}
	defer func() { _ = gate.Close() }()
	cmd := exec.Command(s.program, argTask, string(p.dir)) //nolint:noctx // it outlives the supervisor
	cmd.Dir = p.dir.work()
	cmd.Env = append(taskEnvironment(), envInternal+"="+argTask, "FC_POD_UID="+p.uid)
	cmd.Stdout, cmd.Stderr = output, output
	cmd.ExtraFiles = []*os.File{theirs}
	cmd.SysProcAttr = taskSession(len(l.Mounts) > 0)
	err = cmd.Start()
	_ = theirs.Close()
	if err != nil {
		return err
	}
	go s.awaitTask(p.key, p.uid, cmd)
	id, err := identify(cmd.Process.Pid)
	if err != nil {
		return fmt.Errorf("the task's process ended at once: %w", err)
	}
	if err := writeJSON(p.dir.process(), id); err != nil {
		return err // the closed gate ends the process
	}
	p.process = id
	_, err = gate.Write([]byte{1})
	return err
}

// awaitTask reaps the task process and reports its end.
func (s *supervisor) awaitTask(key taskKey, uid string, cmd *exec.Cmd) {
	err := cmd.Wait()
	code := cmd.ProcessState.ExitCode()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		if w, ok := failed.Sys().(syscall.WaitStatus); ok && w.Signaled() {
			code = 128 + int(w.Signal())
		}
	}
	s.ends <- podEnd{key, uid, code}
}
