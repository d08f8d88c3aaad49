// SPDX-License-Identifier: MPL-2.0

package local

import (
	"crypto/rand"
	"fmt"
	"io"
	"math/big"
	"net"
	"strconv"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// portAllocator finds ports on which no local process listens. It keeps every
// allocated port open until close is called, to prevent a second allocation.
type portAllocator struct {
	random    io.Reader
	inUse     map[int]bool // ports of tasks that were started earlier, and all fixed ports of the job
	listeners []net.Listener
}

// allocate returns the ports of one task by label. Ports that are not fixed are
// in [start, end). If there are not enough ports, allocate releases the ports of
// the task. Open ports use file descriptors, which the supervisor needs to
// record the failure.
func (a *portAllocator) allocate(wanted []runspec.Port, taskIndex, start, end int) (map[string][]int, error) {
	ports, before := map[string][]int{}, len(a.listeners)
	for _, w := range wanted {
		if w.First != 0 {
			fixed, err := a.fixed(w, taskIndex)
			if err != nil {
				a.release(before)
				return nil, err
			}
			ports[w.Label] = fixed
			continue
		}
		ports[w.Label] = []int{}
		for range w.Count {
			port, err := a.next(start, end)
			if err != nil {
				a.release(before)
				return nil, fmt.Errorf("find a free port for %s: %w", w.Label, err)
			}
			ports[w.Label] = append(ports[w.Label], port)
		}
	}
	return ports, nil
}

// fixed reserves and returns a task's fixed ports for a label.
func (a *portAllocator) fixed(wanted runspec.Port, taskIndex int) ([]int, error) {
	ports := fixedPorts(wanted, taskIndex)
	for _, port := range ports {
		l, err := net.Listen("tcp", ":"+strconv.Itoa(port)) //nolint:noctx // it never waits
		if err != nil {
			return nil, fmt.Errorf("reserve the fixed port %d for %s: %w", port, wanted.Label, err)
		}
		a.listeners = append(a.listeners, l)
	}
	return ports, nil
}

// fixedPorts returns a task's fixed ports for a label.
func fixedPorts(wanted runspec.Port, taskIndex int) []int {
	return contract.PortCount{Count: wanted.Count, Start: wanted.First}.Numbers(wanted.Label, "", taskIndex, 0, 0)
}

// next reserves a free port in a range. It starts the search at a random port,
// so that concurrent jobs rarely choose the same port.
func (a *portAllocator) next(start, end int) (int, error) {
	size := end - start
	if size <= 0 {
		return 0, fmt.Errorf("the range %d to %d is empty", start, end-1)
	}
	first, err := rand.Int(a.random, big.NewInt(int64(size)))
	if err != nil {
		return 0, fmt.Errorf("choose at random: %w", err)
	}
	for i := range size {
		port := start + (int(first.Int64())+i)%size
		if a.inUse[port] {
			continue
		}
		l, err := net.Listen("tcp", ":"+strconv.Itoa(port)) //nolint:noctx // it never waits
		if err == nil {
			a.listeners = append(a.listeners, l)
			return port, nil
		}
	}
	return 0, fmt.Errorf("all ports from %d to %d are in use", start, end-1)
}

// close releases the ports, so that the tasks can listen on them.
func (a *portAllocator) close() { a.release(0) }

// release releases all reserved ports except the first kept ports.
func (a *portAllocator) release(kept int) {
	for _, l := range a.listeners[kept:] {
		_ = l.Close()
	}
	a.listeners = a.listeners[:kept]
}
