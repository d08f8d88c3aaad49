// SPDX-License-Identifier: MPL-2.0

//go:build unix

package ssh

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

// readyRequest notifies the collector that the ssh service of a task is ready.
// The collector responds as soon as all tasks are ready.
const readyRequest = "ready@openpai.org"

// readyReport is the payload of readyRequest.
type readyReport struct{ Name string }

// maxChecks is the maximum number of concurrent checks.
const maxChecks = 16

// collector contains the state of the other tasks, as observed by the
// collecting task.
type collector struct {
	ctx     context.Context
	key     *JobKey
	slots   chan struct{}
	ready   chan struct{} // closed when all tasks are ready
	mu      sync.Mutex
	waiting map[string]*peerState
	order   []string
}

// peerState is the state of a peer that is not ready yet.
type peerState struct {
	Peer
	reported bool
	problem  error
}

func newCollector(ctx context.Context, key *JobKey, others []Peer) *collector {
	g := &collector{ctx: ctx, key: key, slots: make(chan struct{}, maxChecks), ready: make(chan struct{}), waiting: map[string]*peerState{}}
	for _, p := range others {
		g.waiting[p.Name()] = &peerState{Peer: p}
		g.order = append(g.order, p.Name())
	}
	if len(others) == 0 {
		close(g.ready)
	}
	return g
}

// ready handles a report. It rejects reports if this task is not the
// collector. It also rejects clients without the job's key, and invalid
// payloads.
func (c *connection) ready(r *ssh.Request) {
	var report readyReport
	c.server.mu.Lock()
	g := c.server.collector
	c.server.mu.Unlock()
	own := c.conn.Permissions.Extensions[extensionKey] == ssh.FingerprintSHA256(c.server.Key.Public())
	if g == nil || !own || ssh.Unmarshal(r.Payload, &report) != nil {
		reply(r, false, nil)
		return
	}
	g.report(report.Name, c.ctx.Done())
	select {
	case <-g.ready:
		reply(r, true, nil)
	case <-c.ctx.Done():
	}
}

// report starts a check that connects to the named peer. A peer that
// disconnects after its report is no longer running. The collector considers
// such a peer ready.
func (g *collector) report(name string, gone <-chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.waiting[name]
	if p == nil || p.reported {
		return
	}
	p.reported = true
	go g.check(p, gone)
}

// check retries a connection until it succeeds, the peer disconnects, or the
// context ends.
func (g *collector) check(p *peerState, gone <-chan struct{}) {
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
		err := g.reach(p.Address)
		if err == nil {
			g.done(p.Name())
			return
		}
		g.mu.Lock()
		p.problem = err
		g.mu.Unlock()
		select {
		case <-gone:
			g.done(p.Name())
			return
		case <-g.ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

func (g *collector) reach(address string) error {
	select {
	case g.slots <- struct{}{}:
	case <-g.ctx.Done():
		return g.ctx.Err()
	}
	defer func() { <-g.slots }()
	client, err := Dial(g.ctx, address, g.key)
	if err == nil {
		_ = client.Close()
	}
	return err
}

func (g *collector) done(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.waiting[name] == nil {
		return
	}
	delete(g.waiting, name)
	if len(g.waiting) == 0 {
		close(g.ready)
	}
}

// maxNamed is the maximum number of tasks in a message.
const maxNamed = 10

// missing lists the tasks that are not ready, with reasons.
func (g *collector) missing() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var parts []string
	for _, name := range g.order {
		p := g.waiting[name]
		switch {
		case p == nil:
		case len(parts) == maxNamed:
			return strings.Join(parts, "; ") + fmt.Sprintf("; and %d more", len(g.waiting)-maxNamed)
		case !p.reported:
			parts = append(parts, name+" has not reported its ssh service")
		case p.problem != nil:
			parts = append(parts, name+" has reported, but is unreachable: "+p.problem.Error())
		default:
			parts = append(parts, name+" is being checked")
		}
	}
	return strings.Join(parts, "; ")
}
