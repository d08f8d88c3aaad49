// SPDX-License-Identifier: MPL-2.0

package api

import (
	"context"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// Initial and maximum values of the limit on concurrent requests.
const (
	initialLimit = 16
	maxLimit     = 64
)

// limiter limits the number of concurrent requests. The limit halves when the
// server reports too many requests. The limit increases by one when the
// number of successful responses since its last change reaches the limit.
type limiter struct {
	mu      sync.Mutex
	limit   int
	running int
	answers int // since the limit last changed
	waiting []chan struct{}
}

func newLimiter() *limiter { return &limiter{limit: initialLimit} }

// acquire waits for a slot. release frees the slot.
func (p *limiter) acquire(ctx context.Context) (release func(), err error) {
	p.mu.Lock()
	if p.running < p.limit {
		p.running++
		p.mu.Unlock()
		return p.release, nil
	}
	place := make(chan struct{})
	p.waiting = append(p.waiting, place)
	p.mu.Unlock()
	select {
	case <-place:
		return p.release, nil
	case <-ctx.Done():
		p.cancel(place)
		return nil, ctx.Err()
	}
}

// cancel removes a waiting request. It releases the slot if the request has
// just received one.
func (p *limiter) cancel(place chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, w := range p.waiting {
		if w == place {
			p.waiting = append(p.waiting[:i], p.waiting[i+1:]...)
			return
		}
	}
	p.running--
	p.admit()
}

func (p *limiter) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running--
	p.admit()
}

// admit assigns free slots to waiting requests.
func (p *limiter) admit() {
	for len(p.waiting) > 0 && p.running < p.limit {
		close(p.waiting[0])
		p.waiting = p.waiting[1:]
		p.running++
	}
}

func (p *limiter) answered() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.answers++; p.answers >= p.limit && p.limit < maxLimit {
		p.limit++
		p.answers = 0
		p.admit()
	}
}

func (p *limiter) refused(err error) {
	if !apierrors.IsTooManyRequests(err) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.limit, p.answers = max(p.limit/2, 1), 0
}
