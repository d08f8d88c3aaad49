// SPDX-License-Identifier: MPL-2.0

package task

import (
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/local/process"
	"github.com/openpai/terraform-provider-openpai/internal/local/reexec"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
)

// Start starts the task process of an attempt whose [launch] is recorded. The process
// runs the task only after the supervisor has recorded the process. If the supervisor
// is killed before it records the process, the task does not run. ended is called
// once.
func Start(program string, dir store.TaskDir, podUID string, ended func(End)) (process.ID, error) {
	var l Launch
	if err := store.ReadJSON(dir.Launch(), &l); err != nil {
		return process.ID{}, err
	}
	output, err := store.OpenLog(dir.Output())
	if err != nil {
		return process.ID{}, err
	}
	defer func() { _ = output.Close() }()
	theirs, gate, err := os.Pipe()
	if err != nil {
		return process.ID{}, err
	}
	defer func() { _ = gate.Close() }()
	cmd, err := startIn(l.Cgroup, func(cgroup *os.File) *exec.Cmd {
		cmd := exec.Command(program, reexec.Task, string(dir)) //nolint:noctx // it outlives the supervisor
		cmd.Dir = dir.Work()
		cmd.Env = append(Environment(), reexec.Variable+"="+reexec.Task, process.Mark(podUID))
		cmd.Stdout, cmd.Stderr = output, output
		cmd.ExtraFiles = []*os.File{theirs}
		cmd.SysProcAttr = Session(len(l.Mounts) > 0)
		inCgroup(cmd.SysProcAttr, cgroup)
		return cmd
	})
	_ = theirs.Close()
	if err != nil {
		return process.ID{}, err
	}
	go func() { ended(await(cmd)) }()
	id, err := process.Identify(cmd.Process.Pid)
	if errors.Is(err, process.ErrEnded) {
		return process.ID{}, nil // ended reports how
	}
	if err != nil {
		return process.ID{}, err
	}
	if err := store.WriteJSON(dir.Process(), id); err != nil {
		return process.ID{}, err // the closed gate ends the process
	}
	if _, err = gate.Write([]byte{1}); errors.Is(err, syscall.EPIPE) {
		err = nil // the process ended before the gate opened
	}
	return id, err
}

// startIn starts a command in a cgroup if possible, and otherwise without a
// cgroup. Some older systems and containers permit creating a cgroup, but not
// starting a process in it.
func startIn(cgroup string, command func(cgroup *os.File) *exec.Cmd) (*exec.Cmd, error) {
	if cgroup != "" {
		if dir, err := process.MakeCgroup(cgroup); err == nil {
			cmd := command(dir)
			err = cmd.Start()
			_ = dir.Close()
			if err == nil {
				return cmd, nil
			}
			_, _ = process.KillCgroup(cgroup)
		}
	}
	cmd := command(nil)
	return cmd, cmd.Start()
}

// End describes how a task process ended.
type End struct {
	Code   int            // exit code, or 128+n if killed by signal n
	Signal syscall.Signal // 0 if it exited
}

func await(cmd *exec.Cmd) End {
	err := cmd.Wait()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		if w, ok := failed.Sys().(syscall.WaitStatus); ok && w.Signaled() {
			return End{128 + int(w.Signal()), w.Signal()}
		}
	}
	return End{Code: cmd.ProcessState.ExitCode()}
}

// inherited lists the environment variables that supervisors and tasks
// inherit. LC_ variables are also inherited. Any other variable might pass the
// caller's credentials to a job.
var inherited = []string{"PATH", "HOME", "LANG", "TZ", "TMPDIR", contract.EnvFetchCache, contract.EnvFetchCacheMB}

// AllowedEnvironment returns the entries of environ that supervisors and tasks
// inherit.
func AllowedEnvironment(environ []string) []string {
	var allowed []string
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		if mayInherit(name) {
			allowed = append(allowed, entry)
		}
	}
	return allowed
}

func mayInherit(name string) bool {
	return strings.HasPrefix(name, "LC_") || slices.Contains(inherited, name)
}
