// SPDX-License-Identifier: MPL-2.0

//go:build unix

package ssh

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// gang starts a server for each of n tasks.
func gang(t *testing.T, n int) ([]*house, []Peer) {
	t.Helper()
	key := newKey(t)
	var houses []*house
	var peers []Peer
	for i := range n {
		h := newHouseWith(t, key)
		houses = append(houses, h)
		peers = append(peers, Peer{[]string{fmt.Sprintf("worker-%d", i)}, h.addr()})
	}
	return houses, peers
}

func (h *house) wait(ctx context.Context, peers []Peer, self string) error {
	return (&Barrier{Server: h.Server, Peers: peers, Self: self, Log: h.Options.Log}).Wait(ctx)
}

func TestABarrierThatNobodyHasIsOpen(t *testing.T) {
	t.Parallel()
	houses, _ := gang(t, 1)
	if err := houses[0].wait(t.Context(), nil, "worker-0"); err != nil {
		t.Error(err)
	}
}

func TestTheBarrierOpensWhenAllHaveReported(t *testing.T) {
	t.Parallel()
	const n = 40
	houses, peers := gang(t, n)
	passed := make(chan error, n)
	start := func(i int) { go func() { passed <- houses[i].wait(t.Context(), peers, peers[i].Name()) }() }
	for i := n - 1; i > 0; i-- { // the collector starts second to last
		if i != 1 {
			start(i)
		}
	}
	start(0)
	select {
	case err := <-passed:
		t.Fatalf("the barrier opened without worker-1, error %v", err)
	case <-time.After(200 * time.Millisecond):
	}
	start(1)
	for range n {
		if err := <-passed; err != nil {
			t.Error(err)
		}
	}
	if err := houses[3].wait(t.Context(), peers, "worker-3"); err != nil {
		t.Errorf("a second report of the same task: %v", err)
	}
}

func TestATaskAloneDoesNotWait(t *testing.T) {
	t.Parallel()
	houses, peers := gang(t, 1)
	if err := houses[0].wait(t.Context(), peers, "worker-0"); err != nil {
		t.Error(err)
	}
}

func TestTheBarrierNamesWhoIsMissing(t *testing.T) {
	t.Parallel()
	houses, peers := gang(t, 4)
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	peers[2].Address = closed.Addr().String() // the task sends its report, but nothing listens on its port
	_ = closed.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second) // enough for the handshakes of tasks that respond
	defer cancel()
	reasons := make(chan error, 3)
	for _, i := range []int{0, 1, 2} {
		go func() { reasons <- houses[i].wait(ctx, peers, peers[i].Name()) }()
	}
	var all []string
	for range 3 {
		var timeout *BarrierTimeout
		if err := <-reasons; !errors.As(err, &timeout) {
			t.Errorf("error %v", err)
			continue
		}
		all = append(all, timeout.Reason)
	}
	text := strings.Join(all, "\n")
	for _, want := range []string{"worker-2 has reported, but is unreachable: connect", "worker-3 has not reported its ssh service", "worker-0 is still waiting for other tasks"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if strings.Contains(text, "worker-1 ") {
		t.Errorf("worker-1 is ready:\n%s", text)
	}
}

// OpenPAI's original runtime waits forever at the barrier for a task that has
// ended.
func TestTasksThatHaveEndedAreNotWaitedFor(t *testing.T) {
	t.Parallel()
	houses, peers := gang(t, 4)
	passed := make(chan error, 3)
	go func() { passed <- houses[0].wait(t.Context(), peers, "worker-0") }()
	go func() { passed <- houses[1].wait(t.Context(), peers, "worker-1") }()
	houses[2].shut() // this task ends immediately after it has reported to the collector
	ctx, cancel := context.WithCancel(t.Context())
	go func() { passed <- houses[2].wait(ctx, peers, "worker-2") }()
	houses[0].eventually("worker-2 has reported", func() bool {
		houses[0].mu.Lock()
		defer houses[0].mu.Unlock()
		g := houses[0].currentCollector()
		return g != nil && strings.Contains(g.missing(), "worker-2 has reported")
	})
	cancel()
	if err := <-passed; !errors.Is(err, context.Canceled) {
		t.Errorf("stop a task at the barrier: %v", err)
	}
	go func() { passed <- houses[3].wait(t.Context(), peers, "worker-3") }()
	for range 3 {
		if err := <-passed; err != nil {
			t.Error(err)
		}
	}
}

func (h *house) currentCollector() *collector {
	h.Server.mu.Lock()
	defer h.Server.mu.Unlock()
	return h.collector
}

func TestACollectorThatHasEndedIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	houses, peers := gang(t, 3)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- houses[0].wait(ctx, peers, "worker-0") }()
	passed := make(chan error, 1)
	go func() { passed <- houses[1].wait(t.Context(), peers, "worker-1") }()
	houses[0].eventually("worker-1 is ready", func() bool {
		g := houses[0].currentCollector()
		return g != nil && g.missing() == "worker-2 has not reported its ssh service"
	})
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("stop a task at the barrier: %v", err)
	}
	houses[0].shut()
	if err := <-passed; err != nil {
		t.Error(err)
	}
}

func TestOnlyTheJobReports(t *testing.T) {
	t.Parallel()
	houses, peers := gang(t, 2)
	guest := newKey(t)
	houses[0].Authorize(guest.Public())
	go func() { _ = houses[0].wait(t.Context(), peers, "worker-0") }()
	houses[0].eventually("worker-0 collects", func() bool { return houses[0].currentCollector() != nil })
	conn, err := net.Dial("tcp", houses[0].addr())
	if err != nil {
		t.Fatal(err)
	}
	c, _, _, err := newClientConn(conn, houses[0].addr(), guest)
	if err != nil {
		t.Fatal(err)
	}
	if ok, _, err := c.SendRequest(readyRequest, true, report("worker-1")); ok || err != nil {
		t.Errorf("answer %v, error %v", ok, err)
	}
	if g := houses[0].currentCollector(); !strings.Contains(g.missing(), "worker-1 has not reported") {
		t.Error(g.missing())
	}
}

// counted puts a proxy in front of a peer. The proxy counts connections.
func counted(t *testing.T, p *Peer, count *atomic.Int32) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	to := p.Address
	p.Address = l.Addr().String()
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			count.Add(1)
			out, err := net.Dial("tcp", to)
			if err != nil {
				_ = in.Close()
				continue
			}
			go func() {
				_, _ = io.Copy(out, in)
				_ = out.Close()
			}()
			go func() {
				_, _ = io.Copy(in, out)
				_ = in.Close()
			}()
		}
	}()
}

// OpenPAI's original runtime connects every task to every other task.
func TestTheBarrierTakesTwoConnectionsForEachTask(t *testing.T) {
	t.Parallel()
	const n = 30
	houses, peers := gang(t, n)
	var count atomic.Int32
	for i := range peers {
		counted(t, &peers[i], &count)
	}
	passed := make(chan error, n)
	go func() { passed <- houses[0].wait(t.Context(), peers, "worker-0") }()
	houses[0].eventually("worker-0 collects", func() bool { return houses[0].currentCollector() != nil })
	for i := 1; i < n; i++ {
		go func() { passed <- houses[i].wait(t.Context(), peers, peers[i].Name()) }()
	}
	for range n {
		if err := <-passed; err != nil {
			t.Error(err)
		}
	}
	if got := count.Load(); got != 2*(n-1) {
		t.Errorf("%d connections for %d tasks, want %d", got, n, 2*(n-1))
	}
}
