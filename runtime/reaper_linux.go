// SPDX-License-Identifier: MPL-2.0

package runtime

import (
	"errors"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// reaper waits for every child of this process: the processes that the reaper
// starts, and the orphans that the kernel reparents to this process.
type reaper struct {
	mu      sync.Mutex
	started *sync.Cond
	ours    map[int]*process
	closed  bool
	idle    chan struct{} // closed when the loop has ended
}

// newReaper makes this process the parent of all orphans among its descendants.
// Other code in the process must not wait for children.
func newReaper() (*reaper, error) {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return nil, err
	}
	r := &reaper{ours: map[int]*process{}, idle: make(chan struct{})}
	r.started = sync.NewCond(&r.mu)
	go r.loop()
	return r, nil
}

func (r *reaper) start(argv []string, attr *os.ProcAttr) (*process, error) {
	r.mu.Lock() // the lock prevents loop from handling the end of the process before r.ours contains it
	defer r.mu.Unlock()
	started, err := os.StartProcess(argv[0], argv, attr)
	if err != nil {
		return nil, err
	}
	p := &process{pid: started.Pid, done: make(chan struct{})}
	r.ours[p.pid] = p
	_ = started.Release()
	r.started.Signal()
	return p, nil
}

func (r *reaper) loop() {
	defer close(r.idle)
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case err == nil:
			r.reaped(pid, status)
		case errors.Is(err, syscall.EINTR):
		case !r.waitForChild():
			return
		}
	}
}

func (r *reaper) reaped(pid int, status syscall.WaitStatus) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p := r.ours[pid]; p != nil {
		delete(r.ours, pid)
		p.status = status
		close(p.done)
	}
}

// waitForChild returns when the reaper has a child to wait for. It returns
// false if the reaper was closed and there are no children.
func (r *reaper) waitForChild() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.ours) == 0 && !r.closed {
		r.started.Wait()
	}
	return len(r.ours) > 0
}

// close kills all remaining descendants of this process, including
// descendants outside their group. It returns after the timeout at the
// latest.
func (r *reaper) close(timeout time.Duration) {
	r.mu.Lock()
	r.closed = true
	r.started.Signal()
	r.mu.Unlock()
	deadline := time.NewTimer(timeout)
	defer deadline.Stop()
	for {
		for _, pid := range childrenOf(os.Getpid()) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		select {
		case <-r.idle:
			return
		case <-deadline.C:
			return
		case <-time.After(2 * time.Millisecond):
		}
	}
}
