// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"errors"
	"os"
	"syscall"
)

// process is the first process of a script, together with the process group
// that it leads.
type process struct {
	pid    int
	done   chan struct{} // closed when status is set
	status syscall.WaitStatus
}

// signal sends a signal to the whole group.
func (p *process) signal(s syscall.Signal) { _ = syscall.Kill(-p.pid, s) }

// alive reports whether the group has running members. The system does not reuse
// the ID of a group that has members.
func (p *process) alive() bool { return syscall.Kill(-p.pid, 0) == nil && groupRuns(p.pid) }

// errNoReaper is newReaper's error on systems that always reparent orphans to
// process 1.
var errNoReaper = errors.New("orphans are reparented to process 1 on this system")

// children starts processes and waits for them.
type children struct {
	reaper *reaper // nil if the runtime does not reap orphans
}

// start runs argv in a new process group. The first three files are standard
// input, output and error; other descriptors follow.
func (c children) start(argv, environ []string, dir string, files []*os.File) (*process, error) {
	return c.startWith(argv, &os.ProcAttr{Dir: dir, Env: environ, Files: files, Sys: groupLeader()})
}

func (c children) startWith(argv []string, attr *os.ProcAttr) (*process, error) {
	start := startAndWait
	if c.reaper != nil {
		start = c.reaper.start
	}
	p, err := start(argv, attr)
	if err != nil {
		return nil, startError(err, attr)
	}
	return p, nil
}

// startAndWait starts a process, and waits for its end in a goroutine.
func startAndWait(argv []string, attr *os.ProcAttr) (*process, error) {
	started, err := os.StartProcess(argv[0], argv, attr)
	if err != nil {
		return nil, err
	}
	p := &process{pid: started.Pid, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		state, err := started.Wait()
		if err != nil {
			p.status = 1 << 8 // a different caller of wait received the exit status: use exit code 1
			return
		}
		p.status = state.Sys().(syscall.WaitStatus)
	}()
	return p, nil
}
