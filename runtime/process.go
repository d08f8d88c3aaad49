//go:build unix

package runtime

import (
	"errors"
	"os"
	"syscall"
)

// process is the first process of a script and the group it leads.
type process struct {
	pid    int
	done   chan struct{} // closed when status is set
	status syscall.WaitStatus
}

// signal sends to the whole group.
func (p *process) signal(s syscall.Signal) { _ = syscall.Kill(-p.pid, s) }

// alive reports whether the group still has members that run. While it has,
// its number is not given to anybody else.
func (p *process) alive() bool { return syscall.Kill(-p.pid, 0) == nil && groupRuns(p.pid) }

// errNoReaper is what a system says that gives orphans to process 1 only.
var errNoReaper = errors.New("orphans fall to process 1 on this system")

// children starts processes and waits for them.
type children struct {
	reaper *reaper // nil: orphans are not ours
}

// start runs argv with standard input, output and error and further files, in
// its own group.
func (c children) start(argv, environ []string, dir string, files []*os.File) (*process, error) {
	return c.startWith(argv, &os.ProcAttr{Dir: dir, Env: environ, Files: files, Sys: groupLeader()})
}

// startWith starts argv as the leader of a group.
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

// startAndWait starts a process that nobody else waits for.
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
			p.status = 1 << 8 // as if it had exited with 1: somebody else waited for it
			return
		}
		p.status = state.Sys().(syscall.WaitStatus)
	}()
	return p, nil
}
