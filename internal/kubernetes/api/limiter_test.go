// SPDX-License-Identifier: MPL-2.0

package api

import (
	"context"
	"net/http"
	"testing"
)

func TestPaceHalvesAndGrows(t *testing.T) {
	t.Parallel()
	p := newLimiter()
	p.refused(statusError(&http.Response{StatusCode: http.StatusTooManyRequests, Header: http.Header{}}, nil))
	if p.limit != initialLimit/2 {
		t.Errorf("limit %d after a rejected request, want %d", p.limit, initialLimit/2)
	}
	p.refused(statusError(&http.Response{StatusCode: http.StatusForbidden, Header: http.Header{}}, nil))
	if p.limit != initialLimit/2 {
		t.Errorf("limit %d after a response without information about load", p.limit)
	}
	for range 100_000 {
		p.answered()
	}
	if p.limit != maxLimit {
		t.Errorf("limit %d after many responses, want %d", p.limit, maxLimit)
	}
}

func TestPaceHoldsItsLimit(t *testing.T) {
	t.Parallel()
	p := &limiter{limit: 1}
	release, err := p.acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.acquire(gone); err == nil {
		t.Fatal("two slots were assigned, want one")
	}
	got := make(chan struct{})
	go func() {
		again, err := p.acquire(context.Background())
		if err == nil {
			again()
		}
		close(got)
	}()
	release()
	<-got
	if p.running != 0 {
		t.Errorf("%d slots are in use at the end", p.running)
	}
}
