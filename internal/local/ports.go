package local

import (
	"crypto/rand"
	"fmt"
	"io"
	"math/big"
	"net"
	"strconv"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// portAllocator finds ports that nobody on this machine listens on. It holds
// every port that it gave out until close, so that no two are equal.
type portAllocator struct {
	random    io.Reader
	inUse     map[int]bool // of tasks that were started before
	listeners []net.Listener
}

// allocate returns the ports of one task by label. They lie in [start, end).
// When there are not enough it lets go of those that it found: each is an open
// file, and the supervisor needs files to record the failure.
func (a *portAllocator) allocate(wanted []runspec.Port, start, end int) (map[string][]int, error) {
	ports, before := map[string][]int{}, len(a.listeners)
	for _, w := range wanted {
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

// next tries the range from a random place on, so that two jobs that choose at
// the same time rarely meet.
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

// close lets go of the ports, for the tasks to take.
func (a *portAllocator) close() { a.release(0) }

// release lets go of all but the first kept ports.
func (a *portAllocator) release(kept int) {
	for _, l := range a.listeners[kept:] {
		_ = l.Close()
	}
	a.listeners = a.listeners[:kept]
}
