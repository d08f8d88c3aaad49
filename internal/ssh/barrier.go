// SPDX-License-Identifier: MPL-2.0

//go:build unix

package ssh

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"golang.org/x/crypto/ssh"
)

// Barrier waits until the ssh service of every task of a job is reachable. The first
// peer is the collector. Each of the remaining tasks reports to the collector once.
// The collector responds over the same connection. Because only the collector
// connects to all tasks, N tasks open about 2N connections instead of N squared.
type Barrier struct {
	Server *Server
	// Peers are all tasks with an ssh service, including this task. The order must
	// be the same in every task. If Peers is empty, Wait returns immediately.
	Peers []Peer
	Self  string // the name of this task
	// Log logs a warning.
	Log func(text string)
}

// BarrierTimeout is returned if some tasks were not ready in time.
type BarrierTimeout struct{ Reason string }

func (e *BarrierTimeout) Error() string { return e.Reason }

// Wait waits until all services are reachable. It returns a *BarrierTimeout after
// the deadline of the context. It returns the error of a canceled context.
func (b *Barrier) Wait(ctx context.Context) error {
	var reason string
	var err error
	switch {
	case len(b.Peers) == 0:
	case b.Peers[0].Name() == b.Self:
		reason, err = b.collect(ctx)
	default:
		reason, err = b.report(ctx, b.Peers[0])
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &BarrierTimeout{reason}
	}
	return err
}

// collect waits for the reports of the other tasks. The server continues to
// respond to late reports after Wait has returned.
func (b *Barrier) collect(ctx context.Context) (string, error) {
	g := newCollector(ctx, b.Server.Key, b.Peers[1:])
	b.Server.mu.Lock()
	b.Server.collector = g
	b.Server.mu.Unlock()
	select {
	case <-g.ready:
		return "", nil
	case <-ctx.Done():
		return g.missing(), ctx.Err()
	}
}

// report reports this task to the collector and waits for the response. If
// the collector ends after it received the report, the collector has passed
// the barrier or failed. In both cases, report stops waiting: a failed
// collector fails the job.
func (b *Barrier) report(ctx context.Context, collector Peer) (reason string, err error) {
	known := false
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
		var ok bool
		ok, err = b.ask(ctx, collector, &known)
		switch {
		case ok:
			return "", nil
		case ctx.Err() != nil:
		case err == nil:
			reason = fmt.Sprintf("%s, which collects the reports, has not reached its barrier", collector.Name())
		case known && errors.Is(err, syscall.ECONNREFUSED):
			b.Log(collector.Name() + ", which collects the reports of the ssh barrier, has ended; this task does not wait for the other tasks")
			return "", nil
		default:
			reason = fmt.Sprintf("%s, which collects the reports, is unreachable: %v", collector.Name(), err)
		}
		select {
		case <-ctx.Done():
			if known {
				reason = collector.Name() + " is still waiting for other tasks, which its log lists"
			}
			return reason, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// ask sends one report. It returns true if all tasks are ready. It sets *known
// to true if the collector has received the report.
func (b *Barrier) ask(ctx context.Context, collector Peer, known *bool) (bool, error) {
	client, err := Dial(ctx, collector.Address, b.Server.Key)
	if err != nil {
		return false, err
	}
	defer func() { _ = client.Close() }()
	stop := context.AfterFunc(ctx, func() { _ = client.Close() })
	ok, _, err := client.SendRequest(readyRequest, true, ssh.Marshal(readyReport{b.Self}))
	stop()
	if err != nil { // an error means that the connection ended, not that the collector rejected the report
		*known = true
		return false, fmt.Errorf("report to %s: %w", collector.Name(), err)
	}
	return ok, nil
}
